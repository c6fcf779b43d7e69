package invariant

import (
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/sim/kinds"
)

// defined knows the kinds of a run: those of Kubernetes, and those of CustomResourceDefinitions.
type defined struct {
	world World
	// table is nil until a kind is needed, and after a definition was written.
	table *kinds.Table
}

// change takes a write.
func (d *defined) change(resource schema.GroupResource) {
	if resource == definition.Kind.GroupResource() {
		d.table = nil
	}
}

// resourceOf is the resource of an owner. That of a kind that is not defined is guessed.
func (d *defined) resourceOf(owner *metav1.OwnerReference) schema.GroupResource {
	if d.table == nil {
		d.table = definition.TableIn(d.world.List(definition.Kind.GroupResource(), ""))
	}
	gvk := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	if kind := d.table.Serving(gvk); kind != nil {
		return kind.GroupResource()
	}
	plural, _ := meta.UnsafeGuessKindToResource(gvk)
	return plural.GroupResource()
}
