package notation

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/spelling"
	"github.com/kubestep/kubestep/sim/kinds"
)

// ResolveResource finds a kind by any of its names, in any case: deployment, Deployments, deploy
// and deployments.apps are all apps/v1 deployments.
func ResolveResource(name string) (
	gvr schema.GroupVersionResource, kind string, namespaced, ok bool) {
	k := kinds.BuiltIn().Named(name)
	if k == nil {
		return schema.GroupVersionResource{}, "", false, false
	}
	return k.GroupVersionResource(), k.Kind, k.Namespaced, true
}

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
