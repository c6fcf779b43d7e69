package recall_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/recall"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/command"
)

var (
	measure = flag.Bool("recall", false, "TestRecall sweeps over all bugs, for a quarter of an hour, and writes docs/reference/recall.md")
	only    = flag.String("recall-only", "", "with -recall: measure this bug, and keep the other rows of the page")
	seeds   = flag.Int("recall-seeds", 0, "with -recall: draw from fault spaces with so many seeds what --every does not find")
)

// page is what -recall writes.
const page = "../../../docs/reference/recall.md"

// TestMain lets the test binary be kubestep.
func TestMain(m *testing.M) {
	if os.Getenv("RECALL_TEST") == "" {
		os.Exit(m.Run())
	}
	os.Exit(command.Main(os.Args[1:], command.Options{}))
}

// always are bugs whose sweeps take seconds.
var always = []string{"back-off-keeps-a-dead-endpoint", "five-errors-lose-an-eviction", "restart-on-a-stale-list"}

// TestRecall sweeps over the plain forms of bugs.
func TestRecall(t *testing.T) {
	var rows []string
	found := 0
	for _, bug := range recall.Bugs() {
		if !*measure && !slices.Contains(always, bug.Scenario) {
			continue
		}
		if *only != "" && *only != bug.Scenario {
			kept := rowOf(t, bug.Scenario)
			rows = append(rows, kept)
			if !strings.Contains(kept, notFound) {
				found++
			}
			continue
		}
		file := plain(t, bug.Scenario)
		row := sweep(t, &bug, file)
		if row.found {
			found++
		} else if !*measure {
			t.Errorf("%s is not found", bug.Scenario)
		}
		rows = append(rows, row.String())
		t.Log(row.String())
	}
	if !*measure {
		return
	}
	text := fmt.Sprintf(header, len(rows), found)
	if *seeds > 0 {
		text += fmt.Sprintf("\nWhat it does not find, %d seeds with `--faults %s` were to find.\n", *seeds, spacesTried)
	}
	text += tableHead + strings.Join(rows, "\n") + "\n" + added
	golden.Compare(t, page, text)
}

// spacesTried are the fault spaces for what --every does not find.
const spacesTried = "flaky-api,stale-caches,crash-anywhere"

// notFound is what a row says if nothing finds the bug.
const notFound = "not found"

// rowOf is the row of a bug on the page.
func rowOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| ["+name+"]") {
			return strings.TrimSuffix(line, "\n")
		}
	}
	t.Fatalf("%s has no row for %s", page, name)
	return ""
}

// header is the page before its table.
const header = `# How many bugs a sweep finds

<!-- Made by "make golden PKG=./scenarios/explore/recall ARGS='-recall -timeout 2h'"; do not edit. -->

The [gallery](gallery.md) has %d bugs that show only under a fault, which the scenario names. The *plain form* of a scenario has no fault,
no restart and no check: only what users and nodes do, at the same times. ` + "`kubestep explore FILE --every --budget 120s`" + ` over the plain
forms finds %d of them (see [exploration.md](../explanation/exploration.md)). A bug counts as found if a run fails because of a fault that can
cause it, with the verdict that the bug has, about the object that it hurts. The column *why* is what ` + "`kubestep why FILE --place N`" + ` says
of the end of that run, which it sees alone, without the run that it is compared with. The CPU seconds are those of the whole sweep; a sweep that
spends its budget has not made all its runs.
`

const tableHead = `
| bug | needs | found by | verdict | why | places | CPU |
|---|---|---|---|---|---|---|
`

// added says what came after the first measurement, which did not find what needs it.
const added = `
Two kinds of faults, ` + "`silent-watch` and `deposed-leader`" + `, the invariant ` + "`updated-as-read`" + `, and the order of the places, in which each
class of writes and events has one place before any has two, were added when this table showed that they were missing: it found 11 before.
`

// row is a row of the page.
type row struct {
	bug         *recall.Bug
	found       bool
	by, verdict string
	places      string
	// why is what kubestep why says.
	why string
	cpu float64
}

// String is the row in Markdown.
func (r *row) String() string {
	if !r.found {
		r.by, r.verdict, r.why = notFound, "-", "-"
	}
	name := fmt.Sprintf("[%s](gallery.md)", r.bug.Scenario)
	return fmt.Sprintf("| %s | %s | %s | %s | %s | %s | %.0f s |", name, r.bug.Needs, r.by, r.verdict, r.why, r.places, r.cpu)
}

// plain writes the plain form of a scenario to a file.
func plain(t *testing.T, name string) string {
	t.Helper()
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	text, err := recall.Plain(scenario)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), name+".yaml")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// summary is the part of explore's JSON that the test reads.
type summary struct {
	Places     int     `json:"places"`
	Runs       int     `json:"runs"`
	CPUSeconds float64 `json:"cpuSeconds"`
	Groups     []struct {
		Verdict, Check, Message string
		Places                  []int
	}
}

// sweep makes the sweeps of a bug.
func sweep(t *testing.T, bug *recall.Bug, file string) row {
	every := explore(t, file, "--every", "--budget", "120s")
	r := row{bug: bug, places: fmt.Sprintf("%d of %d", every.Runs, every.Places), cpu: every.CPUSeconds}
	kinds := kindsOf(t, file)
	for _, g := range every.Groups {
		for _, number := range g.Places {
			kind := kinds[number-1]
			if bug.Shows(recall.Failure{Check: g.Check, Message: g.Message, Kind: kind}) {
				r.found, r.by, r.verdict = true, "`"+kind+"`", said(g.Verdict, g.Check)
				r.why = whyOf(t, file, g.Verdict, kind, number)
				return r
			}
		}
	}
	if !*measure || *seeds == 0 {
		return r
	}
	spaces := explore(t, file, "--faults", spacesTried, "--seeds", strconv.Itoa(*seeds))
	for _, g := range spaces.Groups {
		if bug.Shows(recall.Failure{Check: g.Check, Message: g.Message}) {
			r.found, r.by, r.verdict = true, "fault spaces", said(g.Verdict, g.Check)
			return r
		}
	}
	return r
}

// whyOf is what kubestep why says about the run of a place, of which it knows neither the verdict nor that it has one: that an object is
// stuck, and which fault is the reason; or only that something is not as wanted. What failed on the way, and is over, is no question for it.
func whyOf(t *testing.T, file, verdict, kind string, number int) string {
	t.Helper()
	if verdict != runner.Stuck && verdict != runner.Diverged {
		return "-"
	}
	var answers why.Answers
	kubestep(t, &answers, "why", file, "--place", strconv.Itoa(number), "-o", "json")
	text := "nothing"
	for _, a := range answers.Answers {
		switch {
		case a.Verdict == why.Stuck && a.Fault != nil && strings.HasPrefix(a.Fault.Rule, kind):
			return "stuck, by this fault"
		case a.Verdict == why.Stuck:
			text = "stuck"
		case a.Verdict != why.Content && text == "nothing":
			text = string(a.Verdict)
		}
	}
	return text
}

// kindsOf are the kinds of the places of a scenario, in their order.
func kindsOf(t *testing.T, file string) (kinds []string) {
	t.Helper()
	job := child.Job{File: file, EndEarly: true}
	scenario, plan, err := child.Read(job, nil)
	if err != nil {
		t.Fatal(err)
	}
	job.Seed = scenario.Spec.Seed
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: (*runner.Plan).Run}
	report, err := maker.Places(job)
	if err != nil || !report.Ended() {
		t.Fatalf("%s: %v, %v", file, report, err)
	}
	for _, p := range report.Places {
		kinds = append(kinds, p.Kind)
	}
	return kinds
}

// said is the verdict in the words of explore.
func said(verdict, check string) string {
	if verdict == "fail" {
		return "FAILED " + check
	}
	return strings.ToUpper(verdict)
}

// explore runs kubestep explore; that runs fail is no error.
func explore(t *testing.T, file string, args ...string) summary {
	t.Helper()
	var s summary
	kubestep(t, &s, append([]string{"explore", file, "-o", "json"}, args...)...)
	return s
}

// kubestep runs a command that writes JSON, whatever its exit code is.
func kubestep(t *testing.T, to any, args ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Env = append(os.Environ(), "RECALL_TEST=kubestep")
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, _ := cmd.Output()
	if err := json.Unmarshal(out, to); err != nil {
		t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
}

// TestPage holds that the page has a row for each bug: only -recall measures them.
func TestPage(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var rows, want []string
	for line := range strings.Lines(string(text)) {
		if name, rest, ok := strings.Cut(strings.TrimPrefix(line, "| ["), "](gallery.md) | "); ok && strings.HasPrefix(line, "| [") {
			needs, _, _ := strings.Cut(rest, " | ")
			rows = append(rows, name+": "+needs)
		}
	}
	for _, bug := range recall.Bugs() {
		want = append(want, bug.Scenario+": "+bug.Needs)
	}
	if !slices.Equal(rows, want) {
		t.Errorf("the page has %q\nwant %q", rows, want)
	}
}

// TestPlain shows a plain form, and holds that none has a fault, a restart or a check.
func TestPlain(t *testing.T) {
	for _, bug := range recall.Bugs() {
		text, err := os.ReadFile(plain(t, bug.Scenario))
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range []string{"fault", "checks:", "expect:", "invariants:", "restart:", "crash:"} {
			_, spec, _ := bytes.Cut(text, []byte("\nspec:"))
			if bytes.Contains(spec, []byte(word)) {
				t.Errorf("the plain form of %s has %q", bug.Scenario, word)
			}
		}
		if bug.Scenario == "stale-restart-deletes-a-healthy-pod" {
			golden.Compare(t, "testdata/stale-restart-deletes-a-healthy-pod.yaml", string(text))
		}
	}
}
