package healthy_test

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

var seeds = flag.Int("seeds", 0, "how many `SEEDS` of all fault spaces to draw for each file; 0 draws one of one space for every fifth file")

// TestFaultsLeaveNoTrace draws faults for the files. When these are over, the objects are the same as without them: no run is diverged, and
// none is hot that is not as hot without them. A run whose checks or steps fail under faults is wrong anyway. ARGS="-seeds 20" draws many.
func TestFaultsLeaveNoTrace(t *testing.T) {
	var spaces []string
	for _, s := range space.All() {
		spaces = append(spaces, s.Name)
	}
	count := map[string]int{}
	for i, file := range files(t) {
		var jobs []child.Job
		for seed := range int64(*seeds) {
			for _, name := range spaces {
				jobs = append(jobs, child.Job{Seed: seed + 1, Spaces: []string{name}})
			}
			jobs = append(jobs, child.Job{Seed: seed + 1, Spaces: spaces})
		}
		if n := len(spaces); *seeds == 0 && i%n == 0 {
			jobs = []child.Job{{Seed: int64(i), Spaces: spaces[i/n%n : i/n%n+1]}}
		}
		if len(jobs) == 0 {
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			maker := makerOf(t, file)
			for _, job := range jobs {
				job.Compare, job.SameEnd, job.EndEarly = true, true, true
				report, err := maker.Report(job)
				if err != nil {
					t.Fatal(err)
				}
				count[report.Result]++
				say := t.Logf
				switch report.Result {
				case runner.Diverged:
					say = t.Errorf
				case runner.Hot:
					if !report.Comparison.Hot {
						say = t.Errorf
					}
				case runner.Pass, runner.Fail:
					continue
				}
				var last string
				if n := len(report.Failures); n > 0 {
					last = report.Failures[n-1].Message
				}
				say("%s: --faults %s --seed %d: %s\n%s", report.Result, strings.Join(job.Spaces, ","), job.Seed, last,
					strings.Join(report.Faults, "\n"))
			}
		})
	}
	t.Log(count)
	if count[runner.Pass] == 0 {
		t.Error("no run passes")
	}
}

// onceFalse are runs that once had a verdict although nothing was wrong with them, and that end with pass, or with a step that fails.
var onceFalse = []struct {
	file, space string
	seed        int64
	result      string
}{
	// Two faults in turn make the attempts at one key fail.
	{"../../controllers/node-ipam.yaml", "flaky-api", 2, runner.Pass},
	// A node that comes back brings progress, and so the deadline of the rollout is later.
	{"../../controllers/deployment-proportional-scale.yaml", "node-loss", 1, runner.Pass},
	// The controller that restarts writes a taint again that a user had written without its time.
	{"../../controllers/kubelet/csi-out-of-service.yaml", "crash-anywhere", 4, runner.Pass},
	// A kubelet that restarts tells more, and less, of Pods that had ended.
	{"../../controllers/kubelet/device-plugin.yaml", "crash-anywhere", 1, runner.Pass},
	{"../../controllers/kubelet/disk-pressure.yaml", "crash-anywhere", 1, runner.Pass},
	{"../../controllers/kubelet/process-pressure.yaml", "crash-anywhere", 1, runner.Pass},
	// How much a Pod used when it was evicted depends on the moment.
	{"../../controllers/kubelet/out-of-memory.yaml", "slow-network", 1, runner.Pass},
	// A Pod cannot run again on the node that has lost its devices meanwhile.
	{"../../controllers/kubelet/device-plugin.yaml", "node-loss", 1, runner.Pass},
	// A kubelet that restarts deletes the ResourceSlices of its node.
	{"../../controllers/kubelet/prepare-resources.yaml", "crash-anywhere", 1, runner.Pass},
	{"../../controllers/kubelet/prepare-resources.yaml", "node-loss", 1, runner.Pass},
	// The node is lost on which a step runs a command.
	{"../../controllers/kubelet/configmap-in-a-volume.yaml", "node-loss", 3, runner.Fail},
	// A process ends while it starts.
	{"../../conformance/worked-01.yaml", "crash-anywhere", 1, runner.Pass},
	// The run without the fault is hot, and so it does not settle earlier.
	{"testdata/deployment-recreate-hangs.yaml", "slow-network", 1, runner.Pass},
	// A quota makes the attempts at a key fail, and the faults shift them.
	{"../../controllers/resource-quota.yaml", "stale-caches", 7, runner.Pass},
	{"../../controllers/resource-quota.yaml", "flaky-api", 7, runner.Pass},
	// A fault refuses two attempts that are minutes apart.
	{"../../lessons/back-off.yaml", "flaky-api", 2, runner.Pass},
	// Each event makes a key fail once more that waits for its back-off, and so doubles it.
	{"testdata/statefulset-rolled-back.yaml", "flaky-api", 7, runner.Pass},
	// A condition has the name of a Pod that was refused.
	{"../../controllers/limit-range.yaml", "flaky-api", 2, runner.Pass},
	// The message of a condition is about a claim that is gone by now.
	{"../../lessons/claim-in-use.yaml", "slow-network", 7, runner.Pass},
	// An autoscaler scales up because of a crash, and takes five minutes to scale down.
	{"../../lessons/autoscaler.yaml", "crash-anywhere", 1, runner.Pass},
	// Without its rollout, there is nothing to undo.
	{"../../conformance/c08.yaml", "crash-anywhere", 3, runner.Fail},
}

// TestFalseAlarmsAreOver repeats runs that had a wrong verdict.
func TestFalseAlarmsAreOver(t *testing.T) {
	for _, was := range onceFalse {
		report, err := makerOf(t, was.file).Report(child.Job{
			Seed: was.seed, Spaces: []string{was.space}, Compare: true, SameEnd: true, EndEarly: true,
		})
		switch {
		case err != nil:
			t.Errorf("%s: %v", was.file, err)
		case len(report.Faults) == 0:
			t.Errorf("%s: no fault acts", was.file)
		case report.Result != was.result:
			t.Errorf("%s: --faults %s --seed %d: %s, want %s: %v", was.file, was.space, was.seed, report.Result, was.result, report.Failures)
		}
	}
}

// makerOf makes runs of a file.
func makerOf(t *testing.T, file string) *child.Maker {
	t.Helper()
	scenario, err := format.Load(file, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	return &child.Maker{Scenario: scenario, Plan: plan, Run: (*runner.Plan).Run}
}
