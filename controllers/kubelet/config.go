//go:build linux

package kubelet

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	kubeletconfigv1beta1 "k8s.io/kubelet/config/v1beta1"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	kubeletscheme "k8s.io/kubernetes/pkg/kubelet/apis/config/scheme"
	"k8s.io/kubernetes/pkg/kubelet/apis/config/validation"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
)

// Configuration is the kubelet's component configuration.
type Configuration = kubeletconfig.KubeletConfiguration

// settable are the fields that a scenario can set: those that act without an operating system. All others are about cgroups,
// files, sockets, devices or the kubelet's own server.
var settable = []string{
	"syncFrequency", "nodeStatusUpdateFrequency", "nodeStatusReportFrequency", "nodeLeaseDurationSeconds", "maxPods", "podsPerCore",
	"imageMinimumGCAge", "imageMaximumGCAge", "imageGCHighThresholdPercent", "imageGCLowThresholdPercent",
	"serializeImagePulls", "maxParallelImagePulls", "registryPullQPS", "registryBurst",
	"kubeAPIQPS", "kubeAPIBurst",
	"evictionHard", "evictionSoft", "evictionSoftGracePeriod", "evictionPressureTransitionPeriod", "evictionMaxPodGracePeriod",
	"evictionMinimumReclaim", "mergeDefaultEvictionSettings", "systemReserved", "kubeReserved",
	"configMapAndSecretChangeDetectionStrategy", "enableControllerAttachDetach", "crashLoopBackOff", "registerWithTaints",
	"fileCheckFrequency", "volumeStatsAggPeriod", "shutdownGracePeriod", "shutdownGracePeriodCriticalPods", "shutdownGracePeriodByPodPriority",
}

// Defaults is upstream's configuration with what the simulation has none of left out: cgroups, sockets, files of static Pods, and a
// server.
func Defaults() (*Configuration, error) {
	c, err := options.NewKubeletConfiguration()
	if err != nil {
		return nil, err
	}
	without(c)
	return c, nil
}

// clusterDNS is the address of the cluster's DNS server, as kubeadm configures kubelets: the tenth of the range of Services.
const clusterDNS = "10.96.0.10"

// without leaves out what the simulation has none of.
func without(c *Configuration) {
	c.EnableServer, c.ReadOnlyPort, c.HealthzPort = false, 0, 0
	c.StaticPodPath, c.ResolverConfig = "", ""
	if c.EvictionHard == nil { // as loadConfigFile in cmd/kubelet/app/server.go
		c.EvictionHard = maps.Clone(eviction.DefaultEvictionHard)
	} else if c.MergeDefaultEvictionSettings {
		for signal, threshold := range eviction.DefaultEvictionHard {
			c.EvictionHard[signal] = cmp.Or(c.EvictionHard[signal], threshold)
		}
	}
	c.FailCgroupV1 = false // it is about the cgroups of the machine
	c.CgroupsPerQOS, c.EnforceNodeAllocatable, c.CgroupRoot = false, nil, ""
	c.LocalStorageCapacityIsolation = true
	if c.VolumeStatsAggPeriod.Duration == volumeStatsAggPeriod {
		c.VolumeStatsAggPeriod.Duration = -1 // never: that is for nodes whose programs write to volumes (MeasureVolumes)
	}
	if len(c.ClusterDNS) == 0 {
		c.ClusterDNS, c.ClusterDomain = []string{clusterDNS}, "cluster.local"
	}
}

// volumeStatsAggPeriod is upstream's default.
const volumeStatsAggPeriod = time.Minute

// MeasureVolumes makes kubelets measure what is in volumes, as often as upstream's default is, unless the configuration says how often.
func MeasureVolumes(c *Configuration) {
	if c.VolumeStatsAggPeriod.Duration < 0 {
		c.VolumeStatsAggPeriod.Duration = volumeStatsAggPeriod
	}
}

// NewConfig returns the configuration of upstream's defaults with the fields of overrides, a KubeletConfiguration in JSON. It decodes
// and validates like kubelet --config; an error is a *ConfigError. kind and apiVersion may be missing.
func NewConfig(overrides []byte) (*Configuration, error) {
	if len(overrides) == 0 {
		return Defaults()
	}
	document := map[string]any{}
	if err := json.Unmarshal(overrides, &document); err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	for name, value := range map[string]string{"kind": Kind, "apiVersion": kubeletconfigv1beta1.SchemeGroupVersion.String()} {
		if document[name] == nil {
			document[name] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(document)) {
		if err := checkField(name); err != nil {
			return nil, err
		}
	}
	data, err := json.Marshal(document)
	if err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	_, codecs, err := kubeletscheme.NewSchemeAndCodecs(serializer.EnableStrict)
	if err != nil {
		return nil, err
	}
	object, err := runtime.Decode(codecs.UniversalDecoder(), data)
	if err != nil {
		return nil, decodeError(err)
	}
	out, ok := object.(*Configuration)
	if !ok {
		return nil, &ConfigError{Field: "kind", Problem: fmt.Sprintf("the kind is %v", document["kind"]), Try: "kind: " + Kind}
	}
	without(out)
	if err := validation.ValidateKubeletConfiguration(out, utilfeature.DefaultFeatureGate); err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	if _, err := eviction.ParseThresholdConfig(
		nil, out.EvictionHard, out.EvictionSoft, out.EvictionSoftGracePeriod, out.EvictionMinimumReclaim); err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	return out, nil
}

// elsewhere are fields about what belongs to all processes of a simulation, or to none, with what to write in their place.
var elsewhere = map[string]struct{ problem, try string }{
	"featureGates":   {"the feature gates of a simulation are those of all its processes", "spec.kubernetes.featureGates"},
	"registerNode":   {"each kubelet registers its node", "remove registerNode"},
	"eventRecordQPS": {"Events share the limit of all requests of a kubelet", "kubeAPIQPS"},
	"eventBurst":     {"Events share the limit of all requests of a kubelet", "kubeAPIBurst"},
}

// checkField refuses a field that needs an operating system.
func checkField(name string) error {
	if name == "kind" || name == "apiVersion" || slices.Contains(settable, name) {
		return nil
	}
	if other, found := elsewhere[name]; found {
		return &ConfigError{Field: name, Problem: name + " cannot be set: " + other.problem, Try: other.try}
	}
	for f := range reflect.TypeFor[kubeletconfigv1beta1.KubeletConfiguration]().Fields() {
		known, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if known == name {
			return &ConfigError{
				Field: name, Try: "remove " + name,
				Problem: name + " cannot be set: the nodes of the simulation have no cgroups, no files of the machine, no devices" +
					" and no server",
			}
		}
	}
	return nil // upstream's decoder names it
}

var unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)

// decodeError describes what upstream's decoder says.
func decodeError(err error) error {
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return &ConfigError{Field: m[1], Problem: fmt.Sprintf("unknown field %q", m[1]), Try: strings.Join(settable[:5], ", ") + ", ..."}
	}
	return &ConfigError{Problem: err.Error()}
}
