package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// expectedFile has a line for each test: its package, its name, and pass, or why it does not pass.
const expectedFile = "sim/conformance/expected.txt"

// expectation is a recorded result. The outcome is pass, or the reason why the test does not pass.
type expectation struct {
	test
	outcome string
}

type expectations map[test]expectation

func readExpected() (expectations, error) {
	out := expectations{}
	data, err := os.ReadFile(expectedFile)
	if errors.Is(err, os.ErrNotExist) {
		return out, nil
	} else if err != nil {
		return nil, err
	}
	for n, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("%s:%d: want PACKAGE TEST OUTCOME, got %q", expectedFile, n+1, line)
		}
		t := test{fields[0], fields[1]}
		out[t] = expectation{t, fields[2]}
	}
	return out, nil
}

// of lists the expectations of a package, sorted.
func (e expectations) of(pkg string) []expectation {
	var out []expectation
	for _, one := range e {
		if one.pkg == pkg {
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b expectation) int { return cmp.Compare(a.name, b.name) })
	return out
}

// difference says how a result differs from the recorded one; empty if it does not.
func (e expectations) difference(r *result) string {
	expected, known := e[r.test]
	switch {
	case !known:
		return fmt.Sprintf("%s: %s, and no result is recorded", r.test, r.State)
	case expected.outcome == passed && r.State != passed:
		return fmt.Sprintf("%s: %s, and was expected to pass", r.test, r.State)
	case expected.outcome != passed && r.State == passed:
		return fmt.Sprintf("%s: passes, and was expected not to: %s", r.test, expected.outcome)
	}
	return ""
}

// unknownReason is recorded for a failure until somebody has found its cause.
const unknownReason = "not examined"

// record writes the expectations again. The reason of a failure that was known stays.
func record(expected expectations, results []*result) error {
	for _, r := range results {
		before := expected[r.test].outcome
		switch {
		case r.State == passed:
			expected[r.test] = expectation{r.test, passed}
		case before == "" || before == passed:
			expected[r.test] = expectation{r.test, unknownReason}
		}
	}
	var out strings.Builder
	out.WriteString("# package test pass|reason; see make conformance\n")
	for _, pkg := range names(All) {
		for _, one := range expected.of(pkg) {
			fmt.Fprintf(&out, "%s %s %s\n", one.pkg, one.name, one.outcome)
		}
	}
	return os.WriteFile(expectedFile, []byte(out.String()), 0o644)
}
