package liveness_test

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestGoals compares objects with what they want. The scripts in testdata have one command, look: its input are objects,
// the date is 2026-01-01T01:00:00Z, and the output is what they lack. "without=NAME" means that a controller does not run.
func TestGoals(t *testing.T) {
	found := map[string]bool{}
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		datadriven.RunTest(t, file, func(t *testing.T, d *datadriven.TestData) string {
			w := world{objects: decode(t, d.Input)}
			d.MaybeScanArgs(t, "without", &w.without)
			var out strings.Builder
			for _, finding := range liveness.Find(&w) {
				if finding.Goal.Relation != "" {
					continue // objects of these scripts have only what their goals read: see TestRelations
				}
				verdict := "waits"
				if finding.For == "" {
					verdict = "stuck"
				}
				// What no controller can bring about is never stuck.
				if finding.For == "" || finding.Goal.Controller == "" {
					found[finding.Goal.Sentence] = true
				}
				fmt.Fprintf(&out, "%s (%s): %s\n", verdict, cmp.Or(finding.Controller, "nobody"), finding)
				if finding.On != nil {
					fmt.Fprintf(&out, "  on %s\n", trace.ObjectName(*finding.On))
				}
			}
			out.WriteString(w.notes())
			if out.Len() == 0 {
				return "all as it should be\n"
			}
			return out.String()
		})
	}
	for _, goal := range liveness.Goals() {
		if !found[goal.Sentence] && goal.Relation == "" {
			t.Errorf("no script lets an object miss this goal: %s", goal.Sentence)
		}
	}
}

// world is a World of objects in a script.
type world struct {
	objects map[schema.GroupResource][]runtime.Object
	without string
}

// notes say what looks like a lack.
func (w *world) notes() string {
	var out strings.Builder
	for _, goal := range liveness.Goals() {
		for _, object := range w.List(goal.Resource, "") {
			accessor, err := meta.Accessor(object)
			if err != nil {
				continue
			}
			o := trace.Object{Resource: goal.Resource.String(), Namespace: accessor.GetNamespace(), Name: accessor.GetName()}
			if note := liveness.NoteOf(w, goal, o); note != "" && liveness.LackOf(w, goal, o) == nil {
				fmt.Fprintf(&out, "note: %s: %s\n", trace.ObjectName(o), note)
			}
		}
	}
	return out.String()
}

func (w *world) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	for _, object := range w.List(resource, namespace) {
		if accessor, err := meta.Accessor(object); err == nil && accessor.GetName() == name {
			return object, true
		}
	}
	return nil, false
}

func (w *world) List(resource schema.GroupResource, namespace string) []runtime.Object {
	return slices.DeleteFunc(slices.Clone(w.objects[resource]), func(object runtime.Object) bool {
		accessor, err := meta.Accessor(object)
		return err != nil || namespace != "" && accessor.GetNamespace() != namespace
	})
}

func (w *world) Resources() []schema.GroupResource {
	return slices.SortedFunc(maps.Keys(w.objects), func(a, b schema.GroupResource) int { return strings.Compare(a.String(), b.String()) })
}

func (w *world) Date() time.Time { return time.Date(2026, 1, 1, 1, 0, 0, 0, time.UTC) }

func (w *world) Process(actor string) (string, bool) {
	if actor == w.without {
		return "", false
	}
	return "kube-controller-manager", true
}

// decode reads objects in YAML, separated by ---. The namespace is default if they have none, the uid of an object is its name, and what an
// owner reference leaves out follows from that.
func decode(t *testing.T, text string) map[schema.GroupResource][]runtime.Object {
	t.Helper()
	objects := map[schema.GroupResource][]runtime.Object{}
	reader := yaml.NewYAMLReader(bufio.NewReader(strings.NewReader(text)))
	for {
		document, err := reader.Read()
		if err == io.EOF {
			return objects
		}
		if err != nil {
			t.Fatal(err)
		}
		object, kind, err := scheme.Codecs.UniversalDeserializer().Decode(document, nil, nil)
		if runtime.IsNotRegisteredError(err) {
			custom := &unstructured.Unstructured{}
			err = yaml.Unmarshal(document, &custom.Object)
			object, kind = custom, new(custom.GroupVersionKind())
		}
		if err != nil {
			t.Fatalf("%v:\n%s", err, document)
		}
		accessor, err := meta.Accessor(object)
		if err != nil {
			t.Fatal(err)
		}
		accessor.SetUID(types.UID(accessor.GetName()))
		if !slices.Contains([]string{"Node", "Namespace", "PersistentVolume", "StorageClass", "CustomResourceDefinition", "ClusterRole",
			"VolumeAttachment", "ResourceSlice", "DeviceTaintRule"}, kind.Kind) && accessor.GetNamespace() == "" {
			accessor.SetNamespace("default")
		}
		owners := accessor.GetOwnerReferences()
		for i := range owners {
			yes := true
			owners[i].UID, owners[i].Controller = types.UID(owners[i].Name), &yes
		}
		accessor.SetOwnerReferences(owners)
		plural, _ := meta.UnsafeGuessKindToResource(*kind)
		if kind.Kind == "Endpoints" {
			plural.Resource = "endpoints"
		}
		objects[plural.GroupResource()] = append(objects[plural.GroupResource()], object)
	}
}

const referenceHead = `# Liveness

When a run ends and the simulation is at rest, kubestep compares each object with its desired state. An object that is not in this state
and waits for something outside its controller, such as a Pod that is not Ready, is *waiting*. An object whose controller could act, and
does not, is *stuck*: it violates the [invariant](invariants.md) ` + "`not-stuck`" + `.

The simulation is at rest if nothing was written for a minute, no fault is in effect, and the kubelets and the scheduler have nothing left
to do. kubestep does not compare objects whose controller does not run, with one exception: an object that only the garbage collector
removes waits for it.

`

// TestReferenceIsFresh keeps docs/reference/liveness.md as the files of the package say.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, goal := range liveness.Goals() {
		if goal.Relation != "" {
			continue
		}
		of, who := cmp.Or(goal.Resource.String(), "objects of every kind"), cmp.Or(goal.Controller, "no controller")
		fmt.Fprintf(&out, "## %s, %s\n\n%s\n\n- Upstream: %s\n\n", of, who, goal.Sentence, goal.Upstream)
	}
	writeRelations(&out)
	writeSelections(&out)
	const file = "../../../docs/reference/liveness.md"
	golden.Page(t, file, "scenarios/verdict/liveness", strings.TrimSuffix(out.String(), "\n"))
}
