package runner

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/library"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestConformance compares runs with recordings of a real v1.36 control plane (etcd, kube-apiserver,
// kube-controller-manager, kube-scheduler, and kwok as kubelet) that got the same manifests and actions:
//
//   - settled: the sizes of the ReplicaSets, oldest first, at the end of each burst of changes. They were
//     the same in three recordings under different load;
//   - sequence: every change of the sizes, where the recordings agreed step by step;
//   - deployment, replicaset: the Events, with generated names replaced;
//   - conditions: the Deployment's conditions at the end. On the way a conflict may swallow one of them,
//     here as in reality.
//
// The files are what was recorded; they are not written by this test.
func TestConformance(t *testing.T) {
	files, err := filepath.Glob("testdata/conformance/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(path.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, seed := range []int64{1, 2, 3} {
				recorded := playRollout(t, "conformance/"+name+".yaml", seed)
				kinds := recordedKinds(string(want))
				if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(recorded.report(kinds), "\n")); diff != "" {
					t.Errorf("seed %d differs from the real control plane (-real +kubestep):\n%s", seed, diff)
				}
			}
		})
	}
}

// recordedKinds lists the kinds of lines that a recording has.
func recordedKinds(text string) map[string]bool {
	kinds := map[string]bool{}
	for _, line := range strings.Split(text, "\n") {
		kind, _, _ := strings.Cut(line, ":")
		kinds[kind] = true
	}
	return kinds
}

// size is one state of the ReplicaSets' sizes and when it began.
type size struct {
	at     time.Duration
	vector string
}

// rollout is what a trace tells of the ReplicaSets of one Deployment.
type rollout struct {
	names      []string
	replicas   []int64
	sizes      []size
	deployment []string
	replicaset map[string]int
	conditions []string
}

// playRollout runs a shipped scenario, which must pass, and reads its trace.
func playRollout(t *testing.T, name string, seed int64) *rollout {
	t.Helper()
	scenario, err := library.Load(name)
	if err != nil {
		t.Fatal(err)
	}
	r := &rollout{replicaset: map[string]int{}}
	replay := trace.NewReplay()
	outcome, err := Run(scenario, RunOptions{Seed: &seed, Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if err := replay.Apply(record); err != nil {
			t.Error(err)
		}
		if record.Event != nil {
			r.event(record.Event)
		}
		if record.Request == nil {
			return
		}
		for _, w := range record.Request.Writes {
			switch w.Resource {
			case "replicasets.apps":
				r.replicaSet(t, record.At, w.Name, replay.Object(w.Object))
			case "deployments.apps":
				r.condition(t, replay.Object(w.Object))
			}
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range outcome.Checks {
		if check.Result != Pass {
			t.Errorf("seed %d: check %s: %s", seed, check.Name, check.Message)
		}
	}
	return r
}

// replicaSet notes the size of a ReplicaSet if it changed.
func (r *rollout) replicaSet(t *testing.T, at time.Duration, name string, rs map[string]any) {
	t.Helper()
	replicas, _, err := unstructured.NestedInt64(rs, "spec", "replicas")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.Index(r.names, name)
	if i < 0 {
		i = len(r.names)
		r.names, r.replicas = append(r.names, name), append(r.replicas, -1)
	}
	if r.replicas[i] != replicas {
		r.replicas[i] = replicas
		r.sizes = append(r.sizes, size{at, r.vector()})
	}
}

func (r *rollout) vector() string {
	var parts []string
	for _, n := range r.replicas {
		parts = append(parts, strconv.FormatInt(n, 10))
	}
	return strings.Join(parts, ",")
}

var podName = regexp.MustCompile(`(RS\d)-[a-z0-9]{5}\b`)

// normal replaces generated names: the first ReplicaSet is RS1, and its pods are RS1-pod.
func (r *rollout) normal(text string) string {
	for i, name := range r.names {
		text = strings.ReplaceAll(text, name, fmt.Sprintf("RS%d", i+1))
	}
	return podName.ReplaceAllString(text, "$1-pod")
}

func (r *rollout) event(e *trace.Event) {
	text := r.normal(fmt.Sprintf("%s %s %s", e.Type, e.Reason, e.Message))
	switch e.Regarding.Resource {
	case "deployment":
		r.deployment = append(r.deployment, text)
	case "replicaset":
		r.replicaset[text]++
	}
}

// condition keeps the conditions of the Deployment.
func (r *rollout) condition(t *testing.T, d map[string]any) {
	t.Helper()
	conditions, _, err := unstructured.NestedSlice(d, "status", "conditions")
	if err != nil {
		t.Fatal(err)
	}
	r.conditions = nil
	for _, c := range conditions {
		condition := c.(map[string]any)
		r.conditions = append(r.conditions, fmt.Sprintf("%s=%s/%s", condition["type"], condition["status"], condition["reason"]))
	}
	slices.Sort(r.conditions)
}

// settled keeps the last sizes of each burst: changes less than 0.6 s apart belong together.
func (r *rollout) settled() []string {
	var out []string
	for i, s := range r.sizes {
		if i+1 == len(r.sizes) || r.sizes[i+1].at-s.at >= 600*time.Millisecond {
			out = append(out, s.vector)
		}
	}
	return out
}

// report writes the rollout in the form of a recording, with the kinds of lines that it has.
func (r *rollout) report(kinds map[string]bool) string {
	var lines []string
	add := func(kind, text string) {
		if kinds[kind] {
			lines = append(lines, kind+": "+text)
		}
	}
	add("settled", strings.Join(r.settled(), " | "))
	var sequence []string
	for _, s := range r.sizes {
		sequence = append(sequence, s.vector)
	}
	add("sequence", strings.Join(sequence, " | "))
	for _, text := range r.deployment {
		add("deployment", text)
	}
	var counted []string
	for text := range r.replicaset {
		counted = append(counted, text)
	}
	slices.Sort(counted)
	for _, text := range counted {
		add("replicaset", fmt.Sprintf("%d x %s", r.replicaset[text], text))
	}
	add("conditions", strings.Join(r.conditions, " "))
	return strings.Join(lines, "\n") + "\n"
}

// TestWorkedExamples checks the arithmetic of rolling updates on 13 examples with known answers, in the
// lock-step model: all new Pods become ready at one instant, and deleted Pods are gone at once. The
// scenarios hold the numbers of Pods; here it is the steps, (new, old) just before each of them.
func TestWorkedExamples(t *testing.T) {
	for n, want := range []string{
		"1,3 2,2 3,1 3,0", "5,8 10,3 10,0", "5,8 10,3 10,0", "7,7 10,0", "1,2 2,1 3,0",
		"2,8 4,6 6,4 8,2 10,0", "2,10 4,8 6,6 8,4 10,2 10,0", "5,0", "5,5 5,0", "7,12 14,5 15,0",
		"2,3 4,1 4,0", "5,5 7,0", "1,1 1,0",
	} {
		name := fmt.Sprintf("worked-%02d", n+1)
		t.Run(name, func(t *testing.T) {
			for _, seed := range []int64{1, 2} {
				r := playRollout(t, "conformance/"+name+".yaml", seed)
				var got []string
				for _, vector := range r.settled()[1:] {
					old, new, _ := strings.Cut(vector, ",")
					got = append(got, new+","+old)
				}
				if strings.Join(got, " ") != want {
					t.Errorf("seed %d: steps (new,old) are %v, want %s", seed, got, want)
				}
			}
		})
	}
}
