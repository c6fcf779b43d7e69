package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/kubestep/kubestep/scenarios/serving/e2e/outcome"
)

// expectedFile is the file that -record writes, from the root of the repository. The test of docs/reference/e2e.md makes the page.
const expectedFile = "scenarios/serving/e2e/outcome/expected.txt"

// differences are results that are not as recorded.
type differences struct{ lines []string }

// Error implements error.
func (d *differences) Error() string { return strings.Join(d.lines, "\n") }

// report prints one line for each group, and compares the results with the recorded ones. all are the tests that upstream has.
func report(o *options, all []string, results []*result) error {
	expected, err := readExpected()
	if err != nil {
		return err
	}
	tests, passes := map[string]int{}, map[string]int{}
	var groups []string
	differs := &differences{}
	cpu := 0.0
	for _, r := range results {
		group := outcome.Group(r.Name)
		if tests[group] == 0 {
			groups = append(groups, group)
		}
		tests[group]++
		cpu += r.CPU
		if r.State == outcome.Pass {
			passes[group]++
		}
		if line := expected.Difference(r.Name, r.State); line != "" {
			differs.lines = append(differs.lines, line)
		}
	}
	for _, group := range groups {
		fmt.Printf("%s %d/%d\n", group, passes[group], tests[group])
	}
	fmt.Printf("%.0f CPU seconds\n", cpu)
	for _, name := range expected.Gone(all) {
		differs.lines = append(differs.lines, name+": it is recorded, and upstream does not have it")
	}
	switch {
	case o.record:
		return record(expected, all, results)
	case len(differs.lines) > 0:
		return differs
	}
	return nil
}

// readExpected reads the file, which may be newer than the one that this program has in it.
func readExpected() (outcome.Expectations, error) {
	text, err := os.ReadFile(expectedFile)
	if err != nil {
		return nil, err
	}
	return outcome.Parse(string(text))
}

// record writes the expectations.
func record(expected outcome.Expectations, all []string, results []*result) error {
	states := map[string]string{}
	for _, r := range results {
		states[r.Name] = r.State
	}
	if err := os.WriteFile(expectedFile, []byte(expected.Recorded(all, states).Text()), 0o644); err != nil {
		return err
	}
	fmt.Println("make golden PKG=./docs writes the page of these results, docs/reference/e2e.md")
	return nil
}

// list prints the recorded results.
func list(o *options) error {
	expected, err := readExpected()
	if err != nil {
		return err
	}
	for _, test := range expected {
		if o.only.MatchString(test.Name) {
			fmt.Println(test)
		}
	}
	return nil
}
