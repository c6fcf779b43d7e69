package notation

import (
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
)

// LabelFrom makes a valid name of a wrong one: "My Scenario_1" is my-scenario-1.
func LabelFrom(text string) string {
	label := strings.Trim(notLabel.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if len(label) > validation.DNS1123LabelMaxLength {
		label = strings.TrimRight(label[:validation.DNS1123LabelMaxLength], "-")
	}
	if label == "" {
		return "my-name"
	}
	return label
}

var notLabel = regexp.MustCompile(`[^a-z0-9]+`)
