package mine_test

import (
	"bufio"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/verdict/internal/relation"
	"github.com/kubestep/kubestep/scenarios/verdict/internal/relation/mine"
)

var shipped = flag.Bool("mine", false, "run all shipped scenarios, and compare the candidates with the decisions")

// limits make about as many candidates as a person can read.
var limits = mine.Limits{Times: 30, Worlds: 10}

// TestCandidatesAreDecided runs the shipped scenarios and looks for candidates. Each one needs a decision, and each decision a candidate.
func TestCandidatesAreDecided(t *testing.T) {
	if !*shipped {
		t.Skip("without -mine")
	}
	var worlds []mine.World
	for _, scenario := range scenarios(t) {
		if world := worldOf(t, scenario); world != nil {
			worlds = append(worlds, world)
		}
	}
	decisions, used := read(t), map[string]bool{}
	for _, candidate := range mine.Candidates(worlds, limits) {
		decided := false
		for _, d := range decisions {
			if d.form.MatchString(candidate.Text) {
				decided, used[d.pattern] = true, true
				break
			}
		}
		if !decided {
			t.Errorf("no decision: %s (%d times in %d of %d worlds)", candidate.Text, candidate.Times, candidate.Worlds, len(worlds))
		}
	}
	for _, d := range decisions {
		if !used[d.pattern] {
			t.Errorf("no candidate has this form, or an earlier line decides it: %s", d.pattern)
		}
	}
}

// scenarios are those that come with kubestep, and the healthy clusters with unusual objects.
func scenarios(t *testing.T) []*format.Scenario {
	t.Helper()
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	var all []*format.Scenario
	for _, file := range files {
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, scenario)
	}
	healthy, err := filepath.Glob("../../../healthy/testdata/*.yaml")
	if err != nil || len(healthy) == 0 {
		t.Fatalf("no healthy clusters (%v)", err)
	}
	for _, file := range healthy {
		scenario, err := format.Load(file, verb.All)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, scenario)
	}
	return all
}

// worldOf is the end of the run of a scenario, or nil if it does not end at rest.
func worldOf(t *testing.T, scenario *format.Scenario) mine.World {
	t.Helper()
	outcome, err := runner.Run(scenario, runner.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !outcome.Rests || outcome.State == nil {
		return nil
	}
	world := mine.World{}
	for _, resource := range outcome.State.Resources() {
		for _, object := range outcome.State.List(resource, "") {
			fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
			if err != nil {
				t.Fatal(err)
			}
			world[resource.String()] = append(world[resource.String()], &unstructured.Unstructured{Object: fields})
		}
	}
	return world
}

// decision is a line of testdata/decisions.txt: the form of a candidate, in which * stands for anything, and what became of it: "is NAME"
// of a relation, "goal WORDS", or "refused: REASON".
type decision struct {
	pattern, verdict string
	form             *regexp.Regexp
}

func read(t *testing.T) []decision {
	t.Helper()
	file, err := os.Open("testdata/decisions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []decision
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, verdict, found := strings.Cut(line, " : ")
		if !found {
			t.Fatalf("%q is not FORM : DECISION", line)
		}
		form := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSpace(pattern)), `\*`, ".*")
		all = append(all, decision{strings.TrimSpace(pattern), strings.TrimSpace(verdict), regexp.MustCompile("^" + form + "$")})
	}
	return all
}

// TestDecisions holds the form of the decisions: each names a relation that exists, or a reason.
func TestDecisions(t *testing.T) {
	relations := map[string]bool{}
	for _, r := range relation.All() {
		relations[r.Name] = true
	}
	for _, d := range read(t) {
		kind, rest, _ := strings.Cut(d.verdict, " ")
		switch {
		case kind == "is" && relations[rest], (kind == "refused:" || kind == "goal:") && rest != "":
		default:
			t.Errorf("%s: %q is neither the name of a relation nor a reason", d.pattern, d.verdict)
		}
	}
}
