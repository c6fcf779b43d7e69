package server

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/admission"
	apiserverconfig "k8s.io/apiserver/pkg/apis/apiserver/install"
	openapinamer "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	genericoptions "k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/util/compatibility"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/client-go/util/keyutil"
	basecompatibility "k8s.io/component-base/compatibility"
	"k8s.io/component-base/featuregate"
	featuregatetesting "k8s.io/component-base/featuregate/testing"
	"k8s.io/kubernetes/cmd/kube-apiserver/app/options"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/controlplane"
	"k8s.io/kubernetes/pkg/generated/openapi"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/authorization"
	"github.com/kubestep/kubestep/sim/apiserver/emulation"
	"github.com/kubestep/kubestep/sim/apiserver/token"
	"github.com/kubestep/kubestep/sim/cluster/bubble"
)

// newOptions returns kube-apiserver's options with gates and a version of their own, which begin as those of the process.
// binary is the version of the binary, empty for that of the libraries.
func newOptions(binary string) *options.ServerRunOptions {
	opts := options.NewServerRunOptions()
	gates := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	effective := compatibility.DefaultKubeEffectiveVersionForTest()
	if binary != "" {
		effective = basecompatibility.NewEffectiveVersionFromString(binary, "", "")
	}
	effective.SetEmulationVersion(gates.EmulationVersion())
	effective.SetMinCompatibilityVersion(gates.MinCompatibilityVersion())
	if !effective.BinaryVersion().EqualTo(effective.EmulationVersion()) {
		opts.GenericServerRunOptions.RuntimeConfigEmulationForwardCompatible = true
	}
	registry := basecompatibility.NewComponentGlobalsRegistry()
	utilruntime.Must(registry.Register(basecompatibility.DefaultKubeComponent, effective, gates))
	opts.GenericServerRunOptions.ComponentGlobalsRegistry = registry
	return opts
}

// settingsOf reads the options that a simulation has, too. token is that of a client that may do everything.
func settingsOf(
	t bubble.TB, opts *options.ServerRunOptions, modify func(*controlplane.Config),
) (settings apiserver.Options, token string, err error) {
	if err := setGates(t, opts); err != nil {
		return settings, "", err
	}
	if err := completeAccess(opts); err != nil {
		return settings, "", err
	}
	run := opts.GenericServerRunOptions
	settings = apiserver.Options{
		RuntimeConfig: opts.APIEnablement.RuntimeConfig, ServiceSubnet: opts.ServiceClusterIPRanges,
		Emulation: emulation.Options{
			Version:                        run.ComponentGlobalsRegistry.EffectiveVersionFor(basecompatibility.DefaultKubeComponent),
			ForwardCompatible:              run.EmulationForwardCompatible,
			RuntimeConfigForwardCompatible: run.RuntimeConfigEmulationForwardCompatible,
		},
		MinRequestTimeout: time.Duration(run.MinRequestTimeout) * time.Second,
		CustomResources:   true,
		Metrics:           true,
	}
	if slices.Contains(opts.Authorization.Modes, authorization.RBAC) {
		settings.Authorization = authorization.RBAC
	}
	plugins := opts.Admission.GenericAdmission
	settings.Admission = known(enabled(plugins))
	if plugins.ConfigFile != "" {
		provider, err := admission.ReadAdmissionConfiguration(settings.Admission, plugins.ConfigFile, configScheme)
		if err != nil {
			return settings, "", fmt.Errorf("admission configuration: %w", err)
		}
		settings.AdmissionConfig = provider
	}
	token, err = applyConfig(&settings, opts, modify)
	return settings, token, err
}

// tokensOf are the tokens of service accounts that a server issues and accepts.
func tokensOf(opts *options.ServerRunOptions, config *controlplane.Config) (*token.Options, error) {
	issued := &token.Options{
		Issuers: opts.Authentication.ServiceAccounts.Issuers, Audiences: config.ControlPlane.Generic.Authentication.APIAudiences,
		Generator: config.ControlPlane.Extra.ServiceAccountIssuer, MaxExpiration: config.ControlPlane.Extra.ServiceAccountMaxExpiration,
		KeysURI: opts.Authentication.ServiceAccounts.JWKSURI, NotesUse: true,
	}
	for _, file := range opts.Authentication.ServiceAccounts.KeyFiles {
		keys, err := keyutil.PublicKeysFromFile(file)
		if err != nil {
			return nil, fmt.Errorf("key of tokens: %w", err)
		}
		issued.Keys = append(issued.Keys, keys...)
	}
	return issued, nil
}

// configScheme knows the types of configuration files.
var configScheme = func() *runtime.Scheme {
	scheme := runtime.NewScheme()
	apiserverconfig.Install(scheme)
	return scheme
}()

// enabled lists the plugins that kube-apiserver enables.
func enabled(o *genericoptions.AdmissionOptions) []string {
	var names []string
	for _, name := range o.RecommendedPluginOrder {
		off := o.DefaultOffPlugins.Has(name) || slices.Contains(o.DisablePlugins, name)
		if !off || slices.Contains(o.EnablePlugins, name) {
			names = append(names, name)
		}
	}
	return names
}

// known keeps the plugins that the simulation has.
func known(names []string) []string {
	plugins := []string{}
	for _, name := range names {
		if slices.Contains(apiserver.AdmissionPlugins(), name) {
			plugins = append(plugins, name)
		} else {
			note("admission plugin %s is missing", name)
		}
	}
	return plugins
}

// applyConfig lets a test change the configuration that a kube-apiserver would have, and reads what it has set. modify may be nil.
func applyConfig(
	settings *apiserver.Options, opts *options.ServerRunOptions, modify func(*controlplane.Config),
) (loopback string, err error) {
	config := &controlplane.Config{}
	config.ControlPlane.Generic = genericapiserver.NewConfig(legacyscheme.Codecs)
	config.ControlPlane.Generic.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(
		openapi.GetOpenAPIDefinitions, openapinamer.NewDefinitionNamer(legacyscheme.Scheme))
	config.ControlPlane.Extra.APIResourceConfigSource = controlplane.DefaultAPIResourceConfigSource()
	config.ControlPlane.Generic.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(
		openapi.GetOpenAPIDefinitions, openapinamer.NewDefinitionNamer(legacyscheme.Scheme))
	users := &access{}
	if err := users.configure(opts, config); err != nil {
		return "", err
	}
	if modify != nil {
		modify(config)
	}
	settings.AdmissionControl = config.ControlPlane.Generic.AdmissionControl
	settings.Access = users.of(opts, config)
	settings.Tokens, err = tokensOf(opts, config)
	return config.ControlPlane.Generic.LoopbackClientConfig.BearerToken, err
}

// setGates gives the process the feature gates and versions of the options until the test ends: most of upstream's code
// reads those of the process.
func setGates(t bubble.TB, opts *options.ServerRunOptions) error {
	registry := opts.GenericServerRunOptions.ComponentGlobalsRegistry
	if err := registry.Set(); err != nil {
		return err
	}
	gates := registry.FeatureGateFor(basecompatibility.DefaultKubeComponent)
	own := utilfeature.DefaultMutableFeatureGate
	tb, ok := t.(testing.TB)
	if !ok {
		note("feature gates and versions are ignored: the test is not a testing.TB")
		return nil
	}
	effective := registry.EffectiveVersionFor(basecompatibility.DefaultKubeComponent)
	emulated, compatible := effective.EmulationVersion(), effective.MinCompatibilityVersion()
	if !emulated.EqualTo(own.EmulationVersion()) || !compatible.EqualTo(own.MinCompatibilityVersion()) {
		featuregatetesting.SetFeatureGateVersionsDuringTest(tb, own, emulated, compatible)
	}
	changed := map[featuregate.Feature]bool{}
	for name := range own.GetAll() {
		if on := gates.Enabled(name); on != own.Enabled(name) {
			changed[name] = on
		}
	}
	if len(changed) > 0 {
		featuregatetesting.SetFeatureGatesDuringTest(tb, utilfeature.DefaultFeatureGate, changed)
	}
	return nil
}
