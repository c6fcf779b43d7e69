package controllers

import (
	"fmt"
	"reflect"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app"
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/options"
	"k8s.io/kubernetes/pkg/controller/apis/config"
)

// checkConfig checks with upstream's code whether kube-controller-manager would start with the configuration. Upstream
// validates its options and not the configuration, but each option only points to the part of the configuration that it
// sets: DeploymentControllerOptions to DeploymentControllerConfiguration. So new options are pointed to ours.
func checkConfig(c *config.KubeControllerManagerConfiguration) error {
	upstream, err := options.NewKubeControllerManagerOptions()
	if err != nil {
		return fmt.Errorf("options of kube-controller-manager: %w", err)
	}
	parts := map[reflect.Type]reflect.Value{}
	for _, part := range reflect.ValueOf(c).Elem().Fields() {
		parts[part.Type()] = part.Addr()
	}
	var errs []error
	for _, option := range reflect.ValueOf(upstream).Elem().Fields() {
		if !pointTo(option, parts) {
			continue
		}
		if checked, ok := option.Interface().(interface{ Validate() []error }); ok {
			errs = append(errs, checked.Validate()...)
		}
	}
	errs = append(errs, upstream.Generic.Validate(app.KnownControllers(), app.ControllersDisabledByDefault(), app.ControllerAliases())...)
	return utilerrors.NewAggregate(errs)
}

// pointTo makes an option point to its parts of the configuration, and reports whether it has any.
func pointTo(option reflect.Value, parts map[reflect.Type]reflect.Value) bool {
	if option.Kind() != reflect.Pointer || option.IsNil() || option.Elem().Kind() != reflect.Struct {
		return false
	}
	found := false
	for _, field := range option.Elem().Fields() {
		if field.Kind() != reflect.Pointer || !field.CanSet() {
			continue
		}
		if part, ok := parts[field.Type().Elem()]; ok {
			field.Set(part)
			found = true
		}
	}
	return found
}
