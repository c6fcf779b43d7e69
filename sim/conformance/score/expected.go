// Package score holds how Kubernetes' own integration tests are expected to end in kubestep, as the program conformance has
// recorded it (expected.txt): one line for each test, with pass, or the one reason why it does not pass. The page
// docs/reference/conformance.md is made from it.
package score

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

// Test is one test of upstream.
type Test struct{ Package, Name string }

// String returns the package and the name.
func (t Test) String() string { return t.Package + " " + t.Name }

// The outcomes that are not the reason of a failure.
const (
	Pass = "pass"
	// Skip means that the test skips itself, as it does in Kubernetes.
	Skip = "skip"
	// Unknown is recorded for a failure until somebody has found its cause.
	Unknown = "not examined"
)

// Expectations are the expected outcomes: Pass, Skip, or the reason why a test does not pass.
type Expectations map[Test]string

//go:embed expected.txt
var recorded string

// Expected returns the recorded outcomes.
func Expected() (Expectations, error) { return Parse(recorded) }

// Parse reads lines of the form PACKAGE TEST OUTCOME. A line that begins with # is a comment.
func Parse(text string) (Expectations, error) {
	out := Expectations{}
	for n, line := range strings.Split(strings.TrimSpace(text), "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, " ", 3)
		if len(fields) < 3 {
			return nil, fmt.Errorf("expected.txt:%d: want PACKAGE TEST OUTCOME, got %q", n+1, line)
		}
		out[Test{fields[0], fields[1]}] = fields[2]
	}
	return out, nil
}

// Text is what Parse reads, sorted.
func (e Expectations) Text() string {
	var out strings.Builder
	out.WriteString("# PACKAGE TEST OUTCOME, with pass, skip, or the reason of the failure. make conformance checks them.\n")
	for _, pkg := range Names() {
		for _, test := range e.Of(pkg) {
			fmt.Fprintf(&out, "%s %s\n", test, e[test])
		}
	}
	return out.String()
}

// Of lists the tests of a package, sorted.
func (e Expectations) Of(pkg string) []Test {
	var out []Test
	for test := range e {
		if test.Package == pkg {
			out = append(out, test)
		}
	}
	slices.SortFunc(out, func(a, b Test) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// Difference says how an outcome differs from the expected one; empty if it does not. state is Pass, Skip, or how the
// test ended otherwise.
func (e Expectations) Difference(test Test, state string) string {
	expected, known := e[test]
	fails := state != Pass && state != Skip
	switch {
	case !known:
		return fmt.Sprintf("%s: %s, and no outcome is recorded", test, state)
	case expected == Pass && state != Pass, expected == Skip && fails:
		return fmt.Sprintf("%s: %s, and the expected outcome is %s", test, state, expected)
	case expected != state && !fails:
		return fmt.Sprintf("%s: %s, and was expected not to: %s", test, state, expected)
	}
	return ""
}

// Gone lists the tests of a package of which an outcome is recorded, and which upstream does not have any more. found are those that
// it has.
func (e Expectations) Gone(pkg string, found map[Test]bool) []Test {
	return slices.DeleteFunc(e.Of(pkg), func(t Test) bool { return found[t] })
}

// Record replaces an outcome. The reason of a failure that is known stays.
func (e Expectations) Record(test Test, state string) {
	before := e[test]
	switch {
	case state == Pass || state == Skip:
		e[test] = state
	case before == "" || before == Pass || before == Skip:
		e[test] = Unknown
	}
}
