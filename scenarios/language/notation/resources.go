package notation

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/kinds"
)

// NearestResource is the name that was probably meant by an unknown one, or "".
func NearestResource(table *kinds.Table, name string) string {
	return spelling.Nearest(name, table.Names())
}

// KindTry says what to write instead of a version and kind that are not served.
func KindTry(table *kinds.Table, gvk schema.GroupVersionKind) string {
	var names []string
	for _, k := range table.All() {
		if k.Kind == gvk.Kind {
			return "apiVersion: " + k.GroupVersion().String()
		}
		names = append(names, k.Kind)
	}
	if near := spelling.Nearest(gvk.Kind, names); near != "" {
		return "kind: " + near
	}
	return "a built-in kind such as Deployment, or add the CustomResourceDefinition to spec.cluster.definitions"
}

// Plural is the name of a resource without its group: deployments of deployments.apps.
func Plural(resource string) string {
	name, _, _ := strings.Cut(resource, ".")
	return name
}
