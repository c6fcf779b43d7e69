package controllers

import (
	"errors"
	"fmt"
	"sync"

	configv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	"k8s.io/kubernetes/pkg/controller/apis/config"
	conversion "k8s.io/kubernetes/pkg/controller/apis/config/v1alpha1"
	"sigs.k8s.io/yaml"
)

// gcWorkers is how many objects the garbage collector processes at the same time; upstream's default is 20. Dependents
// enter its queue in the order of a map keyed by pointers, which no seed decides. But the gate sorts the requests of
// one virtual time, so with at least as many workers as dependents the order of a deletion depends on the seed. Its
// speed depends on the client's limit anyway.
const gcWorkers = 1000

// NewConfig returns kube-controller-manager's component configuration: upstream's defaults, with the fields
// of overrides, a KubeControllerManagerConfiguration in YAML or JSON, on top. Unknown fields are errors, and
// so are fields that a scenario may not set.
func NewConfig(overrides []byte) (*config.KubeControllerManagerConfiguration, error) {
	defaults, err := options.NewDefaultComponentConfig()
	if err != nil {
		return nil, fmt.Errorf("defaults of the component configuration: %w", err)
	}
	if err := flagDefaults(&defaults); err != nil {
		return nil, err
	}
	defaults.GarbageCollectorController.ConcurrentGCSyncs = gcWorkers
	if len(overrides) == 0 {
		withoutPlugins(&defaults)
		return &defaults, nil
	}
	external := &configv1alpha1.KubeControllerManagerConfiguration{}
	toExternal := conversion.Convert_config_KubeControllerManagerConfiguration_To_v1alpha1_KubeControllerManagerConfiguration
	err = toExternal(&defaults, external, nil)
	if err != nil {
		return nil, err
	}
	before := external.DeepCopy()
	if err := yaml.UnmarshalStrict(overrides, external); err != nil {
		return nil, configError(err)
	}
	if err := checkSettable(before, external); err != nil {
		return nil, err
	}
	if err := checkWorkers(external); err != nil {
		return nil, err
	}
	if err := checkPeriods(external); err != nil {
		return nil, err
	}
	out := &config.KubeControllerManagerConfiguration{}
	toInternal := conversion.Convert_v1alpha1_KubeControllerManagerConfiguration_To_config_KubeControllerManagerConfiguration
	if err := toInternal(external, out, nil); err != nil {
		return nil, err
	}
	if err := checkConfig(out); err != nil {
		return nil, err
	}
	withoutPlugins(out)
	return out, nil
}

// flagDefaults sets what upstream sets only in its options and when it registers the flags: the kind of CIDR allocator, the
// resources that are not collected, and the rates at which nodes of a zone are tainted. Without the rates, the second of two
// nodes that fail together would never be.
func flagDefaults(c *config.KubeControllerManagerConfiguration) error {
	flags, err := registered()
	if err != nil {
		return fmt.Errorf("options of kube-controller-manager: %w", err)
	}
	return errors.Join(
		flags.KubeCloudShared.ApplyTo(&c.KubeCloudShared),
		flags.GarbageCollectorController.ApplyTo(&c.GarbageCollectorController),
		flags.NodeLifecycleController.ApplyTo(&c.NodeLifecycleController),
	)
}

// registered are upstream's options with their flags. Until 1.35, registering them overrides the default of the feature gate
// WatchListClient, which a process can do only once if a scenario turns this gate off.
var registered = sync.OnceValues(func() (*options.KubeControllerManagerOptions, error) {
	flags, err := options.NewKubeControllerManagerOptions()
	if err == nil {
		flags.Flags(nil, nil, nil)
	}
	return flags, err
})

// withoutPlugins disables the search for FlexVolume plugins. It would create the directory on this machine, and watch
// it through fsnotify, whose goroutine waits for the kernel, which virtual time does not cover. Without a directory
// upstream logs one line and continues.
func withoutPlugins(c *config.KubeControllerManagerConfiguration) {
	c.PersistentVolumeBinderController.VolumeConfiguration.FlexVolumePluginDir = ""
}
