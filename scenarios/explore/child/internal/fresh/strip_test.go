package fresh

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestStrip: what users want remains, and what the API server, the scheduler and controllers filled in does not.
func TestStrip(t *testing.T) {
	for _, test := range []struct{ name, resource, object, want string }{
		{
			"metadata and status", "configmaps",
			`{metadata: {name: a, uid: u, resourceVersion: "7", generation: 2, labels: {app: web}}, data: {k: v}, status: {}}`,
			`{metadata: {name: a, labels: {app: web}}, data: {k: v}}`,
		},
		{
			"an allocated address", "services",
			`{metadata: {name: a}, spec: {clusterIP: 10.0.0.1, clusterIPs: [10.0.0.1], ports: [{port: 80, nodePort: 30000}]}}`,
			`{metadata: {name: a}, spec: {ports: [{port: 80}]}}`,
		},
		{
			"no address", "services",
			`{metadata: {name: a}, spec: {clusterIP: None, clusterIPs: [None]}}`,
			`{metadata: {name: a}, spec: {clusterIP: None, clusterIPs: [None]}}`,
		},
		{
			"a node from the scheduler", "pods",
			`{metadata: {name: a}, spec: {nodeName: node-1, containers: []}}`,
			`{metadata: {name: a}, spec: {containers: []}}`,
		},
		{
			"a generated selector, and labels that are those of the template by default", "jobs.batch",
			`{metadata: {name: a, labels: {job-name: a}}, spec: {selector: {}, template: {metadata: {labels: {job-name: a}}}}}`,
			`{metadata: {name: a}, spec: {template: {metadata: {labels: {}}}}}`,
		},
		{
			"a bound claim", "persistentvolumeclaims",
			`{metadata: {name: a, annotations: {pv.kubernetes.io/bound-by-controller: "yes"}}, spec: {volumeName: v}}`,
			`{metadata: {name: a, annotations: {}}, spec: {}}`,
		},
		{
			"a claim that names its volume", "persistentvolumeclaims",
			`{metadata: {name: a, finalizers: [kubernetes.io/pvc-protection, example.com/keep]}, spec: {volumeName: v}}`,
			`{metadata: {name: a, finalizers: [example.com/keep]}, spec: {volumeName: v}}`,
		},
		{
			"a released volume stays so", "persistentvolumes",
			`{metadata: {name: a}, spec: {claimRef: {name: c, uid: gone}}, status: {phase: Released}}`,
			`{metadata: {name: a}, spec: {claimRef: {name: c, uid: gone}}}`,
		},
	} {
		got := NewUsers().strip(trace.Object{Resource: test.resource, Name: "a"}, parse(t, test.object))
		if diff := cmp.Diff(parse(t, test.want), got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}

// TestNodePatch: users' labels and taints are repeated, and those of controllers are not.
func TestNodePatch(t *testing.T) {
	users := NewUsers()
	users.nodes["n"] = parse(t, `{metadata: {uid: u, labels: {zone: a, old: x}}}`)
	node := parse(t, `
metadata: {uid: u, labels: {zone: b}, annotations: {node.alpha.kubernetes.io/ttl: "0"}}
spec:
  unschedulable: true
  taints:
  - {key: node.kubernetes.io/unschedulable, effect: NoSchedule}
  - {key: dedicated, effect: NoExecute, timeAdded: "2026-01-01T00:00:00Z"}
`)
	object := trace.Object{Resource: "nodes", Name: "n"}
	if patch := users.nodePatch(object, node); patch != nil {
		t.Errorf("a patch of a node that no user has touched: %v", patch)
	}
	users.touched["u"] = true
	text, err := yaml.Marshal(users.changes(object, node))
	if err != nil {
		t.Fatal(err)
	}
	want := parse(t, `
metadata: {labels: {zone: b, old: null}}
spec: {unschedulable: true, taints: [{key: dedicated, effect: NoExecute}]}
`)
	if diff := cmp.Diff(want, parse(t, string(text))); diff != "" {
		t.Error(diff)
	}
}

// TestExcuse: a Pod without a node, and an object without its owner, excuse a difference.
func TestExcuse(t *testing.T) {
	none := objects()
	waiting := objects(parse(t, `{metadata: {uid: a}, spec: {}}`))
	orphan := objects(parse(t, `{metadata: {uid: a, ownerReferences: [{controller: true, uid: gone}]}, spec: {nodeName: node-1}}`))
	users := NewUsers()
	for _, test := range []struct {
		objects   Objects
		collected bool
		want      Reason
	}{
		{none, false, ""},
		{waiting, true, NoRoom},
		{orphan, false, NotCollected},
		{orphan, true, ""},
	} {
		if users.collected = test.collected; users.Excuse(test.objects) != test.want {
			t.Errorf("%q, want %q", users.Excuse(test.objects), test.want)
		}
	}
}

// objects are Pods.
func objects(contents ...map[string]any) Objects {
	return func(yield func(trace.Object, map[string]any) bool) {
		for _, content := range contents {
			if !yield(trace.Object{Resource: "pods", Name: "a"}, content) {
				return
			}
		}
	}
}

func parse(t *testing.T, text string) (content map[string]any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), &content); err != nil {
		t.Fatal(err)
	}
	return content
}
