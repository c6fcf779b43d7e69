package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/kubestep/kubestep/sim/conformance/score"
)

// expectedFile is the file that -record writes, from the root of the repository. The test of docs/reference/conformance.md makes the page.
const expectedFile = "sim/conformance/score/expected.txt"

// differences are results that are not as recorded.
type differences struct{ lines []string }

// Error implements error.
func (d *differences) Error() string { return strings.Join(d.lines, "\n") }

// report prints one line a package, and compares the results with the recorded ones.
func report(o *options, results []*result) error {
	expected, err := readExpected()
	if err != nil {
		return err
	}
	tests, passes := map[string]int{}, map[string]int{}
	found := map[score.Test]bool{}
	differs := &differences{}
	for _, r := range results {
		tests[r.Package]++
		found[r.Test] = true
		if r.State == score.Pass {
			passes[r.Package]++
		}
		if line := expected.Difference(r.Test, r.State); line != "" {
			differs.lines = append(differs.lines, line)
		}
	}
	for _, pkg := range o.packages {
		fmt.Printf("%s %d/%d\n", pkg, passes[pkg], tests[pkg])
		for _, test := range expected.Gone(pkg, found) {
			if !o.only.MatchString(test.Name) {
				continue
			}
			differs.lines = append(differs.lines, test.String()+": it is recorded, and upstream does not have it")
			if o.record {
				delete(expected, test)
			}
		}
	}
	switch {
	case o.record:
		return record(expected, results)
	case len(differs.lines) > 0:
		return differs
	}
	return nil
}

// readExpected reads the file, which may be newer than the one that this program has in it.
func readExpected() (score.Expectations, error) {
	text, err := os.ReadFile(expectedFile)
	if err != nil {
		return nil, err
	}
	return score.Parse(string(text))
}

// record writes the expectations.
func record(expected score.Expectations, results []*result) error {
	for _, r := range results {
		expected.Record(r.Test, r.State)
	}
	if err := os.WriteFile(expectedFile, []byte(expected.Text()), 0o644); err != nil {
		return err
	}
	fmt.Println("make golden PKG=./docs writes the page of these results, docs/reference/conformance.md")
	return nil
}

// list prints the recorded results.
func list(o *options) error {
	expected, err := readExpected()
	if err != nil {
		return err
	}
	for _, pkg := range o.packages {
		for _, test := range expected.Of(pkg) {
			fmt.Println(test, expected[test])
		}
	}
	return nil
}
