package why_test

import (
	"cmp"
	"encoding/json"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestKubeletsKeepTheirWord asks about each Pod of the scenarios of testdata/kubelet.txt at each record, with several seeds, and holds
// what is said to come next against the rest of the run: the next probe, start, pull and SIGKILL.
func TestKubeletsKeepTheirWord(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	held := map[string]int{}
	datadriven.RunTest(t, "testdata/kubelet.txt", func(t *testing.T, d *datadriven.TestData) string {
		for seed := range int64(3) {
			if d.Cmd == "play" {
				holdWord(t, d, seed, held)
			}
		}
		return d.Expected
	})
	t.Log(held)
	for _, action := range []string{"probe", "start", "pull", "running pull", "queued pull", trace.SignalKill, "fact start", "fact exit", "fact readiness"} {
		if held[action] < 10 {
			t.Errorf("%d announcements of a %s were held against a run", held[action], action)
		}
	}
}

// holdWord plays a scenario and counts the announcements that came true.
func holdWord(t *testing.T, d *datadriven.TestData, seed int64, held map[string]int) {
	t.Helper()
	scenario, err := format.Parse("script.yaml", []byte(d.Input), verb.All)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	builder := recording.NewBuilder()
	if _, err := runner.Run(scenario, runner.RunOptions{Seed: &seed, Sinks: []trace.Sink{builder.Sink}}); err != nil {
		d.Fatalf(t, "%v", err)
	}
	rec := builder.Done(recording.Origin{}, "")
	history := why.New(rec)
	for seq := rec.Find(0); seq <= rec.Len(); seq++ {
		holdFacts(t, d, history, seq, held)
		i := history.At(seq, rec.At(seq))
		for _, o := range rec.Replay.Objects("pods", seq) {
			for _, a := range i.Ask(o) {
				holdPulls(t, d, rec, seq, o, a, held)
				for _, due := range a.Due {
					switch came, excused := comes(rec, seq, o, due); {
					case came >= 0 && (came < due.At && !due.Latest || came > due.At && !due.Earliest):
						t.Errorf("%s: seed %d: at record %d, %s of %s: %s\nbut it comes at %s", d.Pos, seed, seq, due.Action, o.Name, a.Holds, came)
					case came >= 0:
						held[due.Action]++
					case !excused && due.At < rec.At(rec.Len()) && !due.Earliest:
						t.Errorf("%s: seed %d: at record %d, %s of %s: %s\nbut it never comes", d.Pos, seed, seq, due.Action, o.Name, a.Holds)
					}
				}
			}
		}
	}
}

// holdPulls holds the pulls that a Pod is said to wait for against the run: its own ends as one that began then, and one that waits for
// others begins when one of those ends.
func holdPulls(t *testing.T, d *datadriven.TestData, rec *recording.Recording, seq int64, o trace.Object, a *why.Answer, held map[string]int) {
	t.Helper()
	freed := time.Duration(-1)
	for _, pull := range a.Pulls {
		ended := endOf(rec, seq, pull)
		switch {
		case ended == nil:
			return // the run ends before
		case ended.At-ended.Container.Pull.Took != pull.Since:
			t.Errorf("%s: at record %d: %s\nbut it began at %s", d.Pos, seq, a.Holds, ended.At-ended.Container.Pull.Took)
		}
		if freed < 0 || ended.At < freed {
			freed = ended.At
		}
		if pull.Pod == o {
			held["running pull"]++
			return
		}
	}
	if len(a.Pulls) == 0 {
		return
	}
	for seq++; seq <= rec.Len(); seq++ {
		if c := rec.Record(seq).Container; c != nil && c.Object == o && c.Pull != nil && c.Pull.Begins {
			if at := rec.At(seq); at < freed {
				t.Errorf("%s: at record %d: %s\nbut its pull begins at %s", d.Pos, seq, a.Holds, at)
			}
			held["queued pull"]++
			return
		}
	}
}

// endOf is the record that ends a pull; nil if the run ends before.
func endOf(rec *recording.Recording, seq int64, pull why.Pull) *trace.Record {
	image := strings.TrimSuffix(pull.Image, ":latest")
	for seq++; seq <= rec.Len(); seq++ {
		c := rec.Record(seq).Container
		if c != nil && c.Object == pull.Pod && c.Pull != nil && !c.Pull.Begins && strings.TrimSuffix(c.Pull.Image, ":latest") == image {
			return rec.Record(seq)
		}
	}
	return nil
}

// holdFacts holds the records because of which a kubelet is said to write a status against the status.
func holdFacts(t *testing.T, d *datadriven.TestData, history *why.History, seq int64, held map[string]int) {
	t.Helper()
	rec := history.Recording()
	facts := history.FactsOf(seq)
	if len(facts) == 0 {
		return
	}
	request := rec.Record(seq).Request
	var p corev1.Pod
	text, err := json.Marshal(rec.Replay.ObjectVersion(request.Object, rec.Versions(request.Object)[rec.VersionAt(request.Object, seq)].RV))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	for _, fact := range facts {
		c := rec.Record(fact).Container
		holds, what := false, ""
		for _, s := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
			ended := cmp.Or(s.State.Terminated, s.LastTerminationState.Terminated)
			switch {
			case c.Pull != nil:
				what = "pull"
				holds = holds || s.State.Waiting != nil &&
					strings.TrimSuffix(c.Pull.Image, ":latest") == strings.TrimSuffix(s.Image, ":latest")
			case s.Name != c.Container:
			case c.Exit != nil:
				what, holds = "exit", ended != nil && ended.ExitCode == c.Exit.Code && ended.FinishedAt.Equal(seconds(rec.Epoch().Add(c.Exit.Ended)))
			case c.Started:
				what, holds = "start", s.State.Running != nil && int(s.RestartCount) == c.Attempt
			case c.Probe != nil && c.Probe.Type == trace.ProbeReadiness:
				what, holds = "readiness", s.Ready == c.Probe.Succeeded
			case c.Probe != nil:
				what, holds = "startup", s.Started != nil && *s.Started
			case c.BackOff != nil:
				what, holds = "back-off", s.State.Waiting != nil && strings.HasPrefix(s.State.Waiting.Message, "back-off "+c.BackOff.Length.String())
			}
		}
		if !holds {
			t.Errorf("%s: record %d is said to be because of record %d: %s", d.Pos, seq, fact, rec.Row(fact).Detail)
		}
		held["fact "+what]++
	}
}

// seconds is a time as a status has it.
func seconds(at time.Time) *metav1.Time { return &metav1.Time{Time: at.Truncate(time.Second)} }

// comes is when something comes true that is announced at a record, -1 for never. excused means that it cannot any more: the container is
// stopped or ends before, or the kubelet crashes.
func comes(rec *recording.Recording, seq int64, o trace.Object, due why.Due) (at time.Duration, excused bool) {
	for seq++; seq <= rec.Len(); seq++ {
		record := rec.Record(seq)
		if record.Action != nil && verb.ControllerOf(record.Action) != nil {
			return -1, true
		}
		c := record.Container
		if c == nil || c.Object != o || due.Container != "" && c.Container != due.Container {
			continue
		}
		switch {
		case due.Action == "probe" && c.Probe != nil && c.Probe.Type == due.Probe:
			return c.Probe.Sent, false
		case due.Action == "start" && c.Started:
			return record.At, false
		case due.Action == "pull" && c.Pull != nil && c.Pull.Begins:
			return record.At, false
		case due.Action == "pull" && c.Pull != nil:
			return record.At - c.Pull.Took, false
		case due.Action == trace.SignalKill && c.Signal != nil && c.Signal.Name == due.Action:
			return record.At, false
		case c.Exit != nil, c.Signal != nil, c.Hook != nil, c.Started:
			return -1, true
		}
	}
	return -1, false
}

// TestFactsRepeat: goroutines of a kubelet tell facts in one instant, and two runs have them in one order, also on one processor.
func TestFactsRepeat(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	datadriven.RunTest(t, "testdata/kubelet.txt", func(t *testing.T, d *datadriven.TestData) string {
		if d.Cmd != "play" {
			return d.Expected
		}
		var hashes []string
		for _, processors := range []int{8, 1, 2} {
			runtime.GOMAXPROCS(processors)
			scenario, err := format.Parse("script.yaml", []byte(d.Input), verb.All)
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			outcome, err := runner.Run(scenario, runner.RunOptions{})
			if err != nil {
				d.Fatalf(t, "%v", err)
			}
			hashes = append(hashes, outcome.TraceHash)
		}
		if hashes[0] == "" || len(slices.Compact(hashes)) != 1 {
			t.Errorf("%s: hashes %v", d.Pos, hashes)
		}
		return d.Expected
	})
}

// TestPluginsRepeat: gRPC has goroutines and timers of its own, and upstream's plugin for CSI volumes keeps variables of the process.
// Runs have one trace nevertheless, one after the other, and on one processor.
func TestPluginsRepeat(t *testing.T) {
	if !controllers.RunsKubelets() {
		t.Skip(controllers.ErrNoKubelet)
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	hashes := map[string][]string{}
	for _, processors := range []int{8, 1, 2} {
		runtime.GOMAXPROCS(processors)
		for _, name := range []string{"csi-volume", "device-plugin", "prepare-resources"} {
			scenario, err := library.Load(name)
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := runner.Run(scenario, runner.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			hashes[name] = append(hashes[name], outcome.TraceHash)
		}
	}
	for name, of := range hashes {
		if of[0] == "" || len(slices.Compact(of)) != 1 {
			t.Errorf("%s: hashes %v", name, of)
		}
	}
}

// TestHowToShowsKubelets holds the samples of the how-to against the script, which prints them.
func TestHowToShowsKubelets(t *testing.T) {
	page, err := os.ReadFile("../../../docs/howto/why-is-nothing-happening.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/kubelet.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```text\n")[1:]
	for _, block := range blocks {
		sample, _, _ := strings.Cut(block, "```")
		if !strings.Contains(string(script), sample) {
			t.Errorf("testdata/kubelet.txt does not print\n%s", sample)
		}
	}
	if len(blocks) < 3 {
		t.Errorf("%d samples", len(blocks))
	}
}
