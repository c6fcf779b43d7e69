package snapshot

import (
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// seedOf is a seed that depends on the uids in a dump, so that the objects of a run have other uids and names than those of the dump: it
// may be the dump of a run. A dump without uids has the default one, 0.
func seedOf(all []*unstructured.Unstructured) int64 {
	var uids []string
	for _, o := range all {
		if uid := o.GetUID(); uid != "" {
			uids = append(uids, string(uid))
		}
	}
	if len(uids) == 0 {
		return 0
	}
	slices.Sort(uids)
	sum := fnv.New64a()
	for _, uid := range uids {
		_, _ = sum.Write([]byte(uid + "\n")) // it never fails
	}
	return int64(sum.Sum64()>>33) + 1
}

// refusal is a way in which an admission plugin refuses a request. Its words are in Events and conditions, because controllers put the
// error of the API server there.
type refusal struct {
	// message finds the words; its group, if it has one, is the name of the object that made the plugin refuse.
	message *regexp.Regexp
	// kind is that of the object, resources are those to fetch for it, and namespaced means that the object is in the namespace of the
	// refused one.
	kind       string
	resources  []string
	namespaced bool
}

// refusals are those that upstream's plugins print:
//
//	plugin/pkg/admission/resourcequota: exceeded quota: team, requested: pods=1, used: pods=5, limited: pods=5
//	plugin/pkg/admission/limitranger: maximum cpu usage per Container is 1, but limit is 2
//	k8s.io/pod-security-admission: violates PodSecurity "restricted:latest": ...
//	k8s.io/apiserver/pkg/admission/plugin/webhook/errors: admission webhook "deny.example.com" denied the request: ...
//	k8s.io/apiserver/pkg/admission/plugin/policy/validating: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: ...
var refusals = []refusal{
	{regexp.MustCompile(`(?:exceeded|failed) quota: ([a-z0-9.-]+)`), "ResourceQuota", []string{"resourcequotas"}, true},
	{
		regexp.MustCompile(`(?:maximum|minimum) [a-z0-9./-]+ usage per \w+ is|max(?:imum)? [a-z0-9./-]+ limit to request ratio per`),
		"LimitRange", []string{"limitranges"}, true,
	},
	// The level is a label of the Namespace.
	{regexp.MustCompile(`violates PodSecurity "`), "Namespace", []string{"namespaces"}, false},
	{
		regexp.MustCompile(`ValidatingAdmissionPolicy '([^']+)' with binding '[^']+' denied request`), "ValidatingAdmissionPolicy",
		[]string{
			"validatingadmissionpolicies.admissionregistration.k8s.io", "validatingadmissionpolicybindings.admissionregistration.k8s.io",
		}, false,
	},
	{
		regexp.MustCompile(`admission webhook "[^"]+" denied the request`), "ValidatingWebhookConfiguration",
		[]string{
			"validatingwebhookconfigurations.admissionregistration.k8s.io", "mutatingwebhookconfigurations.admissionregistration.k8s.io",
		}, false,
	},
}

// said is a message of the cluster about an object, in an Event or in a condition.
type said struct{ object, namespace, message string }

// messages are what the cluster said of requests that were refused.
func (s *snapshot) messages() (all []said) {
	for _, key := range sortedKeys(s.events) {
		e := s.events[key]
		all = append(all, said{e.object, e.namespace, e.message})
	}
	for _, o := range s.dumped {
		conditions, _, _ := unstructured.NestedSlice(o.Object, "status", "conditions")
		for _, condition := range conditions {
			if fields, ok := condition.(map[string]any); ok {
				message, _ := fields["message"].(string)
				all = append(all, said{title(o), o.GetNamespace(), message})
			}
		}
	}
	return slices.DeleteFunc(all, func(one said) bool {
		return !strings.Contains(one.message, "forbidden") && !strings.Contains(one.message, "denied")
	})
}

// refusals finds what made the cluster refuse requests, and the dump does not have: a run would not refuse them.
func (s *snapshot) refusals() {
	reported := map[string]bool{}
	for _, one := range s.messages() {
		for _, r := range refusals {
			match := r.message.FindStringSubmatch(one.message)
			if match == nil {
				continue
			}
			name := ""
			if len(match) > 1 {
				name = match[1]
			}
			if r.kind == "Namespace" {
				name = one.namespace
			}
			what := r.describe(name, one.namespace)
			if reported[what] || s.hasRefusal(r, name, one.namespace) {
				continue
			}
			reported[what] = true
			s.lacks = append(s.lacks, r.resources...)
			s.report.Warnings = append(s.report.Warnings, fmt.Sprintf(
				"the cluster refused requests because of %s, which the dump does not have, so a run does not refuse them: %s: %s",
				what, one.object, shortened(one.message)))
		}
	}
	slices.Sort(s.lacks)
	s.lacks = slices.Compact(s.lacks)
}

// messageMax is how many characters of a message a line has.
const messageMax = 160

func shortened(message string) string {
	if letters := []rune(message); len(letters) > messageMax {
		return string(letters[:messageMax]) + "..."
	}
	return message
}

// describe names the object that made a plugin refuse: ResourceQuota shop/team, or a LimitRange of shop.
func (r refusal) describe(name, namespace string) string {
	switch {
	case name != "" && r.namespaced:
		return r.kind + " " + namespace + "/" + name
	case name != "":
		return r.kind + " " + name
	case r.namespaced:
		return "a " + r.kind + " of " + namespace
	}
	return "a " + r.kind
}

// hasRefusal reports whether the dump has the object that made a plugin refuse, or if its name is not known any that may have.
func (s *snapshot) hasRefusal(r refusal, name, namespace string) bool {
	return slices.ContainsFunc(s.dumped, func(o *unstructured.Unstructured) bool {
		there := !r.namespaced || o.GetNamespace() == namespace
		return there && slices.Contains(r.resources, s.resourceOf(o)) && (name == "" || o.GetName() == name)
	})
}
