package compare

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestScaledBy finds the targets of autoscalers: by the resource that Kubernetes or a definition gives a kind, whatever its plural is.
func TestScaledBy(t *testing.T) {
	objects := map[trace.Object]map[string]any{}
	for object, text := range map[trace.Object]string{
		{Resource: "customresourcedefinitions.apiextensions.k8s.io", Name: "mice.example.com"}: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: mice.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: mice, singular: mouse, kind: Mouse}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "a"}: `
spec: {scaleTargetRef: {apiVersion: example.com/v1, kind: Mouse, name: jerry}}`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "b"}: `
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}`,
		{Resource: "horizontalpodautoscalers.autoscaling", Namespace: "default", Name: "c"}: `
spec: {scaleTargetRef: {apiVersion: example.com/v1, kind: Unknown, name: x}}`,
	} {
		var content map[string]any
		if err := yaml.Unmarshal([]byte(text), &content); err != nil {
			t.Fatal(err)
		}
		objects[object] = content
	}
	want := map[trace.Object]bool{
		{Resource: "mice.example.com", Namespace: "default", Name: "jerry"}: true,
		{Resource: "deployments.apps", Namespace: "default", Name: "web"}:   true,
	}
	if got := scaledBy(maps.All(objects)); !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestOrphans: where nothing collects what has lost its owner, its state is from then. A collector is to remove it.
func TestOrphans(t *testing.T) {
	end := func(text string) End {
		var content map[string]any
		if err := yaml.Unmarshal([]byte(text), &content); err != nil {
			t.Fatal(err)
		}
		slice := trace.Object{Resource: "endpointslices.discovery.k8s.io", Namespace: "default", Name: "web-abcde"}
		return NewDecisions().EndAsNamed(maps.All(map[trace.Object]map[string]any{slice: content}))
	}
	const owned = `metadata: {name: web-abcde, ownerReferences: [{kind: Service, name: web, uid: gone, controller: true}]}`
	pairs := end(owned + "\naddressType: IPv4").Compare(end(owned + "\naddressType: IPv6"))
	if len(pairs) != 1 || !slices.Contains(pairs[0].Traits, Orphaned) {
		t.Fatalf("%+v", pairs)
	}
	course := NewDecisions().Course()
	if left := Except(pairs, ExceptionsTo(course)); len(left) != 0 {
		t.Errorf("without a collector: %+v", left)
	}
	course.Add(&trace.Record{Actor: garbageCollector})
	if left := Except(pairs, ExceptionsTo(course)); len(left) != 1 {
		t.Errorf("with a collector: %+v", left)
	}
}

// TestSuperseded: a run may lack the revision of a template that a later one has replaced, if no Pod has it. It may not have one more.
func TestSuperseded(t *testing.T) {
	end := func(labels string, revisions ...string) End {
		objects := map[trace.Object]map[string]any{}
		add := func(resource, name, text string) {
			var content map[string]any
			if err := json.Unmarshal([]byte(text), &content); err != nil {
				t.Fatal(err)
			}
			objects[trace.Object{Resource: resource, Namespace: "default", Name: name}] = content
		}
		add("deployments.apps", "web", `{"metadata": {"name": "web", "uid": "web"}}`)
		const owned = `"uid": %q, "ownerReferences": [{"kind": "Deployment", "name": "web", "uid": "web", "controller": true}]`
		for _, number := range revisions {
			add("replicasets.apps", "web-"+number, fmt.Sprintf(`{"metadata": {`+owned+`, "annotations": {%q: %q}}, "spec": {"replicas": 0}}`,
				"set "+number, revisionAnnotation, number))
			add("controllerrevisions.apps", "db-"+number, fmt.Sprintf(`{"metadata": {`+owned+`}, "revision": `+number+`}`, "revision "+number))
		}
		add("pods", "db-0", `{"metadata": {"name": "db-0", "labels": {`+labels+`}}}`)
		return NewDecisions().EndAsNamed(maps.All(objects))
	}
	for _, c := range []struct {
		name      string
		a, b      End
		differing int
	}{
		{"an old revision is missing", end("", "1", "2", "3"), end("", "1", "3"), 0},
		{"there is one more", end("", "1", "3"), end("", "1", "2", "3"), 2},
		{"the last revision is missing", end("", "1", "2", "3"), end("", "1", "2"), 2},
		{
			"a Pod has the revision", end(`"controller-revision-hash": "db-2"`, "1", "2", "3"),
			end(`"controller-revision-hash": "db-2"`, "1", "3"), 1,
		},
	} {
		if left := Except(c.a.Compare(c.b), Exceptions); len(left) != c.differing {
			t.Errorf("%s: %+v", c.name, left)
		}
	}
}

// TestCrashLoops: whether a container in a crash loop has just exited or waits already depends on the moment. One that runs has left the loop.
func TestCrashLoops(t *testing.T) {
	const exited = `terminated: {exitCode: 1, reason: Error}`
	end := func(phase, state string) End {
		var content map[string]any
		text := "status: {phase: " + phase + ", containerStatuses: [{name: c, lastState: {" + exited + "}, state: {" + state + "}}]}"
		if err := yaml.Unmarshal([]byte(text), &content); err != nil {
			t.Fatal(err)
		}
		pod := trace.Object{Resource: pods, Namespace: "default", Name: "web"}
		return NewDecisions().EndAsNamed(maps.All(map[trace.Object]map[string]any{pod: content}))
	}
	waits := end("Running", "waiting: {reason: CrashLoopBackOff}")
	for _, c := range []struct {
		name string
		b    End
		want bool
	}{
		{"it has just exited", end("Running", exited), true},
		{"it runs", end("Running", "running: {}"), false},
		{"it waits for its image", end("Running", "waiting: {reason: ErrImagePull}"), false},
		{"it has failed for good", end("Failed", exited), false},
	} {
		if left := Except(waits.Compare(c.b), Exceptions); (len(left) == 0) != c.want {
			t.Errorf("%s: %+v", c.name, left)
		}
	}
}
