// Package outcome holds how upstream's conformance tests are expected to end in kubestep, as the program e2e has recorded it
// (expected.txt): one line for each test, with pass, or the name of the one reason why it does not pass (Reasons). The page
// docs/reference/e2e.md is made from it.
package outcome

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// The outcomes that are not the name of a reason.
const (
	Pass = "pass"
	// Skip means that the test skips itself.
	Skip = "skip"
	// Unknown is recorded for a failure until somebody has found its cause.
	Unknown = "unknown"
)

// Test is one test with its expected outcome: Pass, Skip, or the name of the reason why it does not pass.
type Test struct{ Name, Outcome string }

// String is the line of the test.
func (t Test) String() string { return t.Outcome + " " + t.Name }

// Expectations are the tests in upstream's order.
type Expectations []Test

//go:embed expected.txt
var recorded string

// Expected returns the recorded outcomes.
func Expected() (Expectations, error) { return Parse(recorded) }

// Plain is the name of a test in one line with single spaces: upstream's list folds long names.
func Plain(name string) string { return strings.Join(strings.Fields(name), " ") }

// Group is the special interest group that a test belongs to, such as sig-apps, which its name begins with.
func Group(name string) string {
	group, _, _ := strings.Cut(strings.TrimPrefix(name, "["), "]")
	return group
}

// Parse reads lines of the form OUTCOME NAME. A line that begins with # is a comment.
func Parse(text string) (Expectations, error) {
	var out Expectations
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		outcome, name, ok := strings.Cut(line, " ")
		if !ok {
			return nil, fmt.Errorf("expected.txt:%d: want OUTCOME NAME, got %q", n+1, line)
		}
		out = append(out, Test{name, outcome})
	}
	return out, nil
}

// Text is what Parse reads.
func (e Expectations) Text() string {
	var out strings.Builder
	out.WriteString("# OUTCOME NAME, with pass, skip, or the name of the reason of the failure (reasons.go). make e2e checks them.\n")
	for _, test := range e {
		fmt.Fprintln(&out, test)
	}
	return out.String()
}

// outcome is that of a test, "" if none is recorded.
func (e Expectations) outcome(name string) string {
	for _, test := range e {
		if test.Name == name {
			return test.Outcome
		}
	}
	return ""
}

// Difference says how an outcome differs from the expected one; empty if it does not. state is Pass, Skip, or how the
// test ended otherwise.
func (e Expectations) Difference(name, state string) string {
	expected := e.outcome(name)
	fails := state != Pass && state != Skip
	switch {
	case expected == "":
		return fmt.Sprintf("%s: %s, and no outcome is recorded", name, state)
	case expected == Pass && state != Pass, expected == Skip && fails:
		return fmt.Sprintf("%s: %s, and the expected outcome is %s", name, state, expected)
	case expected != state && !fails:
		return fmt.Sprintf("%s: %s, and was expected not to: %s", name, state, expected)
	}
	return ""
}

// Gone lists the tests of which an outcome is recorded, and which upstream does not have any more. all are those that it has.
func (e Expectations) Gone(all []string) (gone []string) {
	for _, test := range e {
		if !slices.Contains(all, test.Name) {
			gone = append(gone, test.Name)
		}
	}
	return gone
}

// Recorded are the expectations of the tests that upstream has, with the states of those that ran. The reason of a failure that is
// known stays.
func (e Expectations) Recorded(all []string, states map[string]string) (out Expectations) {
	for _, name := range all {
		before, state := e.outcome(name), states[name]
		switch {
		case state == Pass || state == Skip:
			before = state
		case before == "" || state != "" && (before == Pass || before == Skip):
			before = Unknown
		}
		out = append(out, Test{name, before})
	}
	return out
}
