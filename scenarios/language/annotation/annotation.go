// Package annotation knows the annotations of a scenario that have a meaning: what a scenario of a bug says about the bug.
// From them, the gallery is made.
package annotation

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// Domain is the part of a key that makes an annotation ours: these have a meaning and are checked.
const Domain = "kubestep.dev/"

// What a scenario of a bug says about the bug.
const (
	Status   = Domain + "status"
	Issue    = Domain + "issue"
	Function = Domain + "function"
	Summary  = Domain + "summary"
	Since    = Domain + "since"
	Until    = Domain + "until"
	Except   = Domain + "except"
)

// Key is one of our annotations, as the reference tells of it.
type Key struct{ Name, Doc, Example string }

// Keys lists our annotations.
var Keys = []Key{
	{Status, "The status of the bug in this version of Kubernetes, one of the values below.", "open"},
	{Issue, "Upstream issues, pull requests or KEPs: one or more URLs, separated by spaces.", "https://github.com/kubernetes/kubernetes/issues/129795"},
	{Function, "The upstream function, FILE FUNCTION. FILE is relative to pkg/controller, unless it starts with pkg/ or a module.",
		"deployment/rolling.go reconcileOldReplicaSets"},
	{Summary, "One sentence that says what goes wrong.", "One failed request stops a rollout for ten minutes."},
	{Since, "The oldest version of Kubernetes with which the scenario passes, and in a sentence what is different before: VERSION TEXT. " +
		"Without it, the scenario passes with all supported versions.", "1.36 Before, no controller waits for its own writes."},
	{Until, "The newest version of Kubernetes with which the scenario passes, and in a sentence what is different after it: VERSION TEXT. " +
		"With a newer version it fails, and the bug of a scenario with the status past is fixed.", "1.36 Since 1.37, completeUpdate sets the revision."},
	{Except, "Patch versions of Kubernetes, separated by commas, with which the scenario does not pass, although it passes with both older " +
		"and newer ones or others of the minor version, and in a sentence what is different there: VERSIONS TEXT.",
		"1.35.0 There, the feature gate is on by default."},
}

// StatusValue is a value of kubestep.dev/status.
type StatusValue struct{ Name, Doc string }

// Statuses lists the values in the order in which the gallery explains them.
var Statuses = []StatusValue{
	{"open", "A bug of this version of Kubernetes: what the scenario shows should not happen."},
	{"design", "Intended or accepted behavior that surprises users."},
	{"gate", "It depends on a feature gate, which the scenario sets."},
	{"past", "A bug of earlier versions of Kubernetes. With this version, the scenario fails: " + Until + " says why."},
	{"fixed", "A control: a bug of earlier versions that must not return."},
	{"control", "A control: differs in one thing from the scenario that it names, and works as expected."},
}

// StatusNames are the values of kubestep.dev/status.
func StatusNames() []string {
	var names []string
	for _, status := range Statuses {
		names = append(names, status.Name)
	}
	return names
}

// Issues are the URLs in a value of Issue.
func Issues(value string) []string { return strings.Fields(value) }

// Mistake is what is wrong with an annotation, and what to write instead.
type Mistake struct{ Message, Try string }

// Check checks a key as the API server does for every object, and the value if the annotation is ours.
func Check(key, value string) []Mistake {
	if found := validation.IsQualifiedName(strings.ToLower(key)); len(found) > 0 {
		first, _, _ := strings.Cut(found[0], " (e.g.")
		return []Mistake{{fmt.Sprintf("invalid annotation key %q: %s", key, first), "a key such as example.com/team"}}
	}
	if !strings.HasPrefix(key, Domain) {
		return nil
	}
	return checkOurs(key, value)
}

func checkOurs(key, value string) []Mistake {
	var known []string
	for _, k := range Keys {
		known = append(known, strings.TrimPrefix(k.Name, Domain))
	}
	word := strings.TrimPrefix(key, Domain)
	switch {
	case !slices.Contains(known, word):
		try := "one of " + Domain + strings.Join(known, ", "+Domain) + ", or a domain of your own"
		if near := spelling.Nearest(word, known); near != "" {
			try = Domain + near
		}
		return []Mistake{{fmt.Sprintf("unknown annotation %q", key), try}}
	case key == Status && !slices.Contains(StatusNames(), value):
		return []Mistake{{fmt.Sprintf("unknown status %q", value), notation.EnumSuggestion(StatusNames(), value)}}
	case key == Issue:
		return checkIssues(value)
	case key == Since && !minor.MatchString(value):
		return []Mistake{{"must be a minor version of Kubernetes and a sentence", "1.36 Before, no controller waits for its own writes."}}
	case key == Until && !minor.MatchString(value):
		return []Mistake{{"must be a minor version of Kubernetes and a sentence", "1.36 Since 1.37, completeUpdate sets the revision."}}
	case key == Except && !except.MatchString(value):
		return []Mistake{{"must be patch versions of Kubernetes and a sentence", "1.35.0 There, the feature gate is on by default."}}
	case strings.TrimSpace(value) == "" || strings.Contains(strings.TrimSpace(value), "\n"):
		return []Mistake{{"must be one line of text", "leave it out, or write it in one line"}}
	}
	return nil
}

func checkIssues(value string) (mistakes []Mistake) {
	const example = "https://github.com/kubernetes/kubernetes/issues/129795"
	words := Issues(value)
	if len(words) == 0 {
		return []Mistake{{"contains no URL", example}}
	}
	for _, word := range words {
		if u, err := url.Parse(word); err != nil || u.Scheme != "https" || u.Host == "" {
			mistakes = append(mistakes, Mistake{fmt.Sprintf("%q is not a URL with https", word), example})
		}
	}
	return mistakes
}
