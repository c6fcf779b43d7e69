package apiserver

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/client-go/dynamic"
	restclient "k8s.io/client-go/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/internal/admissionplugin"
	"github.com/kubestep/kubestep/sim/apiserver/internal/admissionpolicy"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/process/logging"
)

// AdmissionPlugins lists the names of all admission plugins, in the order in which they are asked.
func AdmissionPlugins() []string {
	var names []string
	for _, plugin := range admissionPlugins {
		names = append(names, plugin.name)
	}
	return names
}

// DefaultAdmissionPlugins lists those that kube-apiserver runs unless it is told otherwise.
func DefaultAdmissionPlugins() []string {
	var names []string
	for _, plugin := range admissionPlugins {
		if !plugin.off {
			names = append(names, plugin.name)
		}
	}
	return names
}

// admissionControl asks the enabled plugins of a Server.
type admissionControl struct {
	chain
	// objects is what the plugins may ask about the kinds of objects.
	objects admission.ObjectInterfaces
	// accounts is the ServiceAccount plugin, nil when it is off.
	accounts *serviceAccounts
}

// chain asks several plugins, one after the other.
type chain interface {
	admission.MutationInterface
	admission.ValidationInterface
}

// objectInterfaces is what plugins may ask about the kinds of objects. A webhook for one version of a resource is called for
// requests in its other versions, too.
func objectInterfaces(resources []*Resource) admission.ObjectInterfaces {
	versions := runtime.NewEquivalentResourceRegistry()
	for _, r := range resources {
		versions.RegisterKindFor(r.GroupVersionResource, r.Subresource, r.Kind)
	}
	s := legacyscheme.Scheme
	return &admission.RuntimeObjectInterfaces{
		ObjectCreater: s, ObjectTyper: s, ObjectDefaulter: s, ObjectConvertor: s, EquivalentResourceMapper: versions,
	}
}

// newAdmissionControl builds the enabled plugins of a server that holds nothing yet. They read from caches
// and write through a client that both reach its store at once.
func newAdmissionControl(s *Server, options Options) (*admissionControl, error) {
	enabled := options.Admission
	for _, name := range enabled {
		if !slices.Contains(AdmissionPlugins(), name) {
			return nil, fmt.Errorf("unknown admission plugin %q: known are %s", name, strings.Join(AdmissionPlugins(), ", "))
		}
	}
	control := &admissionControl{objects: objectInterfaces(s.resources)}
	if options.AdmissionControl != nil {
		control.chain = admission.NewChainHandler(options.AdmissionControl)
		return control, nil
	}
	registry := admission.NewPlugins()
	var names []string
	for _, plugin := range admissionPlugins {
		if slices.Contains(enabled, plugin.name) {
			plugin.register(registry)
			names = append(names, plugin.name)
		}
	}
	initialize, err := newInitializers(s, options)
	if err != nil {
		return nil, err
	}
	note := admission.DecoratorFunc(func(handler admission.Interface, _ string) admission.Interface {
		if accounts, ok := handler.(*serviceAccounts); ok {
			control.accounts = accounts
		}
		return handler
	})
	config := options.AdmissionConfig
	if config == nil {
		config = withoutConfig{}
	}
	// It logs the lists of plugins.
	defer logging.To(nil)()
	handlers, err := registry.NewFromPlugins(names, config, initialize, note)
	if err != nil {
		return nil, err
	}
	control.chain = handlers.(chain)
	return control, nil
}

// newInitializers gives each plugin what it asks for.
func newInitializers(s *Server, options Options) (admission.PluginInitializers, error) {
	// Plugins ask for a dynamic client for kinds of which the factory has no cache: there is none.
	unused, err := dynamic.NewForConfig(&restclient.Config{})
	if err != nil {
		return nil, err
	}
	// What the plugins would do until the server stops, they need not begin with: package admissionpolicy.
	stopped := make(chan struct{})
	close(stopped)
	client := NewClientset(direct{s, Self}, nil)
	initializers := admission.PluginInitializers{
		admissionpolicy.Initializer{Caches: s.caches, OpenAPI: s.openAPI},
		webhook.Initializer{Call: options.CallWebhook},
		admissionplugin.NewInitializer(client, unused, s.caches, s.authorizer, stopped, restMapper(s.resources)),
	}
	later := webhook.Postponed{Initializers: initializers, Any: func() bool { return s.webhooks.HasWebhooks() }}
	return append(slices.Clip(initializers), later), nil
}

// restMapper finds the resource of a kind that is stored.
func restMapper(resources []*Resource) meta.RESTMapper {
	mapper := meta.NewDefaultRESTMapper(legacyscheme.Scheme.PrioritizedVersionsAllGroups())
	for _, r := range resources {
		if _, stored := storeOf(r); !stored || r.Subresource != "" {
			continue
		}
		scope := meta.RESTScopeRoot
		if r.Namespaced {
			scope = meta.RESTScopeNamespace
		}
		mapper.AddSpecific(r.Kind, r.GroupVersionResource, r.GroupVersion().WithResource(r.Singular), scope)
	}
	return mapper
}

// withoutConfig implements admission.ConfigProvider: all plugins have their default configuration.
type withoutConfig struct{}

// ConfigFor implements admission.ConfigProvider.
func (withoutConfig) ConfigFor(string) (io.Reader, error) { return nil, nil }
