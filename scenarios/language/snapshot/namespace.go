package snapshot

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// contentFinalizer keeps a namespace whose content the scenario does not have: objects of kinds that are not simulated, or that
// were not dumped.
const contentFinalizer = "kubestep.dev/content-not-in-the-dump"

// The messages of a terminating namespace name resources, such as pods. and widgets.example.com, and finalizers
// (pkg/controller/namespace/deletion/status_condition_utils.go).
var (
	remainingResource  = regexp.MustCompile(`(\S+) has \d+ resource instances`)
	remainingFinalizer = regexp.MustCompile(`(\S+) in \d+ resource instances`)
)

// keptNamespace says what keeps an overdue namespace, as its conditions tell; empty if they do not. If the dump lacks that
// content, a finalizer stands for it.
func (s *snapshot) keptNamespace(o *unstructured.Unstructured) string {
	conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
	var messages []string
	lacking := false
	for _, c := range conditions {
		fields, _ := c.(map[string]any)
		message, _ := fields["message"].(string)
		kind, _ := fields["type"].(string)
		if fields["status"] != string(metav1.ConditionTrue) || message == "" {
			continue
		}
		messages = append(messages, message)
		lacking = lacking || s.lacksContent(o.GetName(), corev1.NamespaceConditionType(kind), message)
	}
	if len(messages) == 0 {
		return ""
	}
	reason := "its conditions say: " + strings.Join(messages, "; ")
	if lacking {
		o.SetFinalizers(append(o.GetFinalizers(), contentFinalizer))
		reason += "; the scenario does not have that, so the finalizer " + contentFinalizer + " keeps it"
	}
	return reason
}

// lacksContent reports whether a condition of a namespace is about something that the dump does not have.
func (s *snapshot) lacksContent(namespace string, condition corev1.NamespaceConditionType, message string) bool {
	missing := func(pattern *regexp.Regexp, has func(o *unstructured.Unstructured, name string) bool) bool {
		for _, found := range pattern.FindAllStringSubmatch(message, -1) {
			if !slices.ContainsFunc(s.dumped, func(o *unstructured.Unstructured) bool {
				return o.GetNamespace() == namespace && has(o, strings.TrimSuffix(found[1], "."))
			}) {
				return true
			}
		}
		return false
	}
	switch condition {
	case corev1.NamespaceContentRemaining:
		return missing(remainingResource, func(o *unstructured.Unstructured, name string) bool { return s.resourceOf(o) == name })
	case corev1.NamespaceFinalizersRemaining:
		return missing(remainingFinalizer, func(o *unstructured.Unstructured, name string) bool {
			return slices.Contains(o.GetFinalizers(), name)
		})
	}
	// The others are about failures of the API server, which works here.
	return true
}
