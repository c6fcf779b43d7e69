package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// TestMain counts a workload in a process of its own when TestCounts starts one.
func TestMain(m *testing.M) {
	counting()
	os.Exit(m.Run())
}

const (
	countsFile = "testdata/counts.txt"
	pageFile   = "../../docs/explanation/performance.md"
)

// TestCounts holds what cheap workloads do: events, syncs, requests and records exactly, and allocations within a hundredth. In three
// processes they differed by less than a thousandth, since maps of Go grow by hashes that each process draws. It also holds the counts of
// the page to them.
func TestCounts(t *testing.T) {
	if !exact.Enabled() || engine.DetectsRaces {
		t.Skip("counts are exact in the exact build only; the race detector allocates memory of its own")
	}
	var now []row
	for _, w := range workloads() {
		if !w.counted {
			continue
		}
		c, err := countsOf(w.name)
		if err != nil {
			t.Fatal(err)
		}
		now = append(now, row{w.name, c})
	}
	if golden.IsRewriting() {
		golden.Compare(t, countsFile, textOf(now))
		return
	}
	recorded := readCounts(t)
	for i := range now {
		if i < len(recorded) && isNear(recorded[i].Allocations, now[i].Allocations) {
			now[i].Allocations = recorded[i].Allocations
		}
	}
	if diff := cmp.Diff(strings.Split(textOf(recorded), "\n"), strings.Split(textOf(now), "\n")); diff != "" {
		t.Errorf("the counts have changed (-recorded +now). If that is meant, %s writes %s, and the commit says why:\n%s",
			golden.Command(), countsFile, diff)
	}
}

// row is a line of the golden file.
type row struct {
	name string
	*counts
}

// countsLine is the form of a line: four counts, and the name.
const countsLine = "%9d %9d %9d %9d %12d  %s\n"

func textOf(rows []row) string {
	var out strings.Builder
	fmt.Fprintf(&out, "# What each workload of workloads.go does. Allocations are those of a process without garbage collection, within a hundredth.\n")
	fmt.Fprintf(&out, "#  events     syncs  requests   records  allocations  workload\n")
	for _, r := range rows {
		fmt.Fprintf(&out, countsLine, r.Events, r.Syncs, r.Requests, r.Records, r.Allocations, r.name)
	}
	return out.String()
}

func readCounts(t *testing.T) (rows []row) {
	t.Helper()
	data, err := os.ReadFile(countsFile)
	if err != nil {
		t.Fatalf("%v (%s writes it)", err, golden.Command())
	}
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := &counts{}
		if _, err := fmt.Sscan(line, &c.Events, &c.Syncs, &c.Requests, &c.Records, &c.Allocations); err != nil {
			t.Fatalf("%s: %q: %v", countsFile, line, err)
		}
		const numbers = 5
		rows = append(rows, row{strings.Join(strings.Fields(line)[numbers:], " "), c})
	}
	return rows
}

// TestThePage holds the counts in the page to the recorded ones, and lets its words have no figure of their own: the program that
// writes the tables would not know it.
func TestThePage(t *testing.T) {
	data, err := os.ReadFile(pageFile)
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	cells := map[string][]string{}
	for line := range strings.Lines(between(page, runsPart)) {
		row := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range row {
			row[i] = strings.TrimSpace(row[i])
		}
		cells[row[0]] = row
	}
	for _, w := range workloads() {
		if cells[w.name] == nil {
			t.Errorf("the page has no row %q: make performance", w.name)
		}
	}
	for _, r := range readCounts(t) {
		want := fmt.Sprint(grouped(r.Events), " ", grouped(r.Syncs), " ", grouped(r.Requests))
		const first, last = 3, 6
		row := cells[r.name]
		if row == nil {
			continue
		}
		if got := strings.Join(row[first:last], " "); got != want {
			t.Errorf("the page says %s of %s, and now it is %s: make performance", got, r.name, want)
		}
		if allocations, err := ungrouped(row[last]); err != nil || !isNear(uint64(allocations), r.Allocations) {
			t.Errorf("the page says %s allocations of %s, and now it is %s: make performance", row[last], r.name, grouped(r.Allocations))
		}
	}
	holdsREADME(t, cells)
	rest, err := words(page)
	if err != nil {
		t.Fatal(err)
	}
	// Names in backquotes and the addresses of links are no figures.
	for i, part := range strings.Split(rest, "`") {
		if i%2 == 0 && strings.ContainsAny(part, "0123456789") {
			t.Errorf("a figure outside of what the program writes: %q", part)
		}
	}
}

// holdsREADME holds the figure of the README to the row of the page, rounded.
func holdsREADME(t *testing.T, cells map[string][]string) {
	t.Helper()
	const name, file = "10 replicas", "../../README.md"
	seconds, err := strconv.ParseFloat(strings.TrimSuffix(cells[name][1], " s"), 64)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	words := strings.Join(strings.Fields(string(text)), " ")
	want := fmt.Sprintf("Thirty minutes with a rolling update of ten Pods take %.1f s of processor time", seconds)
	if virtual := cells[name][2]; virtual != "30m" || !strings.Contains(words, want) {
		t.Errorf("the README does not say %q, which is that of %s of virtual time", want, virtual)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
		if back, err := ungrouped(want); err != nil || back != n {
			t.Errorf("%s is %d, %v", want, back, err)
		}
	}
}
