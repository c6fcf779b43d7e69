package controllers

import (
	"fmt"
	"regexp"
	"strings"
)

// ConfigError is a field of a KubeControllerManagerConfiguration that cannot be read.
type ConfigError struct {
	// Field is its path, deploymentController.concurrentDeploymentSyncs, or only the last name of it for a field
	// that is not known; empty if the decoder does not tell.
	Field   string
	Problem string
	// Try is what to write instead; may be empty.
	Try string
}

// Error implements error.
func (e *ConfigError) Error() string { return "KubeControllerManagerConfiguration: " + e.Problem }

// The decoder's errors tell the field only as text.
var (
	wrongType    = regexp.MustCompile(`cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (?:\w+\.)?(\S+)$`)
	unknownField = regexp.MustCompile(`unknown field "(.+)"$`)
)

// configError says what is wrong with a configuration in the words of its author, who knows no Go types.
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

// jsonPath turns the names of Go fields into those of the configuration: DeploymentController.X into
// deploymentController.x. Names that begin with an abbreviation (HPAController) are not exact; who looks them up
// must not mind the case.
func jsonPath(path string) string {
	names := strings.Split(path, ".")
	for i, name := range names {
		names[i] = strings.ToLower(name[:1]) + name[1:]
	}
	return strings.Join(names, ".")
}
