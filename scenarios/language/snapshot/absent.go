package snapshot

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// absent warns of what objects name and the dump does not have: without its volume a claim is unbound, and without its
// StorageClass it is never bound.
func (s *snapshot) absent() {
	var missing []string
	autoscalers := slices.Contains(s.requested, "HorizontalPodAutoscaler")
	need := func(of *unstructured.Unstructured, kind, name string) {
		if name != "" && s.byTitle[kind+" "+name] == nil {
			missing = append(missing, kind+" "+name+" of "+title(of))
		}
	}
	for _, o := range s.objects {
		field := func(path ...string) string {
			value, _, _ := unstructured.NestedString(o.Object, path...)
			return value
		}
		switch o.GetKind() {
		case "PersistentVolumeClaim":
			need(o, "PersistentVolume", field("spec", "volumeName"))
			need(o, "StorageClass", field("spec", "storageClassName"))
		case "HorizontalPodAutoscaler":
			autoscalers = true
			need(o, field("spec", "scaleTargetRef", "kind"), o.GetNamespace()+"/"+field("spec", "scaleTargetRef", "name"))
		case "Pod":
			for _, claim := range claims(o) {
				need(o, "PersistentVolumeClaim", o.GetNamespace()+"/"+claim)
			}
		}
	}
	slices.Sort(missing)
	if missing = slices.Compact(missing); len(missing) > 0 {
		s.report.Warnings = append(s.report.Warnings,
			"missing in the dump, so the objects that need them may behave differently: "+some(missing))
	}
	if autoscalers {
		s.report.Warnings = append(s.report.Warnings,
			"the usage of Pods is not known, so HorizontalPodAutoscalers find no metrics: see spec.cluster.load")
	}
}

// claims are the names of the claims that a Pod mounts.
func claims(pod *unstructured.Unstructured) (names []string) {
	volumes, _, _ := unstructured.NestedSlice(pod.Object, "spec", "volumes")
	for _, volume := range volumes {
		if fields, ok := volume.(map[string]any); ok {
			if name, _, _ := unstructured.NestedString(fields, "persistentVolumeClaim", "claimName"); name != "" {
				names = append(names, name)
			}
		}
	}
	return names
}
