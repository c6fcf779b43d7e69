package playground_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/web/playground"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
)

// run makes a run natively.
func run(t *testing.T, job playground.Job) *playground.Result {
	t.Helper()
	result, err := job.Run(&engine.Progress{}, func(playground.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// TestRun runs a lesson, and takes its trace from the archive.
func TestRun(t *testing.T) {
	var last playground.Progress
	result, err := playground.Job{Name: "create", Version: "v1"}.Run(&engine.Progress{}, func(p playground.Progress) { last = p })
	if err != nil {
		t.Fatal(err)
	}
	lines, err := playground.Lines(result.Archive)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(lines)
	if hash := "sha256:" + hex.EncodeToString(sum[:]); hash != result.Hash || int64(bytes.Count(lines, []byte("\n"))) != last.Records {
		t.Errorf("%d lines of hash %s, want %d of %s", bytes.Count(lines, []byte("\n")), hash, last.Records, result.Hash)
	}
	var data struct{ Name, Hash, Version, Command string }
	if err := json.Unmarshal(result.Data, &data); err != nil {
		t.Fatal(err)
	}
	if data.Name != "create" || data.Hash != result.Hash || data.Version != "v1" || data.Command != "kubestep run create" {
		t.Errorf("the page is of %+v", data)
	}
	if result.Verdict != "pass" || !strings.HasPrefix(result.Summary, "pass  create") || !strings.Contains(result.Text, "name: create") {
		t.Errorf("%s: %s", result.Verdict, result.Summary)
	}
}

// TestStuckRun: a run that ends with an object that is not in its desired state is stuck, also for the page.
func TestStuckRun(t *testing.T) {
	result := run(t, playground.Job{Text: `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: paused}
spec:
  title: A paused Deployment keeps a failure
  horizon: 2m
  faults:
  - {request: {verb: create, resource: pods}, fail: InternalError, at: 5s, until: 20s}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: web, image: web:v1}]}
  - {at: 6s, set-image: {target: deployment/web, image: "web:v2"}}
  - {at: 8s, patch: {target: deployment/web, patch: {spec: {paused: true}}}}
`})
	var data struct {
		Verdict struct{ Word string }
	}
	if err := json.Unmarshal(result.Data, &data); err != nil {
		t.Fatal(err)
	}
	if result.Verdict != runner.Stuck || data.Verdict.Word != "STUCK" {
		t.Errorf("%s: %s, %q in the page", result.Summary, result.Verdict, data.Verdict.Word)
	}
}

// TestVary runs a scenario with other numbers, as text and by name, and compares the runs.
func TestVary(t *testing.T) {
	plain := run(t, playground.Job{Name: "create"})
	varied := run(t, playground.Job{Text: plain.Text, Vary: &playground.Numbers{Replicas: "2", Ready: "3s"}})
	if !strings.Contains(varied.Text, "replicas: 2") || !strings.Contains(varied.Text, "ready: 3s") {
		t.Errorf("the numbers are not in the scenario:\n%s", varied.Text)
	}
	same, err := playground.Compare(plain.Archive, plain.Archive)
	if err != nil || !same.Equal || same.Parts != [2]int64{} {
		t.Errorf("a run differs from itself: %+v, %v", same, err)
	}
	other, err := playground.Compare(plain.Archive, varied.Archive)
	if err != nil {
		t.Fatal(err)
	}
	if other.Equal || other.Parts[0] == 0 || !strings.Contains(other.Text, "The first record that differs") {
		t.Errorf("the runs do not differ: %+v", other)
	}
	for want, numbers := range map[string]playground.Numbers{
		`"many" is not a number`:    {MaxSurge: "many"},
		"no step creates deploym":   {Object: "deployment/db", Replicas: "3"},
		"invalid duration \"soon\"": {Ready: "soon"},
	} {
		_, err := playground.Job{Name: "create", Vary: &numbers}.Run(&engine.Progress{}, func(playground.Progress) {})
		var failure *playground.Failure
		if !errors.As(err, &failure) || !strings.Contains(failure.Message, want) || failure.Try == "" {
			t.Errorf("%+v: error %v, want %s", numbers, err, want)
		}
	}
}

// TestValidate finds what is wrong at its place, and warns of faults that apply to nothing.
func TestValidate(t *testing.T) {
	const head = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: mine}\nspec:\n  title: Mine\n  horizon: 10s\n"
	const hello = "  steps: [{note: Hello}]\n"
	const idle = "  kubernetes: {controllers: [deployment-controller]}\n  faults:\n    - watch: {resource: cronjobs}\n      hold: true\n"
	for _, test := range []struct {
		text, message, severity string
		line                    int
		ok                      bool
	}{
		{"kind: Scenari\n", "kind", playground.Mistake, 1, false},
		{head + "  steps:\n    - scale: {target: deplyment/web, replicas: 3}\n", "deplyment", playground.Mistake, 8, false},
		{strings.Repeat("#", 1<<20+1), "bytes", playground.Mistake, 0, false},
		{head + hello, "", "", 0, true},
		{head + hello + idle, "nobody watches cronjobs", playground.Warning, 10, true},
	} {
		problems, ok := playground.Validate(test.text)
		if ok != test.ok {
			t.Errorf("%.300q: %+v", test.text, problems)
			continue
		}
		if test.message == "" || len(problems) == 0 {
			if len(problems) > 0 || test.message != "" {
				t.Errorf("%.300q: %+v, want %s", test.text, problems, test.message)
			}
			continue
		}
		if p := problems[0]; !strings.Contains(p.Message, test.message) || p.Severity != test.severity || p.Line != test.line {
			t.Errorf("%.300q: %+v, want %s in line %d", test.text, p, test.message, test.line)
		}
	}
}

// TestFailureOf has words for every error.
func TestFailureOf(t *testing.T) {
	for _, err := range []error{errors.New("odd"), &engine.PanicError{}, &playground.Failure{Message: "odd", Try: "more"}} {
		if f := playground.FailureOf(err); f.Message == "" || f.Try == "" {
			t.Errorf("%T: %+v", err, f)
		}
	}
}

// TestTheLibraryIsComplete: each scenario can be read as it is in the page, and has a name of its own, which links to it have.
func TestTheLibraryIsComplete(t *testing.T) {
	library, err := playground.ReadLibrary()
	if err != nil {
		t.Fatal(err)
	}
	if len(library.Scenarios) < 100 || len(library.Course) == 0 {
		t.Errorf("%s, %s of the course", trace.Count(len(library.Scenarios), "scenario"), trace.Count(len(library.Course), "lesson"))
	}
	names := map[string]bool{}
	for _, s := range library.Scenarios {
		if _, twice := names[s.Name]; twice {
			t.Errorf("%s is the name of two scenarios, or of a task, too", s.Name)
		}
		names[s.Name] = s.Title != "" && s.Text != "" && s.Group != ""
		if !names[s.Name] {
			t.Errorf("%s lacks its title, group or text", s.Name)
		}
		if lesson := strings.HasPrefix(s.Group, "lessons"); lesson != (s.Unit != "") || lesson != (s.Number != "") {
			t.Errorf("%s of %s has the unit %q and the number %q", s.Name, s.Group, s.Unit, s.Number)
		}
	}
	if names["sidecars"] {
		t.Error("the library has a lesson with upstream's kubelet, which does not run in a browser")
	}
	for _, name := range library.Course {
		if !names[name] {
			t.Errorf("the course has %s, and the library does not", name)
		}
	}
}

// TestTouch points at a program and at a message of a run, takes one of the offers, and runs the branch.
func TestTouch(t *testing.T) {
	result, err := playground.Job{Name: "create"}.Run(&engine.Progress{}, func(playground.Progress) {})
	if err != nil {
		t.Fatal(err)
	}
	rec, err := recording.Read(bytes.NewReader(result.Archive), recording.Origin{})
	if err != nil {
		t.Fatal(err)
	}
	var write int64
	for r := range rec.All() {
		if write == 0 && r.Request != nil && r.Actor == "replicaset-controller" && r.Request.Verb == "create" {
			write = r.Seq
		}
	}
	for thing, want := range map[string]string{
		"player1": "controller crash kube-controller-manager", "machine0": "node fail node-1", "thing0": "scale deployment/web",
		"move0": fmt.Sprintf("fault lost-answer %d", write), "move9": "", "nothing": "",
	} {
		offers, err := playground.Pointing{Record: write, Thing: thing}.Offers(result.Text, result.Archive)
		if err != nil {
			t.Fatal(err)
		}
		found := want == "" && len(offers.Offers) == 0
		for _, o := range offers.Offers {
			found = found || want != "" && strings.HasPrefix(o.Command, want)
		}
		if !found {
			t.Errorf("for %s, nothing offers %q: %+v", thing, want, offers.Offers)
		}
	}
	lost := playground.Pointing{Record: write, Command: fmt.Sprintf("fault lost-answer %d", write)}
	branched, err := lost.Branch(result.Text, result.Archive)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(branched.Text, "afterCommit: true") || !strings.Contains(branched.Added, "lost-answer") || branched.At <= 0 {
		t.Errorf("the branch is %+v", branched)
	}
	if _, err := (playground.Pointing{Record: write, Command: "fault conflict 1"}).Branch(result.Text, result.Archive); err == nil {
		t.Error("a fault applies to what kubectl sends")
	}
}

// TestTheArchiveOfATask holds that the archive of a session names the scenario that ran, with the settings of a task that its steps do not
// name: a run of that scenario has the same trace.
func TestTheArchiveOfATask(t *testing.T) {
	result := run(t, playground.Job{Name: "roll-back", Version: "v1"})
	reader, err := archive.NewReader(bytes.NewReader(result.Archive))
	if err != nil {
		t.Fatal(err)
	}
	if again := run(t, playground.Job{Text: reader.Header.Scenario}); again.Hash != result.Hash || again.Report != nil {
		t.Errorf("the scenario of the archive has the hash %s, not %s", again.Hash, result.Hash)
	}
	if result.Report == nil || reader.Header.Scenario != result.Report.Session {
		t.Errorf("the archive is of\n%s", reader.Header.Scenario)
	}
}
