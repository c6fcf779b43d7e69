package format

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/annotation"
)

// Issues are the URLs in the annotation kubestep.dev/issue.
func (m Metadata) Issues() []string { return annotation.Issues(m.Annotations[annotation.Issue]) }

func (v *validator) annotations(path string, annotations map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		for _, mistake := range annotation.Check(key, annotations[key]) {
			v.fail(path+"["+key+"]", mistake.Try, "%s", mistake.Message)
		}
	}
}

// Background is the introduction to a scenario: about, and links to upstream's discussions.
func (s *Scenario) Background() string {
	text := strings.TrimSpace(s.Spec.About)
	var more []string
	if issues := s.Metadata.Issues(); len(issues) > 0 {
		more = append(more, "Upstream: "+strings.Join(issues, ", ")+".")
	}
	if function := s.Metadata.Annotations[annotation.Function]; function != "" {
		more = append(more, "Code: "+function+".")
	}
	if len(more) == 0 {
		return text
	}
	return strings.TrimSpace(text + "\n\n" + strings.Join(more, "\n"))
}
