package apiserver

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/initializer"
	"k8s.io/apiserver/pkg/admission/plugin/namespace/lifecycle"
	"k8s.io/apiserver/pkg/admission/plugin/resourcequota"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/plugin/pkg/admission/defaulttolerationseconds"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
	"k8s.io/kubernetes/plugin/pkg/admission/nodetaint"
	"k8s.io/kubernetes/plugin/pkg/admission/priority"
	"k8s.io/kubernetes/plugin/pkg/admission/serviceaccount"
	"k8s.io/kubernetes/plugin/pkg/admission/storage/storageobjectinuseprotection"
)

// The admission plugins that a Server can run.
const (
	NamespaceLifecycle           = lifecycle.PluginName
	LimitRanger                  = limitranger.PluginName
	ServiceAccount               = serviceaccount.PluginName
	TaintNodesByCondition        = nodetaint.PluginName
	Priority                     = priority.PluginName
	DefaultTolerationSeconds     = defaulttolerationseconds.PluginName
	StorageObjectInUseProtection = storageobjectinuseprotection.PluginName
	ResourceQuota                = resourcequota.PluginName
)

// admissionPlugins are the plugins in the order in which kube-apiserver asks them (AllOrderedPlugins in
// pkg/kubeapiserver/options). Two of upstream's plugins sleep while they wait for a cache or a controller,
// and one has a pool of workers: these come through a constructor of ours.
var admissionPlugins = []struct {
	name     string
	register func(*admission.Plugins)
}{
	{NamespaceLifecycle, constructor(NamespaceLifecycle, newNamespaceLifecycle)},
	{LimitRanger, limitranger.Register},
	{ServiceAccount, constructor(ServiceAccount, newServiceAccounts)},
	{TaintNodesByCondition, nodetaint.Register},
	{Priority, priority.Register},
	{DefaultTolerationSeconds, defaulttolerationseconds.Register},
	{StorageObjectInUseProtection, storageobjectinuseprotection.Register},
	{ResourceQuota, registerQuotas},
}

func constructor(name string, create func() (admission.Interface, error)) func(*admission.Plugins) {
	return func(plugins *admission.Plugins) {
		plugins.Register(name, func(io.Reader) (admission.Interface, error) { return create() })
	}
}

// AdmissionPlugins lists the names of all admission plugins, in the order in which they are asked.
func AdmissionPlugins() []string {
	var names []string
	for _, plugin := range admissionPlugins {
		names = append(names, plugin.name)
	}
	return names
}

// admissionControl asks the enabled plugins of a Server.
type admissionControl struct {
	chain
	// accounts is the ServiceAccount plugin, nil when it is off.
	accounts *serviceAccounts
}

// chain asks several plugins, one after the other.
type chain interface {
	admission.MutationInterface
	admission.ValidationInterface
}

// objectInterfaces is what plugins may ask about the kinds of objects.
var objectInterfaces = admission.NewObjectInterfacesFromScheme(legacyscheme.Scheme)

// newAdmissionControl builds the enabled plugins of a server that holds nothing yet. They read from caches
// and write through a client that both reach its store at once.
func newAdmissionControl(s *Server, options Options) (*admissionControl, error) {
	enabled := options.Admission
	for _, name := range enabled {
		if !slices.Contains(AdmissionPlugins(), name) {
			return nil, fmt.Errorf("unknown admission plugin %q: known are %s", name, strings.Join(AdmissionPlugins(), ", "))
		}
	}
	control := &admissionControl{}
	if options.AdmissionControl != nil {
		control.chain = admission.NewChainHandler(options.AdmissionControl)
		return control, nil
	}
	client := NewClientset(direct{s, Self}, nil)
	initialize := initializer.New(client, nil, s.caches, nil, utilfeature.DefaultFeatureGate, nil, nil, nil)
	config, err := pluginConfigs(options)
	if err != nil {
		return nil, err
	}
	registry := admission.NewPlugins()
	var handlers []admission.Interface
	for _, plugin := range admissionPlugins {
		if !slices.Contains(enabled, plugin.name) {
			continue
		}
		plugin.register(registry)
		handler, err := registry.InitPlugin(plugin.name, config[plugin.name], initialize)
		if err != nil {
			return nil, err
		}
		if accounts, ok := handler.(*serviceAccounts); ok {
			control.accounts = accounts
		}
		handlers = append(handlers, handler)
	}
	control.chain = admission.NewChainHandler(handlers...)
	return control, nil
}

// pluginConfigs reads the configuration of the enabled plugins.
func pluginConfigs(options Options) (map[string]io.Reader, error) {
	configs := map[string]io.Reader{}
	if options.AdmissionConfig == nil {
		return configs, nil
	}
	for _, name := range options.Admission {
		config, err := options.AdmissionConfig.ConfigFor(name)
		if err != nil {
			return nil, fmt.Errorf("configuration of admission plugin %s: %w", name, err)
		}
		if config != nil {
			configs[name] = config
		}
	}
	return configs, nil
}
