package verb

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/scenarios/language/source"
)

// unserved says why the API server does not serve the kind of a custom resource, if that is the error. Otherwise, it returns the
// error as it is.
func unserved(w World, m manifest.Manifest, err error) error {
	if w.Scenario().Spec.Steps[w.Step()].Fails != "" || !m.IsCustom() || !apierrors.IsNotFound(err) {
		return err
	}
	resource := m.Target().Kind().GroupResource()
	problem := source.Problem("wait: {for: list('crds').exists(d, d.metadata.name == '"+resource.String()+"')}",
		"no matches for kind %q in version %q", m.GVK.Kind, m.GVK.GroupVersion())
	for _, object := range w.Simulation().State.List(definition.Kind.GroupResource(), "") {
		crd := object.(*unstructured.Unstructured)
		if crd.GetName() != resource.String() {
			continue
		}
		reason, message := notAccepted(crd)
		if message == "" {
			problem.Try = "a later step: the CustomResourceDefinition " + crd.GetName() + " is not established yet"
			break
		}
		problem = source.Problem("another name in the CustomResourceDefinition",
			"no matches for kind %q in version %q: the names of the CustomResourceDefinition %s are not accepted: %s: %s",
			m.GVK.Kind, m.GVK.GroupVersion(), crd.GetName(), reason, message)
	}
	return w.Scenario().Place(problem, path(w), m.Position)
}

// notAccepted is why the names of a definition are not accepted, "" if they are.
func notAccepted(crd *unstructured.Unstructured) (reason, message string) {
	conditions, _, _ := unstructured.NestedSlice(crd.Object, "status", "conditions")
	for _, c := range conditions {
		condition, _ := c.(map[string]any)
		if condition["type"] == "NamesAccepted" && condition["status"] == "False" {
			reason, _ = condition["reason"].(string)
			message, _ = condition["message"].(string)
		}
	}
	return reason, message
}
