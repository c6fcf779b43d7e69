package main

import (
	"fmt"
	"strings"
)

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
	counts := map[string][2]int{}
	var order []string
	differs := &differences{}
	for _, r := range results {
		count, seen := counts[r.pkg]
		if !seen {
			order = append(order, r.pkg)
		}
		count[1]++
		if r.State == passed {
			count[0]++
		}
		counts[r.pkg] = count
		if line := expected.difference(r); line != "" {
			differs.lines = append(differs.lines, line)
		}
	}
	for _, pkg := range order {
		fmt.Printf("%s %d/%d\n", pkg, counts[pkg][0], counts[pkg][1])
	}
	if o.record {
		return record(expected, results)
	}
	if len(differs.lines) > 0 {
		return differs
	}
	return nil
}

// list prints the recorded results.
func list(o *options) error {
	expected, err := readExpected()
	if err != nil {
		return err
	}
	for _, pkg := range o.packages {
		for _, e := range expected.of(pkg) {
			fmt.Printf("%s %s %s\n", e.pkg, e.name, e.outcome)
		}
	}
	return nil
}
