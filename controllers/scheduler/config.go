package scheduler

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/scheme"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
)

// Configuration is kube-scheduler's component configuration.
type Configuration = config.KubeSchedulerConfiguration

// Kind is the kind of the configuration in YAML.
const Kind = "KubeSchedulerConfiguration"

// ConfigError is a field of a KubeSchedulerConfiguration that cannot be used.
type ConfigError struct {
	// Field is its path, such as profiles[0].plugins.score.enabled[1].name; empty if it is not known.
	Field   string
	Problem string
	// Try is what to write instead; may be empty.
	Try string
	// Name is a name that does not exist, and Known are those that do; empty for other problems.
	Name  string
	Known []string
}

// Error implements error.
func (e *ConfigError) Error() string { return Kind + ": " + e.Problem }

// NewConfig returns the configuration of upstream's defaults with the fields of overrides, a KubeSchedulerConfiguration in JSON. It
// decodes and validates like kube-scheduler --config; an error is a *ConfigError. kind and apiVersion may be missing.
func NewConfig(overrides []byte) (*Configuration, error) {
	if len(overrides) == 0 {
		return latest.Default()
	}
	document := map[string]any{}
	if err := json.Unmarshal(overrides, &document); err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	for name, value := range map[string]string{"kind": Kind, "apiVersion": configv1.SchemeGroupVersion.String()} {
		if document[name] == nil {
			document[name] = value
		}
	}
	data, err := json.Marshal(document)
	if err != nil {
		return nil, &ConfigError{Problem: err.Error()}
	}
	object, kind, err := scheme.Codecs.UniversalDecoder().Decode(data, nil, nil)
	if runtime.IsNotRegisteredError(err) {
		return nil, notRegistered(document)
	}
	if err != nil {
		return nil, decodeError(err)
	}
	out, ok := object.(*Configuration)
	if !ok {
		return nil, &ConfigError{Field: "kind", Problem: fmt.Sprintf("the kind is %s", kind.Kind), Try: "kind: " + Kind}
	}
	// Upstream's loadConfig (cmd/kube-scheduler/app/options/configfile.go) does the same.
	out.APIVersion = kind.GroupVersion().String()
	if err := check(out); err != nil {
		return nil, err
	}
	return out, nil
}

// check validates a configuration as upstream's options do, and refuses what would leave the simulation: files and the network.
func check(c *Configuration) error {
	if err := validation.ValidateKubeSchedulerConfiguration(c); err != nil {
		return validationError(err)
	}
	switch {
	case len(c.Extenders) > 0:
		return &ConfigError{
			Field: "extenders", Try: "remove extenders",
			Problem: "extenders cannot be set: kube-scheduler would call them over the network",
		}
	case c.ClientConnection.Kubeconfig != "":
		return &ConfigError{
			Field: "clientConnection.kubeconfig", Try: "remove kubeconfig",
			Problem: "clientConnection.kubeconfig cannot be set: a scenario uses no files of the machine that it runs on",
		}
	}
	if err := checkPlugins(c); err != nil {
		return err
	}
	return checkArguments(c)
}

// checkPlugins looks for plugins that kube-scheduler does not have. Upstream finds them when it builds the profile.
func checkPlugins(c *Configuration) error {
	known := plugins.NewInTreeRegistry()
	unknown := func(path, name string) error {
		if known[name] != nil || name == "*" {
			return nil
		}
		return &ConfigError{
			Field: path, Problem: fmt.Sprintf("kube-scheduler has no plugin %q", name),
			Name: name, Known: slices.Sorted(maps.Keys(known)),
		}
	}
	for i, profile := range c.Profiles {
		for _, set := range pluginSets(profile.Plugins) {
			for n, plugin := range slices.Concat(set.Enabled, set.Disabled) {
				list := "enabled"
				if n >= len(set.Enabled) {
					list, n = "disabled", n-len(set.Enabled)
				}
				if err := unknown(fmt.Sprintf("profiles[%d].plugins.%s.%s[%d].name", i, set.point, list, n), plugin.Name); err != nil {
					return err
				}
			}
		}
		for n, of := range profile.PluginConfig {
			if err := unknown(fmt.Sprintf("profiles[%d].pluginConfig[%d].name", i, n), of.Name); err != nil {
				return err
			}
		}
	}
	return nil
}

// pluginSet is the set of plugins of an extension point.
type pluginSet struct {
	point string
	config.PluginSet
}

// pluginSets are the sets of a profile in the order of the extension points.
func pluginSets(p *config.Plugins) (sets []pluginSet) {
	if p == nil {
		return nil
	}
	of := reflect.ValueOf(p).Elem()
	for field, value := range of.Fields() {
		if set, ok := value.Interface().(config.PluginSet); ok {
			sets = append(sets, pluginSet{strings.ToLower(field.Name[:1]) + field.Name[1:], set})
		}
	}
	return sets
}
