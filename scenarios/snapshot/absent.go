package snapshot

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// reference is a field that names an object of another kind.
type reference struct {
	kind   string // whose field it is
	field  []string
	target string // the kind that is named
	local  bool   // in the same namespace
}

// references are those without which an object goes another way than it went in the cluster: a claim whose volume is
// gone is unbound, and one without its StorageClass is never bound.
var references = []reference{
	{"PersistentVolumeClaim", []string{"spec", "volumeName"}, "PersistentVolume", false},
	{"PersistentVolumeClaim", []string{"spec", "storageClassName"}, "StorageClass", false},
	{"HorizontalPodAutoscaler", []string{"spec", "scaleTargetRef", "name"}, "", true},
}

// absent warns of what objects name and the dump does not have.
func (s *snapshot) absent() {
	var missing []string
	autoscalers := false
	for _, o := range s.objects {
		autoscalers = autoscalers || o.GetKind() == "HorizontalPodAutoscaler"
		for _, r := range references {
			name, _, _ := unstructured.NestedString(o.Object, r.field...)
			if r.kind != o.GetKind() || name == "" {
				continue
			}
			key := r.target + " " + name
			if r.local {
				kind, _, _ := unstructured.NestedString(o.Object, "spec", "scaleTargetRef", "kind")
				key = kind + " " + o.GetNamespace() + "/" + name
			}
			if s.byTitle[key] == nil {
				missing = append(missing, key+" of "+title(o))
			}
		}
		missing = append(missing, s.absentClaims(o)...)
	}
	slices.Sort(missing)
	if missing = slices.Compact(missing); len(missing) > 0 {
		s.report.Beware = append(s.report.Beware, "not in the dump, so what needs it may go another way: "+some(missing))
	}
	if autoscalers {
		s.report.Beware = append(s.report.Beware,
			"no dump tells what Pods use, so HorizontalPodAutoscalers find no metrics: see spec.cluster.load")
	}
}

// absentClaims are the claims of a Pod that the dump does not have.
func (s *snapshot) absentClaims(o *unstructured.Unstructured) (missing []string) {
	if o.GetKind() != "Pod" {
		return nil
	}
	volumes, _, _ := unstructured.NestedSlice(o.Object, "spec", "volumes")
	for _, volume := range volumes {
		fields, ok := volume.(map[string]any)
		if !ok {
			continue
		}
		claim, _, _ := unstructured.NestedString(fields, "persistentVolumeClaim", "claimName")
		if key := "PersistentVolumeClaim " + o.GetNamespace() + "/" + claim; claim != "" && s.byTitle[key] == nil {
			missing = append(missing, key+" of "+title(o))
		}
	}
	return missing
}
