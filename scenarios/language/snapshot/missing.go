package snapshot

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// counted says for a kind which field of its status counts objects of another kind, and the resource of those.
var counted = map[string]struct{ field, resource string }{
	"Deployment":            {"replicas", "replicasets.apps"},
	"ReplicaSet":            {"replicas", "pods"},
	"ReplicationController": {"replicas", "pods"},
	"StatefulSet":           {"replicas", "pods"},
	"DaemonSet":             {"currentNumberScheduled", "pods"},
	"Job":                   {"active", "pods"},
}

// missing finds kinds that the objects depend on and the dump does not have. The controllers of the scenario would create
// what is in the cluster already.
func (s *snapshot) missing() {
	there := map[string]bool{}
	for _, o := range s.dumped {
		there[s.resourceOf(o)] = true
	}
	var lacking []string
	for _, o := range s.dumped {
		row, known := counted[o.GetKind()]
		if !known || there[row.resource] {
			continue
		}
		if n := number(o, "status", row.field); n > 0 {
			lacking = append(lacking, fmt.Sprintf("status.%s of %s is %d", row.field, title(o), n))
			s.lacks = append(s.lacks, row.resource)
		}
	}
	bound := func(o *unstructured.Unstructured) bool {
		name, _, _ := unstructured.NestedString(o.Object, "spec", "nodeName")
		return o.GetKind() == "Pod" && name != ""
	}
	if !there["nodes"] && slices.ContainsFunc(s.dumped, bound) {
		s.lacks = append(s.lacks, "nodes")
	}
	if len(lacking) > 0 {
		s.report.Warnings = append(s.report.Warnings, "the dump has none of the objects that these count, so the controllers create "+
			"new ones: "+some(lacking))
	}
	if len(s.lacks) > 0 {
		s.report.Fetch = s.fetch()
		s.report.Warnings = append(s.report.Warnings, "for a dump with the kinds that are missing: "+s.fetch())
	}
}

// fetch is the command that dumps the kinds of the dump, and those that it lacks.
func (s *snapshot) fetch() string {
	resources := slices.Clone(s.lacks)
	namespaces := map[string]bool{}
	for _, o := range s.dumped {
		resources = append(resources, s.resourceOf(o))
		if o.GetNamespace() != "" {
			namespaces[o.GetNamespace()] = true
		}
	}
	return GetCommand(resources, sortedKeys(namespaces)...)
}

func (s *snapshot) resourceOf(o *unstructured.Unstructured) string {
	return s.kinds.Serving(o.GroupVersionKind()).GroupResource().String()
}

// number is a whole number of an object; 0 if it has none there.
func number(o *unstructured.Unstructured, path ...string) int64 {
	value, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	switch n := value.(type) {
	case int64:
		return n
	case float64:
		return int64(n)
	}
	return 0
}

// GetCommand is the kubectl command that dumps resources: of one namespace, if there is one only, or of all.
func GetCommand(resources []string, namespaces ...string) string {
	var plurals []string
	for _, name := range resources {
		plural, _, _ := strings.Cut(name, ".")
		plurals = append(plurals, plural)
	}
	slices.Sort(plurals)
	where := "-A"
	if len(namespaces) == 1 {
		where = "-n " + namespaces[0]
	}
	return "kubectl get " + strings.Join(slices.Compact(plurals), ",") + " " + where + " -o yaml > dump.yaml"
}
