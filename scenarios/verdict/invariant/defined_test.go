package invariant

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/scenarios/language/definition"
)

// mice is a definition whose plural no rule of grammar finds.
const mice = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: mice.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: mice, singular: mouse, kind: Mouse}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`

// listed is a World that only lists.
type listed struct {
	World
	objects []runtime.Object
}

// List implements World.
func (l *listed) List(schema.GroupResource, string) []runtime.Object { return l.objects }

// TestResourceOfOwner finds the resources of owners: those of Kubernetes, those that are defined, and others by a guess. A definition
// counts when it has been written.
func TestResourceOfOwner(t *testing.T) {
	world := &listed{}
	d := defined{world: world}
	resource := func(version, kind string) string {
		return d.resourceOf(&metav1.OwnerReference{APIVersion: version, Kind: kind}).String()
	}
	for _, test := range []struct{ version, kind, want string }{
		{"apps/v1", "ReplicaSet", "replicasets.apps"},
		{"v1", "ReplicationController", "replicationcontrollers"},
		{"example.com/v1", "Mouse", "mouses.example.com"},
	} {
		if got := resource(test.version, test.kind); got != test.want {
			t.Errorf("%s %s: %s, want %s", test.version, test.kind, got, test.want)
		}
	}
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(mice), &o.Object); err != nil {
		t.Fatal(err)
	}
	world.objects = []runtime.Object{o}
	d.change(definition.Kind.GroupResource())
	if got := resource("example.com/v1", "Mouse"); got != "mice.example.com" {
		t.Errorf("a defined kind: %s", got)
	}
}
