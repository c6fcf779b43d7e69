package outcome

import (
	"fmt"
	"slices"
	"strings"
)

// counts are the outcomes of some tests.
type counts struct{ tests, passed, skipped int }

func (c *counts) add(outcome string) {
	c.tests++
	switch outcome {
	case Pass:
		c.passed++
	case Skip:
		c.skipped++
	}
}

// Page is docs/reference/e2e.md, but for the comment that says what makes it. version is that of Kubernetes.
func (e Expectations) Page(version string) string {
	var out strings.Builder
	var all counts
	groups := map[string]*counts{}
	var names []string
	reasons := map[string]int{}
	for _, test := range e {
		group := Group(test.Name)
		if groups[group] == nil {
			groups[group] = &counts{}
			names = append(names, group)
		}
		groups[group].add(test.Outcome)
		all.add(test.Outcome)
		reasons[test.Outcome]++
	}
	slices.Sort(names)
	fmt.Fprintf(&out, `# End-to-end tests

**%d of the %d conformance tests of Kubernetes %s pass.** These are the end-to-end tests that a distribution has to pass to be called
Kubernetes. They run unmodified, each against a cluster of its own. [How to run them](../howto/run-e2e.md) says what is measured, and how.

## Groups

| group | tests | pass | fail |
|---|---|---|---|
`, all.passed, all.tests, version)
	for _, name := range names {
		c := groups[name]
		fmt.Fprintf(&out, "| [%s](#%s) | %d | %d | %s |\n", name, name, c.tests, c.passed, blankForZero(c.tests-c.passed-c.skipped))
	}
	out.WriteString("\n## Reasons\n\nEach test that fails has one reason: the first thing that it needs and does not find.\n\n" +
		"| reason | tests | what is missing |\n|---|---|---|\n")
	for _, reason := range Reasons {
		fmt.Fprintf(&out, "| %s | %d | %s |\n", reason.Name, reasons[reason.Name], reason.Text)
	}
	for _, name := range names {
		fmt.Fprintf(&out, "\n## %s\n\n| result | test |\n|---|---|\n", name)
		for _, test := range e {
			if Group(test.Name) == name {
				fmt.Fprintf(&out, "| %s | %s |\n", test.Outcome, shown(test.Name))
			}
		}
	}
	return out.String()
}

func blankForZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// shown is the name of a test in a cell of its group's table.
func shown(name string) string {
	name = strings.TrimSpace(strings.TrimPrefix(name, "["+Group(name)+"]"))
	name = strings.TrimSpace(strings.TrimSuffix(name, "[Conformance]"))
	return strings.NewReplacer("|", "\\|", "*", "\\*", "<", "\\<", "_", "\\_", "[", "\\[", "]", "\\]").Replace(name)
}
