package scheduler

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
	configv1 "k8s.io/kube-scheduler/config/v1"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/validation"
)

// checkArguments validates the arguments of plugins. Upstream's plugins do so when they are built, but then a run has begun.
func checkArguments(c *Configuration) error {
	for i, profile := range c.Profiles {
		for n, of := range profile.PluginConfig {
			path := field.NewPath("profiles").Index(i).Child("pluginConfig").Index(n).Child("args")
			if err := validateArguments(path, of.Args); err != nil {
				return validationError(err)
			}
		}
	}
	return nil
}

// validateArguments is upstream's validation of the arguments of one plugin.
func validateArguments(path *field.Path, args runtime.Object) error {
	switch args := args.(type) {
	case *config.DefaultPreemptionArgs:
		return validation.ValidateDefaultPreemptionArgs(path, args)
	case *config.InterPodAffinityArgs:
		return validation.ValidateInterPodAffinityArgs(path, args)
	case *config.NodeAffinityArgs:
		return validation.ValidateNodeAffinityArgs(path, args)
	case *config.NodeResourcesBalancedAllocationArgs:
		return validation.ValidateNodeResourcesBalancedAllocationArgs(path, args)
	case *config.NodeResourcesFitArgs:
		return validation.ValidateNodeResourcesFitArgs(path, args)
	case *config.PodTopologySpreadArgs:
		return validation.ValidatePodTopologySpreadArgs(path, args)
	case *config.VolumeBindingArgs:
		return validation.ValidateVolumeBindingArgs(path, args)
	}
	return nil
}

// notRegistered describes a document of another kind or version.
func notRegistered(document map[string]any) error {
	version := configv1.SchemeGroupVersion.String()
	if document["apiVersion"] != version {
		return &ConfigError{
			Field: "apiVersion", Try: "apiVersion: " + version,
			Problem: fmt.Sprintf("kube-scheduler has no configuration %v of the version %v", document["kind"], document["apiVersion"]),
		}
	}
	return &ConfigError{Field: "kind", Problem: fmt.Sprintf("the kind is %v", document["kind"]), Try: "kind: " + Kind}
}

// fieldsBeside are the fields of the object in which the last name of a path is unknown; none for the arguments of plugins.
func fieldsBeside(path string) (names []string) {
	at := reflect.TypeFor[configv1.KubeSchedulerConfiguration]()
	steps := strings.Split(path, ".")
	for _, step := range steps[:len(steps)-1] {
		name, _, _ := strings.Cut(step, "[")
		next, found := fieldsOf(at)[name]
		if !found {
			return nil
		}
		for at = next; at.Kind() == reflect.Slice || at.Kind() == reflect.Pointer; {
			at = at.Elem()
		}
	}
	return slices.Sorted(maps.Keys(fieldsOf(at)))
}

// fieldsOf are the types of the fields of a struct by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	fields := map[string]reflect.Type{}
	if t.Kind() != reflect.Struct {
		return fields
	}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			maps.Copy(fields, fieldsOf(f.Type))
		case name != "" && name != "-":
			fields[name] = f.Type
		}
	}
	return fields
}

// The decoder's errors contain the field only as text, and those of the validation the values that are allowed.
var (
	wrongType    = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)`)
	unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)
	quoted       = regexp.MustCompile(`"([^"]*)"`)
	inside       = regexp.MustCompile(`decoding \.(profiles\[\d+\]\.pluginConfig\[\d+\]): `)
)

// decodeError describes an error in a configuration without Go types.
func decodeError(err error) error {
	text := err.Error()
	path := ""
	if m := inside.FindStringSubmatch(text); m != nil {
		path = m[1] + ".args."
	}
	if m := unknownField.FindStringSubmatch(text); m != nil {
		field := path + m[1]
		return &ConfigError{
			Field: field, Problem: fmt.Sprintf("unknown field %q", field),
			Name: field[strings.LastIndex(field, ".")+1:], Known: fieldsBeside(field),
		}
	}
	if m := wrongType.FindStringSubmatch(text); m != nil {
		field := path + m[2]
		return &ConfigError{
			Field: field, Try: "remove " + field,
			Problem: fmt.Sprintf("%s is a %s, and must be a value of the type %s", field, m[1], m[3]),
		}
	}
	return &ConfigError{Field: strings.TrimSuffix(path, ".args."), Problem: strings.TrimPrefix(text, "strict decoding error: ")}
}

// validationError is the first problem that upstream's validation found, with its field.
func validationError(err error) error {
	var several utilerrors.Aggregate
	if errors.As(err, &several) && len(several.Errors()) > 0 {
		err = several.Errors()[0]
	}
	var wrong *field.Error
	if errors.As(err, &wrong) {
		out := &ConfigError{Field: wrong.Field, Problem: wrong.Error()}
		switch wrong.Type {
		case field.ErrorTypeRequired:
			out.Try = "add " + wrong.Field
		case field.ErrorTypeNotSupported:
			out.Name = fmt.Sprint(wrong.BadValue)
			for _, value := range quoted.FindAllStringSubmatch(wrong.Detail, -1) {
				out.Known = append(out.Known, value[1])
			}
		default:
			out.Try = "remove " + wrong.Field
		}
		return out
	}
	return &ConfigError{Problem: err.Error()}
}
