package controllers

import (
	"fmt"
	"reflect"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	configv1alpha1 "k8s.io/kube-controller-manager/config/v1alpha1"
)

// settable are the fields of KubeControllerManagerConfiguration with texts and switches that a scenario may set; numbers
// and durations it may set anywhere. It is a list of what is allowed, since upstream reads files that fields name, and
// those of the next version are not known: a scenario of somebody else must not read the machine that it runs on.
// hostPath provisioning is not in it because it makes folders.
var settable = map[string]bool{
	"kind": true, "apiVersion": true,

	"generic.address": true, "generic.controllers": true, "generic.leaderMigrationEnabled": true,
	"generic.clientConnection.acceptContentTypes": true, "generic.clientConnection.contentType": true,
	"generic.debugging.enableProfiling": true, "generic.debugging.enableContentionProfiling": true,
	"generic.leaderElection.leaderElect": true, "generic.leaderElection.resourceLock": true,
	"generic.leaderElection.resourceName": true, "generic.leaderElection.resourceNamespace": true,
	"generic.leaderMigration.kind": true, "generic.leaderMigration.apiVersion": true,
	"generic.leaderMigration.leaderName": true, "generic.leaderMigration.resourceLock": true,
	"generic.leaderMigration.controllerLeaders.name": true, "generic.leaderMigration.controllerLeaders.component": true,

	"kubeCloudShared.useServiceAccountCredentials": true, "kubeCloudShared.allowUntaggedCloud": true,
	"kubeCloudShared.clusterName": true, "kubeCloudShared.clusterCIDR": true,
	"kubeCloudShared.allocateNodeCIDRs": true, "kubeCloudShared.cIDRAllocatorType": true,
	"kubeCloudShared.configureCloudRoutes": true, "kubeCloudShared.cloudProvider.name": true,

	"attachDetachController.disableAttachDetachReconcilerSync": true,
	"attachDetachController.disableForceDetachOnTimeout":       true,
	"garbageCollectorController.enableGarbageCollector":        true,
	"garbageCollectorController.gCIgnoredResources.group":      true,
	"garbageCollectorController.gCIgnoredResources.resource":   true,
	"nodeIPAMController.serviceCIDR":                           true,
	"nodeIPAMController.secondaryServiceCIDR":                  true,

	"persistentVolumeBinderController.volumeConfiguration.enableDynamicProvisioning": true,
}

// checkSettable refuses a configuration that differs from the defaults in a field that a scenario may not set.
func checkSettable(defaults, set *configv1alpha1.KubeControllerManagerConfiguration) error {
	path := refused("", reflect.ValueOf(defaults).Elem(), reflect.ValueOf(set).Elem())
	if path == "" {
		return nil
	}
	return &ConfigError{
		Field:   path,
		Problem: fmt.Sprintf("%s cannot be set: a scenario uses no files or folders of the machine that it runs on", path),
		Try:     "remove " + path[strings.LastIndexByte(path, '.')+1:],
	}
}

// refused is the path of the first field whose values differ and that may not be set, or empty.
func refused(path string, before, after reflect.Value) string {
	if reflect.DeepEqual(before.Interface(), after.Interface()) || isNumber(after.Type()) {
		return ""
	}
	switch after.Kind() {
	case reflect.Struct:
		for i := range after.NumField() {
			if wrong := refused(fieldPath(path, after.Type().Field(i)), before.Field(i), after.Field(i)); wrong != "" {
				return wrong
			}
		}
		return ""
	case reflect.Slice:
		for i := range after.Len() {
			if wrong := refused(path, reflect.Zero(after.Type().Elem()), after.Index(i)); wrong != "" {
				return wrong
			}
		}
		return ""
	case reflect.Pointer:
		if after.IsNil() {
			return ""
		}
		return refused(path, reflect.Zero(after.Type().Elem()), after.Elem())
	}
	if settable[path] {
		return ""
	}
	return path
}

// workersMax bounds the fields with numbers of workers: each worker is a goroutine, and upstream starts as many as a file
// says. It is more than gcWorkers, and than any cluster needs.
const workersMax = 10_000

// checkWorkers refuses numbers of workers that are negative or too large. Upstream checks only some of them.
func checkWorkers(set *configv1alpha1.KubeControllerManagerConfiguration) error {
	path, n := workers("", reflect.ValueOf(set).Elem())
	if path == "" {
		return nil
	}
	must, try := "must be 0 or more", 1
	if n > workersMax {
		must, try = fmt.Sprintf("must be %d or less", workersMax), workersMax
	}
	return &ConfigError{
		Field: path, Problem: fmt.Sprintf("%s is %d, and %s", path, n, must),
		Try: fmt.Sprintf("%s: %d", path[strings.LastIndexByte(path, '.')+1:], try),
	}
}

// workers is the first field with a wrong number of workers; all have names such as concurrentDeploymentSyncs.
func workers(path string, of reflect.Value) (wrong string, n int64) {
	for field, value := range of.Fields() {
		at := fieldPath(path, field)
		switch {
		case value.Kind() == reflect.Struct:
			if wrong, n := workers(at, value); wrong != "" {
				return wrong, n
			}
		case value.CanInt() && strings.Contains(field.Name, "Concurrent"):
			if n := value.Int(); n < 0 || n > workersMax {
				return at, n
			}
		}
	}
	return "", 0
}

// periodMin is the shortest duration that a configuration may have, apart from 0, which has a meaning of its own. Most durations
// are periods, and a controller that looks every nanosecond never lets virtual time pass.
const periodMin = time.Millisecond

// checkPeriods refuses durations that are shorter.
func checkPeriods(set *configv1alpha1.KubeControllerManagerConfiguration) error {
	path, d := shortPeriod("", reflect.ValueOf(set).Elem())
	if path == "" {
		return nil
	}
	return &ConfigError{
		Field: path, Problem: fmt.Sprintf("%s is %s, and must be 0s or at least %s", path, d, periodMin),
		Try: fmt.Sprintf("%s: %s", path[strings.LastIndexByte(path, '.')+1:], periodMin),
	}
}

// shortPeriod is the first field with a duration that is too short.
func shortPeriod(path string, of reflect.Value) (wrong string, d time.Duration) {
	for field, value := range of.Fields() {
		at := fieldPath(path, field)
		if value.Type() == durationType {
			if d := value.Interface().(metav1.Duration).Duration; d > 0 && d < periodMin {
				return at, d
			}
		} else if value.Kind() == reflect.Struct {
			if wrong, d := shortPeriod(at, value); wrong != "" {
				return wrong, d
			}
		}
	}
	return "", 0
}

var durationType = reflect.TypeFor[metav1.Duration]()

// isNumber says whether a type holds no text: a number, or a duration.
func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		return t == durationType
	case reflect.Int, reflect.Int32, reflect.Int64, reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

// fieldPath is the path of a field below another: the name that it has in YAML, as jsonPath writes it.
func fieldPath(path string, field reflect.StructField) string {
	name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		if field.Anonymous {
			return path
		}
		name = field.Name
	}
	return strings.TrimPrefix(path+"."+jsonPath(name), ".")
}
