package runner

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"

	"github.com/kubestep/kubestep/sim/trace"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// quantity is a number that the latencies decide, and what a real control plane gave. Low and high are the bounds of its
// mean over the seeds.
type quantity struct {
	scenario, name string
	recorded       string
	low, high      float64
}

// The recordings are those of TestConformance. Syncs refused because of a stale cache are not in them, but the manager
// logged about 100 in 19 cases: 5.3 in a case, with a factor of two to both sides. The updates of ReplicaSets in c02 are 66.4 on
// average over twenty seeds, with Kubernetes 1.36.3 and 1.37.2 alike.
var quantities = []quantity{
	{"conformance/c02", "size changes", "13, 13, 11", 11, 14},
	{"conformance/c02", "replicasets updated", "58", 52, 69},
	{"conformance/c02", "deployments updated", "46", 40, 50},
	{"conformance/c03", "replicasets updated", "35", 32, 38},
	{"conformance/c03", "deployments updated", "24", 22, 27},
	{"conformance/c08", "replicasets updated", "31", 28, 34},
	{"conformance/c08", "deployments updated", "28", 25, 31},
	{"conformance/c12", "replicasets updated", "17", 15, 21},
	{"daemonset", "daemonsets updated", "19", 17, 21},
	{"statefulset", "deletions without effect", "0, 0, 0", 0, 0},
	{"all", "stale syncs", "5.3", 2.6, 10.6},
	{"conformance/c02", "first reaction, ms", "under 100", 0, 120},
	{"conformance/c02", "ten creations, ms", "50 to 150", 40, 150},
}

// calibrationSeeds are the seeds of each scenario.
const calibrationSeeds = 5

// TestCalibration plays recorded cases with the default latencies, and compares how often controllers write, how often
// they meet a stale cache, and how long bursts take. It prints a table; run it with -v after a change of the latencies.
func TestCalibration(t *testing.T) {
	measured := map[string][]map[string]float64{}
	for _, name := range []string{
		"conformance/c02", "conformance/c03", "conformance/c04", "conformance/c05", "conformance/c08", "conformance/c12",
		"conformance/c16a", "conformance/c16b", "conformance/c16c", "daemonset", "statefulset",
	} {
		for seed := range int64(calibrationSeeds) {
			m := measure(t, name, seed+1)
			measured[name] = append(measured[name], m)
			if name != "statefulset" {
				measured["all"] = append(measured["all"], m)
			}
		}
	}
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "scenario\tquantity\trecorded\tmean\tseeds")
	for _, q := range quantities {
		mean, values := 0.0, []string{}
		for _, m := range measured[q.scenario] {
			mean += m[q.name] / float64(len(measured[q.scenario]))
			values = append(values, fmt.Sprint(m[q.name]))
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%.1f\t%s\n", q.scenario, q.name, q.recorded, mean, strings.Join(values[:calibrationSeeds], " "))
		if mean < q.low || mean > q.high {
			t.Errorf("%s: %s: %.1f on average, want %g to %g", q.scenario, q.name, mean, q.low, q.high)
		}
	}
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Logf("\n%s", out.String())
}

// measure plays a scenario and takes all quantities. None of them grows in the routine after the last change.
func measure(t *testing.T, name string, seed int64) map[string]float64 {
	t.Helper()
	scenario, err := calibrationScenario(name)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]float64{}
	var changed time.Duration
	var creations []time.Duration
	outcome, err := Run(scenario, RunOptions{Seed: &seed, EndEarly: true, Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
		if record.At < 0 {
			return
		}
		if s := record.Sync; s != nil && s.Phase == trace.PhaseEnd && s.Stale {
			m["stale syncs"]++
		}
		if record.Request == nil {
			return
		}
		request := record.Request
		for _, w := range request.Writes {
			plural, _, _ := strings.Cut(w.Resource, ".")
			if w.Op == trace.OpUpdate {
				m[plural+" updated"]++
			}
			if plural == "replicasets" && resizes(w) {
				m["size changes"]++
				if changed > 0 && record.At-changed < time.Second {
					m["first reaction, ms"] = float64((record.At - changed).Milliseconds())
				}
			}
			if plural == "deployments" && record.Actor == verb.User && w.Op == trace.OpUpdate {
				changed = record.At
			}
			if plural == "pods" && w.Op == trace.OpCreate {
				creations = append(creations, record.At)
			}
		}
		if request.Verb == "delete" && request.Resource == "pods" && strings.HasSuffix(record.Actor, "-controller") && len(request.Writes) == 0 {
			m["deletions without effect"]++
		}
	}}})
	if err != nil || outcome.Result != Pass {
		t.Fatalf("%s, seed %d: %v, %v", name, seed, outcome, err)
	}
	if len(creations) >= 10 {
		m["ten creations, ms"] = float64((creations[9] - creations[0]).Milliseconds())
	}
	return m
}

// resizes reports whether a write gives a ReplicaSet a size.
func resizes(w trace.Write) bool {
	if w.Op == trace.OpCreate {
		return true
	}
	for _, change := range w.Changes {
		if change.Path == "spec.replicas" {
			return true
		}
	}
	return false
}

// calibrationScenario is a shipped scenario, or one of testdata/calibration.
func calibrationScenario(name string) (*format.Scenario, error) {
	if strings.Contains(name, "/") {
		return library.Load(name + ".yaml")
	}
	file := filepath.Join("testdata", "calibration", name+".yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return format.Parse(file, text, verb.All)
}

// TestTheClusterIsUpAtTimeZero: with all controllers, no node has a taint any more, and no controller has anything left to
// do. What comes later is routine.
func TestTheClusterIsUpAtTimeZero(t *testing.T) {
	for _, test := range []struct{ controllers, nodes, latency string }{
		{"['*']", "3", "{}"}, {"['*']", "100", "{}"}, {"['*']", "100", "{profile: loaded}"},
		{"['*']", "40", "{profile: slow-etcd}"}, {"[node-lifecycle-controller]", "100", "{request: 0s, watch: 0s}"},
	} {
		t.Run(strings.Join([]string{test.controllers, test.nodes, test.latency}, " "), func(t *testing.T) {
			text := fmt.Sprintf(`apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: up}
spec:
  title: Nothing happens
  horizon: 15s
  kubernetes: {controllers: %s}
  cluster:
    nodes: [{count: %s}]
    latency: %s
  steps: [{note: Hello}]
`, test.controllers, test.nodes, test.latency)
			scenario, err := format.Parse("up.yaml", []byte(text), verb.All)
			if err != nil {
				t.Fatal(err)
			}
			var late []string
			replay := trace.NewReplay()
			outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{func(r *trace.Record, line []byte) {
				if err := replay.Apply(r); err != nil {
					t.Error(err)
				}
				if r.At >= 0 && r.Request != nil && strings.HasSuffix(r.Actor, "-controller") && len(r.Request.Writes) > 0 {
					late = append(late, string(bytes.TrimSpace(line[:min(len(line), 250)])))
				}
			}}})
			if err != nil || outcome.Result != Pass {
				t.Fatalf("%+v, %v", outcome, err)
			}
			taints, _, _ := unstructured.NestedSlice(replay.Object(trace.Object{Resource: "nodes", Name: "node-3"}), "spec", "taints")
			if len(taints) > 0 {
				t.Errorf("node-3 has the taints %v", taints)
			}
			if len(late) > 0 {
				t.Errorf("%d writes after time zero, the first is\n%s", len(late), slices.Min(late))
			}
		})
	}
}
