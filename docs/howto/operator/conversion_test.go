package operator

import (
	"errors"
	"fmt"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"github.com/kubestep/kubestep/scenarios/scenariotest"
	"github.com/kubestep/kubestep/scenarios/scenariotest/ctrltest"
)

// farm is version v1 of a Farm, to and from which the others are converted.
type farm struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Size string `json:"size,omitempty"`
	} `json:"spec"`
}

// Hub implements conversion.Hub.
func (*farm) Hub() {}

// DeepCopyObject implements runtime.Object.
func (f *farm) DeepCopyObject() runtime.Object {
	out := *f
	out.ObjectMeta = *f.ObjectMeta.DeepCopy()
	return &out
}

// oldFarm is version v1alpha1.
type oldFarm struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Spec              struct {
		Hectares int `json:"hectares,omitempty"`
	} `json:"spec"`
}

// DeepCopyObject implements runtime.Object.
func (f *oldFarm) DeepCopyObject() runtime.Object {
	out := *f
	out.ObjectMeta = *f.ObjectMeta.DeepCopy()
	return &out
}

// ConvertTo implements conversion.Convertible.
func (f *oldFarm) ConvertTo(hub conversion.Hub) error {
	to := hub.(*farm)
	to.ObjectMeta, to.Spec.Size = f.ObjectMeta, fmt.Sprintf("%dha", f.Spec.Hectares)
	return nil
}

// ConvertFrom implements conversion.Convertible.
func (f *oldFarm) ConvertFrom(hub conversion.Hub) error {
	from := hub.(*farm)
	f.ObjectMeta = from.ObjectMeta
	if _, err := fmt.Sscanf(from.Spec.Size, "%dha", &f.Spec.Hectares); err != nil {
		return errors.New("the size has no unit")
	}
	return nil
}

var (
	_ conversion.Hub         = &farm{}
	_ conversion.Convertible = &oldFarm{}
)

// TestConversion lets a manager convert between the versions of its types, and asks it as servers before apiextensions v1 did.
func TestConversion(t *testing.T) {
	manager := ctrltest.Manager{
		Kinds: []ctrltest.AddToScheme{func(scheme *runtime.Scheme) error {
			scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Farm"}, &farm{})
			scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: "v1alpha1", Kind: "Farm"}, &oldFarm{})
			return nil
		}},
		Setup: func(manager ctrl.Manager) error { return ctrl.NewWebhookManagedBy(manager, &farm{}).Complete() },
	}
	hashes := map[string]bool{}
	for range 2 {
		result := scenariotest.Run(t, "testdata/conversion.yaml", ctrltest.Operator("farmer", manager.Run))
		hashes[result.Outcome.TraceHash] = true
		t.Log("\n"+result.Text(), result.Outcome.TraceHash)
	}
	if len(hashes) != 1 {
		t.Errorf("%d hashes from one seed", len(hashes))
	}
}
