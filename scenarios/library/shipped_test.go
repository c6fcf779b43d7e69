package library_test

import (
	"bytes"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/scheduler"
	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestShippedScenarios plays every scenario that comes with kubestep: its checks must hold, or fail if it is for earlier versions of
// Kubernetes, and the text of lessons and controllers must be the golden one, so that a lesson cannot drift. The kept counts of
// kube-scheduler must be upstream's.
func TestShippedScenarios(t *testing.T) {
	defer scheduler.CheckSpread(func(difference string) { t.Error(difference) })()
	files, err := library.Files()
	if err != nil || len(files) == 0 {
		t.Fatalf("%d shipped scenarios, %v", len(files), err)
	}
	recorded := library.Hashes()
	names, hashes := map[string]string{}, map[string]library.Hash{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(file, ".yaml"), func(t *testing.T) {
			scenario, err := library.Load(file)
			if err != nil {
				t.Fatal(err)
			}
			if other, taken := names[scenario.Metadata.Name]; taken {
				t.Errorf("the name %s is also that of %s", scenario.Metadata.Name, other)
			}
			names[scenario.Metadata.Name] = file
			if scenario.Spec.Kubernetes.Kubelet == format.UpstreamKubelet && !library.NeedsKubelet(file) {
				t.Errorf("%s has upstream's kubelet, and is in a folder that is not left out where there is none", file)
			}
			if base := strings.TrimSuffix(filepath.Base(file), ".yaml"); scenario.Metadata.Name != base {
				t.Errorf("the name %s is not that of the file, %s", scenario.Metadata.Name, base)
			}
			text, lines, played := playText(t, scenario)
			hash := library.Hash{Trace: played.Hash, OnlyExact: len(played.OpenInStock) > 0 || library.NeedsKubelet(file)}
			if hash.OnlyExact && !exact.Enabled() {
				hash.Trace = recorded[scenario.Metadata.Name].Trace
			}
			hashes[scenario.Metadata.Name] = hash
			if hash.OnlyExact && !exact.Enabled() {
				t.Skipf("golden and hash are those of the exact build: the order of %s is open in this one",
					strings.Join(played.OpenInStock, ", "))
			}
			if !strings.HasPrefix(file, "conformance/") {
				golden.Compare(t, filepath.Join("testdata", "golden", strings.TrimSuffix(file, ".yaml")+".txt"), text)
			}
			// The recorded hash is that of other processes, so one run that has it is enough. Where it differs, another run tells
			// whether the scenario has changed, or differs from run to run.
			if hash.Trace != recorded[scenario.Metadata.Name].Trace {
				sameAgain(t, file, lines, played)
			}
		})
	}
	if len(names) == len(files) { // and not with -run a few of them
		recordedHashes(t, hashes)
	}
}

// recordedHashes compares the hashes with those that kubestep verify knows, or writes them with -rewrite.
func recordedHashes(t *testing.T, hashes map[string]library.Hash) {
	t.Helper()
	for name, hash := range library.Hashes() {
		if hash.OnlyExact && !controllers.RunsKubelets() {
			hashes[name] = hash // not run here
		}
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		if hashes[name].Trace == "" {
			continue // new, and for the exact build to record
		}
		only := ""
		if hashes[name].OnlyExact {
			only = " exact"
		}
		fmt.Fprintf(&text, "%s %s%s\n", name, hashes[name].Trace, only)
	}
	golden.Compare(t, "hashes.txt", text.String())
}

// played is what a run of a shipped scenario gave.
type played struct {
	Hash string
	// OpenInStock names the controllers whose order is open in the stock build.
	OpenInStock []string
}

// past reports whether a scenario is for versions before this one: it must fail.
func past(scenario *format.Scenario) bool {
	return annotation.IsPast(scenario.Metadata.Annotations, controllers.KubernetesVersion)
}

// playText runs a scenario, which must pass unless it is for earlier versions, and returns the text of its trace, its records, and what
// it gave.
func playText(t *testing.T, scenario *format.Scenario) (string, []byte, played) {
	t.Helper()
	var out bytes.Buffer
	var lines []byte
	text := trace.NewText(&out, trace.TextOptions{})
	var records []*trace.Record
	outcome, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, line []byte) {
		lines = append(lines, line...)
		if !record.Background || record.Kind == trace.KindSync {
			records = append(records, record)
		}
		if err := text.Write(record); err != nil {
			t.Error(err)
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := text.Close(); err != nil {
		t.Fatal(err)
	}
	if past(scenario) {
		if outcome.Result != runner.Fail {
			t.Errorf("result %s %s with %s, but %s is %q", outcome.Result, outcome.Error, controllers.KubernetesVersion,
				annotation.Until, scenario.Metadata.Annotations[annotation.Until])
		}
		return out.String(), lines, played{outcome.TraceHash, controllers.OpenOrder(records)}
	}
	for _, check := range outcome.Checks {
		if check.Result != runner.Pass {
			t.Errorf("check %s: %s", check.Name, check.Message)
		}
	}
	if outcome.Result != runner.Pass {
		t.Errorf("result %s %s", outcome.Result, outcome.Error)
	}
	return out.String(), lines, played{outcome.TraceHash, controllers.OpenOrder(records)}
}

// sameAgain runs a scenario once more: the hash must be the same. Processes of their own are compared by make hashes.
func sameAgain(t *testing.T, file string, lines []byte, first played) {
	t.Helper()
	scenario, err := library.Load(file)
	if err != nil {
		t.Fatal(err)
	}
	same, before := true, ""
	options, done := judged(t, file)
	options.Sinks = append(options.Sinks, func(_ *trace.Record, line []byte) {
		if same && !bytes.HasPrefix(lines, line) {
			expected, _, _ := bytes.Cut(lines, []byte("\n"))
			before = fmt.Sprintf("after %s\n%s\nand then\n%s", before, expected, line)
			same = false
		} else if same {
			before, lines = string(line), lines[len(line):]
		}
	})
	again, err := runner.Run(scenario, options)
	if err != nil {
		t.Fatal(err)
	}
	done()
	if again.TraceHash != first.Hash {
		t.Errorf("%s: two hashes from one seed: first %s", file, before)
	}
}

// TestSeedsSettleAlike runs the lesson with several seeds: different traces, one result.
func TestSeedsSettleAlike(t *testing.T) {
	hashes := map[string]bool{}
	for seed := range int64(5) {
		scenario, err := library.Load("rolling-update")
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := runner.Run(scenario, runner.RunOptions{Seed: &seed})
		if err != nil {
			t.Fatal(err)
		}
		hashes[outcome.TraceHash] = true
		sets := outcome.Final.Deployments[0].ReplicaSets
		if outcome.Result != runner.Pass || sets[0].Spec != 0 || sets[1].Spec != 10 {
			t.Errorf("seed %d: %s, sizes %d and %d", seed, outcome.Result, sets[0].Spec, sets[1].Spec)
		}
	}
	if len(hashes) != 5 {
		t.Errorf("5 seeds gave %d traces", len(hashes))
	}
}
