package orders_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders"
	"github.com/kubestep/kubestep/scenarios/explore/sweep/orders/statespace"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/observe/digest"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/tui/command"
)

var slow = flag.Bool("slow", false, "TestSmallScenarios enumerates the slow scenarios, too, for some minutes")

// page is the table of the small scenarios.
const page = "../../../../docs/reference/exhaustive.md"

// TestMain lets the test binary be kubestep.
func TestMain(m *testing.M) {
	if os.Getenv("ORDERS_TEST") == "" {
		os.Exit(m.Run())
	}
	os.Exit(command.Main(os.Args[1:], command.Options{}))
}

// worker is a process with some processors.
func worker(processors string) func() *child.Worker {
	return func() *child.Worker { return &child.Worker{Env: []string{"ORDERS_TEST=1", "GOMAXPROCS=" + processors}} }
}

// find makes a search with one worker.
func find(t *testing.T, search orders.Search) *orders.Summary {
	t.Helper()
	store, err := sweep.Open("", sweep.Header{Name: search.File, File: search.File, Hash: hashOf(t, search.File)})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	search.Store, search.Workers, search.Seed = store, max(search.Workers, 1), 1
	if search.Worker == nil {
		search.Worker = worker("1")
	}
	found, err := search.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return &orders.Summary{Found: found, Results: store.Results(), Seed: search.Seed}
}

func hashOf(t *testing.T, file string) string {
	t.Helper()
	scenario, err := runner.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	return child.HashOf(scenario)
}

// header is the page before its table.
const header = `# Orders of small scenarios

<!-- Made by "make golden PKG=./scenarios/explore/sweep/orders ARGS=-slow"; do not edit. -->

` + "`kubestep explore NAME --exhaustive --bound N`" + ` makes every run of these scenarios in which at most N choices about the order of
events are not the default ([exploration.md](../explanation/exploration.md#all-orders-where-it-is-small)). A state is one in which several
events may come next, and a choice leads from it to the next state. "All" means that there are no more runs, whatever the bound.

| scenario | bound | runs | states | choices | longest path | beyond the bound | failing runs |
|---|---|---|---|---|---|---|---|
`

// TestSmallScenarios enumerates the orders of the small scenarios.
func TestSmallScenarios(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("the counts are those of the exact build")
	}
	text := header
	for _, small := range library.AllSmall {
		if small.Slow && !*slow {
			text += rowOf(t, small.Name)
			continue
		}
		s := find(t, orders.Search{File: small.Name, Bound: small.Bound})
		if !s.Complete() || s.Failed() {
			t.Errorf("%s: %s", small.Name, s.Statement())
		}
		beyond := "all"
		if s.Beyond > 0 {
			beyond = fmt.Sprint(s.Beyond)
		}
		text += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %s | %d |\n",
			small.Name, small.Bound, s.Runs, len(s.States), s.Choices, s.Longest, beyond, s.Results.Failing)
		t.Logf("%s: %s, cpu %.1fs", small.Name, s.Statement(), s.Spent.Seconds())
	}
	golden.Compare(t, page, text)
}

// rowOf is the row of a scenario on the page.
func rowOf(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "| "+name+" |") {
			return line
		}
	}
	t.Fatalf("%s has no row for %s: run with -slow", page, name)
	return ""
}

// TestOneOrderFails enumerates a scenario that fails in one order of two requests, and repeats the run.
func TestOneOrderFails(t *testing.T) {
	s := find(t, orders.Search{File: "testdata/first-a.yaml", Bound: 2})
	var text, dot bytes.Buffer
	s.Text(&text)
	if err := s.DOT(&dot, "first-a"); err != nil {
		t.Fatal(err)
	}
	steady, _, _ := strings.Cut(text.String(), "  cpu ")
	golden.Compare(t, "testdata/first-a.txt", steady+"\n"+s.Statement()+"\n")
	golden.Compare(t, "testdata/first-a.dot", dot.String())
	golden.Compare(t, "testdata/first-a.svg", statespace.SVG(s))
	golden.Compare(t, "testdata/first-a.html", statespace.Page(s))
	if len(s.Lists) == 0 {
		t.Fatal("no run fails")
	}
	for number, list := range s.Lists {
		once, twice := again(t, "testdata/first-a.yaml", list, "1"), again(t, "testdata/first-a.yaml", list, "2")
		if once.Result != runner.Fail || once.Hash != twice.Hash || once.Hash == "" {
			t.Errorf("run %d, choices %v: %s %s with one processor, %s %s with two", number, list, once.Result, once.Hash, twice.Result, twice.Hash)
		}
	}
}

// TestSyncsBeginInAnyOrder: in one order of deployment-two-users, two changes are in the cache before the sync of the first one begins.
func TestSyncsBeginInAnyOrder(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("the counts are those of the exact build")
	}
	s := find(t, orders.Search{File: "deployment-two-users", Bound: 2})
	var text bytes.Buffer
	s.Text(&text)
	steady, _, _ := strings.Cut(text.String(), "  cpu ")
	golden.Compare(t, "testdata/two-users.txt", steady+"\n"+s.Statement()+"\n")
}

// TestOrdersMustNotMatter: two users set the replicas of a ReplicaSet, and the last one prevails.
func TestOrdersMustNotMatter(t *testing.T) {
	s := find(t, orders.Search{File: "testdata/last-word.yaml", Bound: 1})
	var text bytes.Buffer
	s.Text(&text)
	steady, _, _ := strings.Cut(text.String(), "  cpu ")
	golden.Compare(t, "testdata/last-word.txt", steady+"\n")
}

// again makes the run of some choices in a new process.
func again(t *testing.T, file string, list []int, processors string) *child.Report {
	t.Helper()
	w := worker(processors)()
	defer w.Close()
	report, err := w.Do(t.Context(), child.Job{File: file, Seed: 1, Orders: &child.Orders{Choices: list}})
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestEqualStatesContinueAlike: in one of two runs of deployment-two-replicas, the write of a status is refused with a conflict, so that the
// Deployment is added again 5 milliseconds later; in the other one it is not. In both, an addition for the deadline is pending.
func TestEqualStatesContinueAlike(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("the choices are those of the exact build")
	}
	const same = 131
	next := map[digest.Digest]digest.Digest{}
	usual := again(t, "deployment-two-replicas", nil, "1").Orders
	for i, choice := range usual[:len(usual)-1] {
		next[choice.State] = usual[i+1].State
	}
	conflict := again(t, "deployment-two-replicas", append(make([]int, same), 1), "1").Orders
	if len(conflict) <= len(usual) {
		t.Errorf("%d choices, and %d without the conflict: the Deployment has not been added once more", len(conflict), len(usual))
	}
	for i, choice := range conflict[:len(conflict)-1] {
		if want, known := next[choice.State]; known && choice.Chosen == 0 && conflict[i+1].State != want {
			t.Fatalf("choice %d, at %s: the state is one of the other run, and the next one is not", i+1, choice.At)
		}
	}
}

// TestJoiningLosesNothing makes each run to its end: the states and choices are the same, and equal states continue in the same way.
func TestJoiningLosesNothing(t *testing.T) {
	if !exact.Enabled() {
		t.Skip("the counts are those of the exact build")
	}
	alike := 0
	for _, file := range []string{"node-ipam", "volume-attributes-class", "testdata/first-a.yaml"} {
		joined := find(t, orders.Search{File: file, Bound: 1, Workers: 2})
		// What several workers know of each other depends on which is faster, and what they find does not.
		whole := find(t, orders.Search{File: file, Bound: 1, Whole: true, Worker: worker("2")})
		alike += whole.Alike
		if joined.Runs != whole.Runs || len(joined.States) != len(whole.States) || joined.Choices != whole.Choices || len(whole.Unlike) > 0 {
			t.Errorf("%s: %d runs, %s\nto their ends %d runs, %s", file, joined.Runs, joined.Statement(), whole.Runs, whole.Statement())
		}
		for i, s := range joined.States {
			if i < len(whole.States) && s.Digest != whole.States[i].Digest {
				t.Errorf("%s: state %d differs", file, i)
			}
		}
	}
	if alike == 0 {
		t.Error("no run continued from an equal state")
	}
}

// TestProgressCountsWhatIsLeft: what the bound leaves out is not left, neither while the search is under way nor when its budget is spent.
func TestProgressCountsWhatIsLeft(t *testing.T) {
	var told []orders.Progress
	search := orders.Search{File: "testdata/first-a.yaml", Bound: 1, Done: func(p orders.Progress) { told = append(told, p) }}
	s := find(t, search)
	if s.Beyond == 0 || len(told) != s.Runs {
		t.Fatalf("%d of %d runs told, %s", len(told), s.Runs, s.Statement())
	}
	for _, p := range told {
		if exact := p.Runs > 1; p.Runs+p.Left != s.Runs || p.More == exact {
			t.Errorf("%+v, and there are %d runs", p, s.Runs)
		}
	}
	search.Done, search.Budget = nil, time.Nanosecond
	if s := find(t, search); s.Runs != 1 || s.Left != told[0].Left || s.Beyond != 0 {
		t.Errorf("%d runs, %d left, %d beyond the bound", s.Runs, s.Left, s.Beyond)
	}
}

// TestUnlikeRunsFail: an enumeration is not worth what it says if runs continue in different ways from equal states.
func TestUnlikeRunsFail(t *testing.T) {
	s := find(t, orders.Search{File: "testdata/last-word.yaml", Bound: 0})
	if s.Failed() || !s.Complete() {
		t.Fatal(s.Statement())
	}
	s.Unlike = append(s.Unlike, orders.Unlike{List: []int{0, 1}, Earlier: []int{1}, Choice: 3})
	var text bytes.Buffer
	s.Text(&text)
	const want = "before choice 3, --choices 0,1 is in the same state as --choices 1, and continues in another way\n"
	if !s.Failed() || s.Complete() || !strings.Contains(text.String(), want) {
		t.Errorf("failed %t, complete %t\n%s", s.Failed(), s.Complete(), text.String())
	}
}
