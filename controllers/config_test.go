package controllers

import (
	"errors"
	"strings"
	"testing"
)

// TestConfigErrors shows what is said about a configuration that kube-controller-manager would not take.
func TestConfigErrors(t *testing.T) {
	for _, test := range []struct{ yaml, field, want string }{
		{"deploymentController: {concurrentDeploymentSyncs: five}", "deploymentController.concurrentDeploymentSyncs", "is a string"},
		{"hpaController: {horizontalPodAutoscalerTolerance: high}", "hPAController.horizontalPodAutoscalerTolerance", "is a string"},
		{"deploymentController: {concurrentDeploySyncs: 5}", "concurrentDeploySyncs", "unknown field"},
		{"deployments: {}", "deployments", "unknown field"},
	} {
		_, err := NewConfig([]byte(test.yaml))
		var wrong *ConfigError
		if !errors.As(err, &wrong) || wrong.Field != test.field || !strings.Contains(wrong.Problem, test.want) {
			t.Errorf("%s: %v (%#v)", test.yaml, err, wrong)
		}
	}
}

// TestConfigIsValidated shows that upstream's own validation of the options is asked. It does not know every
// limit: a Deployment controller with -1 workers is accepted, and does nothing, as upstream's.
func TestConfigIsValidated(t *testing.T) {
	for yaml, want := range map[string]string{
		"jobController: {concurrentJobSyncs: -1}":                                  "concurrent-job-syncs must be greater than 0",
		"endpointSliceController: {concurrentServiceEndpointSyncs: 1000}":          "concurrent-service-endpoint-syncs must not be more than 50",
		"deploymentController: {concurrentDeploymentSyncs: -1}":                    "",
		"endpointSliceController: {concurrentServiceEndpointSyncs: 5}":             "",
		"hpaController: {horizontalPodAutoscalerDownscaleStabilizationWindow: 1m}": "",
	} {
		_, err := NewConfig([]byte(yaml))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", yaml, err, want)
		}
	}
}
