// Package admissionpolicy evaluates ValidatingAdmissionPolicies and MutatingAdmissionPolicies with upstream's admission plugins:
// which policies match a request, their params, match conditions, variables, validations, mutations, messages, audit
// annotations and the budget of CEL costs.
//
// Upstream's plugins compile policies on a goroutine that looks once a second whether one has changed. The same happens
// here, at the same times, but on the goroutine of a request: see source. And where upstream keeps policies in a
// Go map, so that of two policies that mutate an object the first one is left to chance, here they go by their names.
// The plugins have no option for either, so two of their fields are replaced before they start.
package admissionpolicy

import (
	"context"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	policypatch "k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/openapi"
	"k8s.io/kubernetes/pkg/kubeapiserver/admission/exclusion"

	"github.com/kubestep/kubestep/sim/apiserver/internal/renamed"
	"github.com/kubestep/kubestep/sim/apiserver/internal/storecache"
	"github.com/kubestep/kubestep/sim/process/unexported"
)

// Initializer prepares the plugins of a server.
type Initializer struct {
	Caches *storecache.Factory
	// OpenAPI returns the server's own documents. It is called when an expression needs them.
	OpenAPI func() openapi.Client
}

// Initialize implements admission.PluginInitializer.
func (p Initializer) Initialize(plugin admission.Interface) {
	if wants, ok := plugin.(initializer.WantsExcludedAdmissionResources); ok {
		wants.SetExcludedAdmissionResources(exclusion.Excluded())
	}
	switch of := plugin.(type) {
	case *validating.Plugin:
		replaceSource(p.Caches, of.Plugin, func(hook validating.PolicyHook) string { return hook.Policy.Name })
	case *mutating.Plugin:
		replaceSource(p.Caches, of.Plugin, func(hook mutating.PolicyHook) string { return hook.Policy.Name })
		*unexported.Field[dispatcherFactory](of.Plugin, "dispatcherFactory") = func(
			a renamed.Authorizer, m *matching.Matcher, _ kubernetes.Interface,
		) generic.Dispatcher[mutating.PolicyHook] {
			return mutating.NewDispatcher(a, m, &typesOnDemand{openAPI: p.OpenAPI})
		}
	}
}

// dispatcherFactory makes what calls the mutating policies.
type dispatcherFactory = func(renamed.Authorizer, *matching.Matcher, kubernetes.Interface) generic.Dispatcher[mutating.PolicyHook]

// sourceFactory makes the source of a plugin's policies.
type sourceFactory[H any] = func(
	informers.SharedInformerFactory, kubernetes.Interface, dynamic.Interface, meta.RESTMapper,
) generic.Source[H]

// replaceSource puts a source between a plugin and upstream's source.
func replaceSource[H any](stored *storecache.Factory, plugin *generic.Plugin[H], name func(H) string) {
	factory := unexported.Field[sourceFactory[H]](plugin, unexported.SourceFactory)
	upstream := *factory
	*factory = func(
		_ informers.SharedInformerFactory, client kubernetes.Interface, unused dynamic.Interface, mapper meta.RESTMapper,
	) generic.Source[H] {
		return newSource(stored, name, func(caches informers.SharedInformerFactory) generic.Source[H] {
			return upstream(caches, client, paramReader{unused}, mapper)
		})
	}
}

// typesOnDemand finds the schemas that ApplyConfiguration expressions need. Upstream's TypeConverterManager reads the
// list of OpenAPI documents every five seconds, on a goroutine. Here the list never changes, and is read when the first
// expression is evaluated: only then does the server need its HTTP interface.
type typesOnDemand struct {
	openAPI func() openapi.Client
	policypatch.TypeConverterManager
}

// Run implements policypatch.TypeConverterManager.
func (*typesOnDemand) Run(context.Context) {}

// GetTypeConverter implements policypatch.TypeConverterManager.
func (t *typesOnDemand) GetTypeConverter(gvk schema.GroupVersionKind) managedfields.TypeConverter {
	if t.TypeConverterManager == nil {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		documents := onlyOnce{t.openAPI(), cancel}
		t.TypeConverterManager = policypatch.NewTypeConverterManager(nil, documents)
		// It reads the list, and then finds that its context has ended.
		t.TypeConverterManager.Run(ctx)
	}
	return t.TypeConverterManager.GetTypeConverter(gvk)
}
