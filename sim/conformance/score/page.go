package score

import (
	"cmp"
	"fmt"
	"maps"
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

// Page is docs/reference/conformance.md, but for the comment that says what makes it. version is that of Kubernetes.
func (e Expectations) Page(version string) []byte {
	var out strings.Builder
	var all, controllers, scheduler, custom counts
	for test, outcome := range e {
		all.add(outcome)
		if isAboutControllers(test.Package) {
			controllers.add(outcome)
		}
		if strings.HasPrefix(test.Package, "scheduler") {
			scheduler.add(outcome)
		}
		if strings.HasPrefix(test.Package, "apiextensions-apiserver") {
			custom.add(outcome)
		}
	}
	left, packages := 0, 0
	for _, reason := range Left {
		for _, n := range reason.Packages {
			left, packages = left+n, packages+1
		}
	}
	fmt.Fprintf(&out, `# Conformance

**%d of the %d integration tests of Kubernetes %s pass.** %d tests run here, of which %d skip themselves, and %d tests in %d packages are
[left out](#packages-that-are-left-out), each for a reason. Of the %d tests of controllers, %d pass; of the %d
tests of the scheduler, %d; and of the %d tests that apiextensions-apiserver has of its own, %d.
[How to run them](../howto/run-conformance.md) says what is measured, and how.

## Packages

The tests of a package marked C bring their controllers along.

| package | | tests | pass | skip | fail |
|---|---|---|---|---|---|
`, all.passed, all.tests+left, version, all.tests, all.skipped, left,
		packages, controllers.tests, controllers.passed, scheduler.tests, scheduler.passed, custom.tests, custom.passed)
	for _, pkg := range Packages {
		var c counts
		for _, test := range e.Of(pkg.Name) {
			c.add(e[test])
		}
		mark := ""
		if pkg.Controllers {
			mark = "C"
		}
		fmt.Fprintf(&out, "| %s | %s | %d | %d | %s | %s |\n", pkg.Name, mark, c.tests, c.passed,
			nothingForZero(c.skipped), nothingForZero(c.tests-c.passed-c.skipped))
	}
	e.writeReasons(&out)
	writeLeft(&out)
	return []byte(out.String())
}

// writeReasons lists why tests fail, the most frequent reason first.
func (e Expectations) writeReasons(out *strings.Builder) {
	tests := map[string][]string{}
	var reasons []string
	for _, pkg := range Names() {
		for _, test := range e.Of(pkg) {
			reason := e[test]
			if reason == Pass || reason == Skip {
				continue
			}
			if tests[reason] == nil {
				reasons = append(reasons, reason)
			}
			tests[reason] = append(tests[reason], fmt.Sprintf("`%s.%s`", test.Package, test.Name))
		}
	}
	slices.SortStableFunc(reasons, func(a, b string) int { return cmp.Compare(len(tests[b]), len(tests[a])) })
	out.WriteString("\n## Failures\n\nEach test that fails has one reason: the first thing that it needs and does not find.\n")
	for _, reason := range reasons {
		fmt.Fprintf(out, "\n### %s\n\n", upperFirst(reason))
		for _, test := range tests[reason] {
			fmt.Fprintf(out, "- %s\n", test)
		}
	}
}

// writeLeft lists the packages that do not run.
func writeLeft(out *strings.Builder) {
	out.WriteString("\n## Packages that are left out\n\n| packages | tests | why |\n|---|---|---|\n")
	for _, left := range Left {
		names := slices.Sorted(maps.Keys(left.Packages))
		n := 0
		for i, name := range names {
			n += left.Packages[name]
			names[i] = "`" + name + "`"
		}
		fmt.Fprintf(out, "| %s | %d | %s |\n", strings.Join(names, ", "), n, left.Why)
	}
}

func isAboutControllers(name string) bool {
	return slices.ContainsFunc(Packages, func(p Package) bool { return p.Name == name && p.Controllers })
}

func nothingForZero(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

func upperFirst(text string) string { return strings.ToUpper(text[:1]) + text[1:] }
