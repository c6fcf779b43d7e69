package format

import (
	"maps"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/spelling"

	"github.com/kubestep/kubestep/scenarios/notation"
)

// annotationDomain is the part of a key that makes an annotation ours: these have a meaning and are checked.
const annotationDomain = "kubestep.dev/"

// What a scenario of a bug says about the bug.
const (
	AnnotationStatus   = annotationDomain + "status"
	AnnotationIssue    = annotationDomain + "issue"
	AnnotationFunction = annotationDomain + "function"
	AnnotationSummary  = annotationDomain + "summary"
)

// annotationKey is one of our annotations, as the reference tells of it.
type annotationKey struct{ key, doc, example string }

var annotationKeys = []annotationKey{
	{AnnotationStatus, "The status of the bug in this version of Kubernetes, one of the values below.", "open"},
	{AnnotationIssue, "Upstream issues, pull requests or KEPs: one or more URLs, separated by spaces.", "https://github.com/kubernetes/kubernetes/issues/129795"},
	{AnnotationFunction, "The upstream function, FILE FUNCTION. FILE is relative to pkg/controller, unless it starts with pkg/ or a module.",
		"deployment/rolling.go reconcileOldReplicaSets"},
	{AnnotationSummary, "One sentence that says what goes wrong.", "One failed request stops a rollout for ten minutes."},
}

// BugStatus is a value of kubestep.dev/status.
type BugStatus struct{ Name, Doc string }

// BugStatuses lists the values in the order in which the gallery explains them.
var BugStatuses = []BugStatus{
	{"open", "A bug of this version of Kubernetes: what the scenario shows should not happen."},
	{"design", "Intended or accepted behavior that surprises users."},
	{"gate", "It depends on a feature gate, which the scenario sets."},
	{"fixed", "A control: a bug of earlier versions that must not return."},
	{"control", "A control: differs in one thing from the scenario that it names, and works as expected."},
}

// BugStatusNames are the values of kubestep.dev/status.
func BugStatusNames() []string {
	var names []string
	for _, status := range BugStatuses {
		names = append(names, status.Name)
	}
	return names
}

// Issues are the URLs in the annotation kubestep.dev/issue.
func (m Metadata) Issues() []string { return strings.Fields(m.Annotations[AnnotationIssue]) }

// annotations checks keys as the API server does for every object, and the values of our own.
func (v *validator) annotations(path string, annotations map[string]string) {
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		at := path + "[" + key + "]"
		if msgs := validation.IsQualifiedName(strings.ToLower(key)); len(msgs) > 0 {
			v.fail(at, "a key such as example.com/team", "invalid annotation key %q: %s", key, firstClause(msgs[0]))
			continue
		}
		if strings.HasPrefix(key, annotationDomain) {
			v.ownAnnotation(at, key, annotations[key])
		}
	}
}

func (v *validator) ownAnnotation(path, key, value string) {
	var known []string
	for _, k := range annotationKeys {
		known = append(known, strings.TrimPrefix(k.key, annotationDomain))
	}
	word := strings.TrimPrefix(key, annotationDomain)
	switch {
	case !slices.Contains(known, word):
		try := "one of " + annotationDomain + strings.Join(known, ", "+annotationDomain) + ", or a domain of your own"
		if near := spelling.Nearest(word, known); near != "" {
			try = annotationDomain + near
		}
		v.fail(path, try, "unknown annotation %q", key)
	case key == AnnotationStatus && !slices.Contains(BugStatusNames(), value):
		v.fail(path, notation.EnumSuggestion(BugStatusNames(), value), "unknown status %q", value)
	case key == AnnotationIssue:
		v.issues(path, value)
	case strings.TrimSpace(value) == "" || strings.Contains(strings.TrimSpace(value), "\n"):
		v.fail(path, "leave it out, or write it in one line", "must be one line of text")
	}
}

func (v *validator) issues(path, value string) {
	const example = "https://github.com/kubernetes/kubernetes/issues/129795"
	words := strings.Fields(value)
	if len(words) == 0 {
		v.fail(path, example, "contains no URL")
	}
	for _, word := range words {
		if u, err := url.Parse(word); err != nil || u.Scheme != "https" || u.Host == "" {
			v.fail(path, example, "%q is not a URL with https", word)
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
	if function := s.Metadata.Annotations[AnnotationFunction]; function != "" {
		more = append(more, "Code: "+function+".")
	}
	if len(more) == 0 {
		return text
	}
	return strings.TrimSpace(text + "\n\n" + strings.Join(more, "\n"))
}
