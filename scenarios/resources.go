package scenarios

import (
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/expr"
	"github.com/kubestep/kubestep/scenarios/spelling"
)

// apiResource is one row of what "kubectl api-resources" prints.
type apiResource struct {
	schema.GroupVersionResource
	kind       string
	shortNames []string
	namespaced bool
}

// apiResources are the kinds that conditions know, which are all that the simulated API server stores, and further
// versions in which it serves them. Where a kind is served in several versions the preferred one comes first; a name
// that two groups share, such as events, means the first.
var apiResources = func() []apiResource {
	var all []apiResource
	for _, k := range expr.Kinds() {
		all = append(all, apiResource{k.Resource, k.Kind, k.ShortNames, k.Namespaced})
	}
	hpas := autoscalingv1.SchemeGroupVersion.WithResource("horizontalpodautoscalers")
	return append(all,
		apiResource{hpas, "HorizontalPodAutoscaler", []string{"hpa"}, true},
		apiResource{eventsv1.SchemeGroupVersion.WithResource("events"), "Event", []string{"ev"}, true})
}()

func (r apiResource) names() []string {
	return append([]string{r.Resource, strings.ToLower(r.kind)}, r.shortNames...)
}

// ResolveResource finds a kind by any of its names, in any case: deployment, Deployments, deploy
// and deployments.apps are all apps/v1 deployments.
func ResolveResource(name string) (
	gvr schema.GroupVersionResource, kind string, namespaced, ok bool) {
	name, group, qualified := strings.Cut(strings.ToLower(name), ".")
	for _, r := range apiResources {
		if qualified && group != r.Group {
			continue
		}
		for _, known := range r.names() {
			if known == name {
				return r.GroupVersionResource, r.kind, r.namespaced, true
			}
		}
	}
	return schema.GroupVersionResource{}, "", false, false
}

// nearestResource is the name that was probably meant by an unknown one, or "".
func nearestResource(name string) string {
	var known []string
	for _, r := range apiResources {
		known = append(known, r.names()...)
	}
	return spelling.Nearest(name, known)
}

// Serves tells whether the API server serves manifests of this version and kind.
func Serves(gvk schema.GroupVersionKind) bool {
	for _, r := range apiResources {
		if r.GroupVersion() == gvk.GroupVersion() && r.kind == gvk.Kind {
			return true
		}
	}
	return false
}

// kindTry says what to write instead of a version and kind that are not served.
func kindTry(gvk schema.GroupVersionKind) string {
	var kinds []string
	for _, r := range apiResources {
		if r.kind == gvk.Kind {
			return "apiVersion: " + r.GroupVersion().String()
		}
		kinds = append(kinds, r.kind)
	}
	if near := spelling.Nearest(gvk.Kind, kinds); near != "" {
		return "kind: " + near
	}
	return "a built-in kind such as Deployment; custom resources are not simulated"
}
