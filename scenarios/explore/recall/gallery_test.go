package recall_test

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// galleryPage is what TestGallery holds.
const galleryPage = "../../../docs/reference/gallery-why.md"

// TestGallery asks why about each failure of each scenario of the gallery, and writes docs/reference/gallery-why.md. It compares facts:
// which objects a failure is about, and what the answers about them have. Without -rewrite, it plays the scenarios that have a row on the
// page, and a tenth of the others.
func TestGallery(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	old, err := os.ReadFile(galleryPage)
	if err != nil && !golden.IsRewriting() {
		t.Fatal(err)
	}
	table := galleryTable{counts: map[bool]map[told]int{false: {}, true: {}}}
	for n, file := range files {
		if !strings.HasPrefix(file, "bugs/") {
			continue
		}
		kept := rowsOf(string(old), galleryName(file))
		if !golden.IsRewriting() && len(kept) == 0 && n%10 != 0 {
			continue
		}
		made := table.add(t, file)
		if !golden.IsRewriting() && !slices.Equal(made, kept) {
			t.Errorf("%s has these rows for %s:\n%s\nand should have (%s writes them):\n%s",
				galleryPage, file, strings.Join(kept, "\n"), golden.Command(), strings.Join(made, "\n"))
		}
	}
	if golden.IsRewriting() {
		golden.Page(t, galleryPage, "the scenarios in scenarios/bugs", table.String())
	}
}

func galleryName(file string) string { return strings.TrimSuffix(path.Base(file), ".yaml") }

// rowsOf are the rows of a scenario on the page.
func rowsOf(page, name string) (rows []string) {
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "| ["+name+"]") {
			rows = append(rows, strings.TrimSuffix(line, "\n"))
		}
	}
	return rows
}

// told is how much why says about a failure.
type told int

const (
	toldNothing told = iota
	toldWorking
	toldCondition
	toldFault
)

// String is the word on the page.
func (t told) String() string {
	return [...]string{"nothing", "in progress", "the condition", "the fault"}[t]
}

// toldBy is how much an answer says, with its words for that.
func toldBy(a *why.Answer) (told, string) {
	text := cmp.Or(a.Lacks, a.Note)
	switch {
	case a.Fault != nil:
		return toldFault, a.Fault.String()
	case a.Look != nil && a.Look.Fault != nil && a.Verdict != why.Content:
		return toldFault, a.Look.Fault.String()
	case a.Verdict == why.Working:
		return toldWorking, text
	case a.Overwritten != nil:
		return toldCondition, a.Overwritten.Field + " is overwritten"
	case text == "" && a.Hot != nil:
		return toldCondition, a.Hot.String()
	case a.Verdict != why.Content || text != "":
		return toldCondition, text
	}
	return toldNothing, ""
}

// best is the answer about one of the objects of a failure that says most.
func (g *galleryRun) best(f failure) (of trace.Object, most told, text string) {
	at := g.rec.At(f.seq)
	if f.seq == g.rec.Len() {
		at = max(at, g.rec.End)
	}
	i := g.history.At(f.seq, at)
	for _, o := range f.about {
		for _, a := range i.Ask(o) {
			how, said := toldBy(a)
			if p := i.Process(a.Process); a.Verdict == why.Held && (p.State == why.Dead || p.State == why.Paused) {
				how, said = toldFault, a.Holds[0]
			}
			if of.Name == "" || how > most {
				of, most, text = o, how, said
			}
		}
	}
	return of, most, text
}

// galleryTable are the rows of the page.
type galleryTable struct {
	rows, controls []string
	// counts are how many failures of scenarios with and without faults are explained, by how much why says.
	counts map[bool]map[told]int
	runs   int
}

// add plays a scenario and adds its rows.
func (g *galleryTable) add(t *testing.T, file string) (rows []string) {
	t.Helper()
	run := playGallery(t, file)
	g.runs++
	name := galleryName(file)
	for _, f := range run.failures() {
		of, how, text := run.best(f)
		g.counts[run.faulty][how]++
		rows = append(rows, fmt.Sprintf("| [%s](gallery.md) | %s | %s | %s | %s | %s |", name, f.verdict, trace.Seconds(run.rec.At(f.seq)),
			cmp.Or(trace.ObjectName(of), "-"), how, cmp.Or(strings.ReplaceAll(text, "|", `\|`), "-")))
	}
	g.rows = append(g.rows, rows...)
	if status := run.scenario.Metadata.Annotations[annotation.Status]; status == "control" || status == "fixed" {
		g.control(t, name, &run)
	}
	return rows
}

// control adds what why says at the end of a run of which nothing should be wrong. What a control lacks waits for something, such as a node
// that the scenario lets fail; no fault is the reason.
func (g *galleryTable) control(t *testing.T, name string, run *galleryRun) {
	t.Helper()
	var said []string
	for _, a := range run.end().Unmet("") {
		if a.Fault != nil {
			t.Errorf("%s is a control, and why names a fault: %s", name, a.Fault)
		}
		said = append(said, fmt.Sprintf("%s: %s", trace.ObjectName(a.Object), a.Verdict))
	}
	if len(said) > 0 {
		g.controls = append(g.controls, "| "+name+" | "+strings.Join(slices.Compact(said), "<br>")+" |")
	}
}

// end is the end of the run.
func (g *galleryRun) end() *why.Instant {
	seq := g.rec.Len()
	return g.history.At(seq, max(g.rec.At(seq), g.rec.End))
}

const galleryHead = `# What why says about the gallery

Each scenario of the [gallery](gallery.md) runs once, and is compared with its run without the faults, as ` + "`kubestep run --compare`" + ` does. For
each failure, ` + "`kubestep why`" + ` is asked about the objects that the failure is about, at its time: for an invariant, after the record that
violates it; for LATE, halfway from where the other run had settled and a fault had applied to where this one settled; for DIVERGED, at
the end. *says* is the most that one of the answers has: **the fault**, a record of a fault that applied to what a controller did
or saw, or that its process is dead or paused; **the condition**, what the object lacks, or a note; **in
progress**, if its controller looks again by itself; or **nothing**. %d scenarios ran.

| failures of scenarios | the fault | the condition | in progress | nothing |
|---|---|---|---|---|
`

// String is the page.
func (g *galleryTable) String() string {
	text := fmt.Sprintf(galleryHead, g.runs)
	for _, row := range []struct {
		name   string
		faulty bool
	}{{"with faults", true}, {"without faults", false}} {
		counts := g.counts[row.faulty]
		text += fmt.Sprintf("| %s | %d | %d | %d | %d |\n", row.name, counts[toldFault], counts[toldCondition], counts[toldWorking], counts[toldNothing])
	}
	text += "\n## Failures\n\n| scenario | verdict | at | object | says | in words |\n|---|---|---|---|---|---|\n"
	text += strings.Join(g.rows, "\n") + "\n"
	text += "\n## Controls\n\nAt the end of a control, these objects are not in their desired state, or have a note. No fault is the reason. Controls without a " +
		"row have none.\n\n| control | objects |\n|---|---|\n"
	return text + strings.Join(g.controls, "\n") + "\n"
}
