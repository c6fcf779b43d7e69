package controllers

import (
	"fmt"

	configv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	"k8s.io/kubernetes/pkg/controller/apis/config"
	conversion "k8s.io/kubernetes/pkg/controller/apis/config/v1alpha1"
	"sigs.k8s.io/yaml"
)

// NewConfig returns kube-controller-manager's component configuration: upstream's defaults, with the fields
// of overrides, a KubeControllerManagerConfiguration in YAML or JSON, on top. Unknown fields are errors.
func NewConfig(overrides []byte) (*config.KubeControllerManagerConfiguration, error) {
	defaults, err := options.NewDefaultComponentConfig()
	if err != nil {
		return nil, fmt.Errorf("defaults of the component configuration: %w", err)
	}
	if len(overrides) == 0 {
		return &defaults, nil
	}
	external := &configv1alpha1.KubeControllerManagerConfiguration{}
	toExternal := conversion.Convert_config_KubeControllerManagerConfiguration_To_v1alpha1_KubeControllerManagerConfiguration
	err = toExternal(&defaults, external, nil)
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(overrides, external); err != nil {
		return nil, fmt.Errorf("KubeControllerManagerConfiguration: %w", err)
	}
	out := &config.KubeControllerManagerConfiguration{}
	toInternal := conversion.Convert_v1alpha1_KubeControllerManagerConfiguration_To_config_KubeControllerManagerConfiguration
	err = toInternal(external, out, nil)
	return out, err
}
