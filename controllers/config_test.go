package controllers

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	configv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	appconfig "k8s.io/kubernetes/cmd/kube-controller-manager/app/config"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	gcconfig "k8s.io/kubernetes/pkg/controller/garbagecollector/config"
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
// limit: a Deployment controller without workers is accepted, and does nothing, as upstream's.
func TestConfigIsValidated(t *testing.T) {
	for yaml, want := range map[string]string{
		"jobController: {concurrentJobSyncs: 0}":                                   "concurrent-job-syncs must be greater than 0",
		"endpointSliceController: {concurrentServiceEndpointSyncs: 1000}":          "concurrent-service-endpoint-syncs must not be more than 50",
		"deploymentController: {concurrentDeploymentSyncs: 0}":                     "",
		"endpointSliceController: {concurrentServiceEndpointSyncs: 5}":             "",
		"hpaController: {horizontalPodAutoscalerDownscaleStabilizationWindow: 1m}": "",
	} {
		_, err := NewConfig([]byte(yaml))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: error %v, want %q", yaml, err, want)
		}
	}
}

// TestWorkersAreBounded sets each number of workers that the configuration has to one that is too small, one that is too
// large, and the largest.
func TestWorkersAreBounded(t *testing.T) {
	fields := 0
	for part := range reflect.TypeFor[configv1alpha1.KubeControllerManagerConfiguration]().Fields() {
		if part.Type.Kind() != reflect.Struct {
			continue
		}
		for field := range part.Type.Fields() {
			if !strings.HasSuffix(field.Name, "Syncs") {
				continue
			}
			fields++
			path := fieldPath(fieldPath("", part), field)
			for text, want := range map[string]string{
				"-1": "is -1, and must be 0 or more", "2000000000": "is 2000000000, and must be 10000 or less", "10000": "",
			} {
				_, err := NewConfig([]byte("{" + strings.Replace(path, ".", ": {", 1) + ": " + text + "}}"))
				var wrong *ConfigError
				found := errors.As(err, &wrong)
				if found != (want != "") || found && (wrong.Field != path || !strings.HasSuffix(wrong.Problem, want) || wrong.Try == "") {
					t.Errorf("%s: %s: %v", path, text, err)
				}
			}
		}
	}
	if fields < 20 {
		t.Errorf("%d fields", fields)
	}
}

// unsettable are the texts and switches that a scenario may not set: all name files or folders, or make some.
var unsettable = []string{
	"generic.clientConnection.kubeconfig",
	"kubeCloudShared.cloudProvider.cloudConfigFile", "kubeCloudShared.externalCloudVolumePlugin",
	"cSRSigningController.clusterSigningCertFile", "cSRSigningController.clusterSigningKeyFile",
	"cSRSigningController.kubeletServingSignerConfiguration.certFile",
	"cSRSigningController.kubeletServingSignerConfiguration.keyFile",
	"cSRSigningController.kubeletClientSignerConfiguration.certFile",
	"cSRSigningController.kubeletClientSignerConfiguration.keyFile",
	"cSRSigningController.kubeAPIServerClientSignerConfiguration.certFile",
	"cSRSigningController.kubeAPIServerClientSignerConfiguration.keyFile",
	"cSRSigningController.legacyUnknownSignerConfiguration.certFile",
	"cSRSigningController.legacyUnknownSignerConfiguration.keyFile",
	"persistentVolumeBinderController.volumeConfiguration.enableHostPathProvisioning",
	"persistentVolumeBinderController.volumeConfiguration.persistentVolumeRecyclerConfiguration.podTemplateFilePathNFS",
	"persistentVolumeBinderController.volumeConfiguration.persistentVolumeRecyclerConfiguration.podTemplateFilePathHostPath",
	"persistentVolumeBinderController.volumeConfiguration.flexVolumePluginDir",
	"sAController.serviceAccountKeyFile", "sAController.rootCAFile",
}

// TestFieldsAreClassified walks the configuration's types. It fails when upstream has a new text or switch: whoever takes
// a new version decides whether a scenario may set it.
func TestFieldsAreClassified(t *testing.T) {
	var known []string
	var walk func(path string, of reflect.Type)
	walk = func(path string, of reflect.Type) {
		switch {
		case isNumber(of):
		case of.Kind() == reflect.Pointer || of.Kind() == reflect.Slice:
			walk(path, of.Elem())
		case of.Kind() == reflect.Struct:
			for i := range of.NumField() {
				walk(fieldPath(path, of.Field(i)), of.Field(i).Type)
			}
		default:
			known = append(known, path)
			if settable[path] == slices.Contains(unsettable, path) {
				t.Errorf("%s, a %s, must be either in settable or in unsettable", path, of)
			}
		}
	}
	walk("", reflect.TypeFor[configv1alpha1.KubeControllerManagerConfiguration]())
	for path := range settable {
		if !slices.Contains(known, path) {
			t.Errorf("there is no field %s", path)
		}
	}
}

// TestFilesAreRefused sets each field that a scenario may not set, as YAML in which upstream's names are spelled as
// Kubernetes does.
func TestFilesAreRefused(t *testing.T) {
	for _, path := range unsettable {
		names := strings.Split(strings.NewReplacer("cSRSigning", "csrSigning", "sAController", "saController").Replace(path), ".")
		value := "/etc/passwd"
		if strings.HasSuffix(path, "Provisioning") {
			value = "true"
		}
		_, err := NewConfig([]byte("{" + strings.Join(names, ": {") + ": " + value + strings.Repeat("}", len(names))))
		var wrong *ConfigError
		if !errors.As(err, &wrong) || wrong.Field != path || wrong.Try == "" {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestDefaultsAreThoseOfTheFlags compares the configuration with that of a kube-controller-manager without arguments. Many
// defaults exist in the flags only.
func TestDefaultsAreThoseOfTheFlags(t *testing.T) {
	flags, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		t.Fatal(err)
	}
	flags.Flags(app.KnownControllers(), app.ControllersDisabledByDefault(), nil)
	flags.SecureServing.BindPort = 0 // it would listen
	want := &appconfig.Config{}
	if err := flags.ApplyTo(want, app.KnownControllers(), app.ControllersDisabledByDefault(), nil); err != nil {
		t.Fatal(err)
	}
	got, err := NewConfig(nil)
	if err != nil {
		t.Fatal(err)
	}
	// What kubestep sets on purpose, and what it reads in another place.
	want.ComponentConfig.GarbageCollectorController.ConcurrentGCSyncs = gcWorkers
	want.ComponentConfig.PersistentVolumeBinderController.VolumeConfiguration.FlexVolumePluginDir = ""
	want.ComponentConfig.Generic.Debugging.EnableProfiling = false
	want.ComponentConfig.Generic.LeaderElection.ResourceName, want.ComponentConfig.Generic.LeaderElection.ResourceNamespace = "", ""
	// Since 1.37, no controller of kube-controller-manager reads these, and no flag sets them. The default of the file is 1.
	want.ComponentConfig.ServiceController = got.ServiceController
	ignored := cmpopts.SortSlices(func(a, b gcconfig.GroupResource) bool { return a.Group < b.Group })
	if diff := cmp.Diff(want.ComponentConfig, *got, ignored); diff != "" {
		t.Errorf("(-upstream +kubestep)\n%s", diff)
	}
}
