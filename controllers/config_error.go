package controllers

import (
	"fmt"
	"regexp"
	"strings"
)

// ConfigError is a field of a KubeControllerManagerConfiguration that cannot be read.
type ConfigError struct {
	// Field is its path, deploymentController.concurrentDeploymentSyncs, or only the last name of it for an unknown
	// field; empty if the decoder does not report it.
	Field   string
	Problem string
	// Try is what to write instead; may be empty.
	Try string
}

// Error implements error.
func (e *ConfigError) Error() string { return "KubeControllerManagerConfiguration: " + e.Problem }

// The decoder's errors contain the field only as text.
var (
	wrongType    = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (?:\w+\.)?(\S+)$`)
	unknownField = regexp.MustCompile(`unknown field "(.+)"$`)
)

// configError describes an error in a configuration without Go types.
func configError(err error) error {
	text := err.Error()
	if m := wrongType.FindStringSubmatch(text); m != nil {
		field := jsonPath(m[2])
		return &ConfigError{Field: field, Problem: fmt.Sprintf("%s is a %s, and must be a value of the type %s", field, m[1], m[3])}
	}
	if m := unknownField.FindStringSubmatch(text); m != nil {
		return &ConfigError{Field: m[1], Problem: fmt.Sprintf("unknown field %q", m[1])}
	}
	return &ConfigError{Problem: text[strings.LastIndex(text, "JSON: ")+1:]}
}

// jsonPath converts the names of Go fields to those of the configuration: DeploymentController.X to
// deploymentController.x. Names that begin with an abbreviation (HPAController) are not exact; lookups must ignore
// case.
func jsonPath(path string) string {
	names := strings.Split(path, ".")
	for i, name := range names {
		names[i] = strings.ToLower(name[:1]) + name[1:]
	}
	return strings.Join(names, ".")
}
