package expr

import (
	"fmt"
	"reflect"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/sim/kinds"
)

// lookupKind finds a kind by any of the names that kubectl takes: Deployment, deployments, deploy, deployments.apps.
func (s *typeTable) lookupKind(name string) (*kinds.Kind, error) {
	k := s.kinds.Named(name)
	if k == nil {
		return nil, fmt.Errorf("unknown kind %s%s", quote(name), didYouMean(name, s.kinds.Names()))
	}
	if k.GroupResource() == eventsv1.Resource("events") {
		// Events of both groups are one table in the store, which shows them as those of the core group.
		return s.kinds.Of(schema.GroupResource{Resource: "events"}), nil
	}
	return k, nil
}

// builtIn is the kind of a resource that a function is made for.
func (s *typeTable) builtIn(resource string) *kinds.Kind { return s.kinds.Named(resource) }

// goType is the struct type of a kind's objects in the version that a World holds, which is the one that the API server
// prefers. It is nil for kinds without a Go type, such as custom resources.
func goType(k *kinds.Kind) reflect.Type {
	object, err := manifest.Scheme.New(k.GroupVersionKind())
	if err != nil {
		return nil
	}
	return reflect.TypeOf(object).Elem()
}

// in fills in the default namespace, and refuses one for a cluster-scoped kind.
func in(k *kinds.Kind, namespace string) (string, error) {
	switch {
	case k.Namespaced && namespace == "":
		return defaultNamespace, nil
	case !k.Namespaced && namespace != "":
		return "", fmt.Errorf("a %s is in no namespace; leave %s out", k.Singular, quote(namespace))
	}
	return namespace, nil
}
