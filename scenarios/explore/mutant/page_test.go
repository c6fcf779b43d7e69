package mutant_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/mutant"
)

// row is a row of the page.
type row struct {
	mutant mutant.Mutant
	// by is what noticed the mutant, and in the scenario; both are empty if no oracle did. text is what it says.
	by, in, text string
	// step is what else noticed it: a step of a scenario that waits, or a run that came to no end.
	step string
	// of counts the scenarios that ran.
	of int
}

// String says what noticed it.
func (n *noticed) String() string {
	switch n.Kind {
	case goal:
		return "goal"
	case hot:
		return "no-hot-loop"
	case diverged:
		return "DIVERGED"
	case step, failure:
		return n.Kind
	}
	return n.Kind + " `" + n.Name + "`"
}

// String is the row in Markdown.
func (r *row) String() string {
	by, in := r.by, r.in
	switch {
	case by == "" && r.step != "":
		by, in = "survives; "+r.step, "-"
	case by == "":
		by, in = "survives", "-"
	}
	return fmt.Sprintf("| %s | %s | %s | %s | %s |", r.mutant.Name, r.mutant.Controller, r.mutant.Does, by, in)
}

// header is the page before its table.
const header = `# How many defects of controllers are noticed

<!-- Made by "make golden PKG=./scenarios/explore/mutant ARGS=-mutants"; do not edit. -->

A *mutant* is a small edit of a controller of Kubernetes: a write that is left out, a condition that is swapped, a limit that is off by one.
The %d mutants run in scenarios of their controllers that have no checks and no steps with ` + "`expect`" + `: only what holds in every run
can notice them. That is an [invariant](invariants.md), a [goal](liveness.md) of an object or a relation between objects, which the
invariant not-stuck checks, the invariant no-hot-loop, or the end of a run that has DIVERGED from the run without its faults. %d of %d are
noticed. The scenarios are those of the controller in the libraries, the controls of the [gallery](gallery.md), and the healthy clusters in
scenarios/verdict/healthy. A scenario in which something is noticed without a mutant is left out. %s

A mutant that survives may make a step time out that waits for something. That ends the run, depends on the scenario, and does not count.
`

const tableHead = `
| mutant | controller | defect | noticed by | in scenario |
|---|---|---|---|---|
`

// leftOut is a sentence about the scenarios that are left out.
func leftOut(names []string) string {
	if len(names) == 0 {
		return "Here, that is none of them."
	}
	return "Here, these are: " + strings.Join(names, ", ") + "."
}

// write is the page.
func write(rows []row, b *bench) string {
	noticed := 0
	var table, survivors strings.Builder
	for _, r := range rows {
		table.WriteString(r.String() + "\n")
		if r.by != "" {
			noticed++
			continue
		}
		fmt.Fprintf(&survivors, "- %s: %s (%d scenarios)\n", r.mutant.Name, r.mutant.Why, r.of)
	}
	text := fmt.Sprintf(header, len(rows), noticed, len(rows), leftOut(b.without)) + tableHead + table.String()
	text += fmt.Sprintf("\nThe %d runs take %.0f seconds of CPU.\n", b.runs, b.spent.Seconds())
	if survivors.Len() > 0 {
		text += "\n## Mutants that survive\n\n" + survivors.String()
	}
	return text
}

// TestPage holds that the page has a row for each mutant, and a reason for each that survives: only -mutants measures them.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var rows, survivors, want, reasons []string
	for line := range strings.Lines(string(text)) {
		switch cells := strings.Split(line, " | "); {
		case strings.HasPrefix(line, "- "):
			name, why, _ := strings.Cut(strings.TrimPrefix(line, "- "), ": ")
			survivors = append(survivors, name+": "+why[:strings.LastIndex(why, " (")])
		case len(cells) == 5 && cells[0] != "| mutant":
			rows = append(rows, strings.Join(append([]string{strings.TrimPrefix(cells[0], "| ")}, cells[1:3]...), "; "))
		}
	}
	for _, m := range mutant.All() {
		want = append(want, strings.Join([]string{m.Name, m.Controller, m.Does}, "; "))
		if m.Why != "" {
			reasons = append(reasons, m.Name+": "+m.Why)
		}
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the page has %q\nwant %q", rows, want)
	}
	if !slices.Equal(survivors, reasons) {
		t.Errorf("the page has the reasons %q\nwant %q", survivors, reasons)
	}
}
