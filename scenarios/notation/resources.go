package notation

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/spelling"
	"github.com/kubestep/kubestep/sim/kinds"
)

// IsKind reports whether a kind has this name, in any case: deployment, Deployments, deploy or deployments.apps.
func IsKind(name string) bool { return kinds.BuiltIn().Named(name) != nil }

// NearestResource is the name that was probably meant by an unknown one, or "".
func NearestResource(name string) string {
	return spelling.Nearest(name, kinds.BuiltIn().Names())
}

// KindTry says what to write instead of a version and kind that are not served.
func KindTry(gvk schema.GroupVersionKind) string {
	var names []string
	for _, k := range kinds.BuiltIn().All() {
		if k.Kind == gvk.Kind {
			return "apiVersion: " + k.GroupVersion().String()
		}
		names = append(names, k.Kind)
	}
	if near := spelling.Nearest(gvk.Kind, names); near != "" {
		return "kind: " + near
	}
	return "a built-in kind such as Deployment; custom resources are not simulated"
}
