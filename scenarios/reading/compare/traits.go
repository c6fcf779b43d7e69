package compare

import (
	"iter"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Trait is why an object rightly depends on what happened before, and not only on what is wanted now.
type Trait string

// The traits. An object has those of its controller, EndpointSlices and Endpoints have those of their Pods, and PodDisruptionBudgets and
// ResourceQuotas those of the Pods of their namespace.
const (
	// Paused are paused Deployments.
	Paused Trait = "paused"
	// OfPaused is what a paused Deployment owns.
	OfPaused Trait = "of a paused Deployment"
	// Unfinished are workloads with Pods of an old template, which wait for those of the new one, and OfUnfinished is what they own.
	Unfinished   Trait = "in a rollout"
	OfUnfinished Trait = "of one in a rollout"
	// Manual are StatefulSets and DaemonSets that do not update all Pods by themselves, and ReplicaSets without a Deployment and
	// ReplicationControllers, which update none. OfManual is what they own.
	Manual   Trait = "updated by hand"
	OfManual Trait = "of one that is updated by hand"
	// Misscheduled are DaemonSets with Pods on nodes that do not suit them any more, and OfMisscheduled is what they own.
	Misscheduled   Trait = "misscheduled"
	OfMisscheduled Trait = "of a misscheduled DaemonSet"
	// OfJob is what a Job owns, and what a CronJob owns.
	OfJob Trait = "of a Job"
	// OfAutoscaled is what an autoscaled workload owns, and the workload itself.
	OfAutoscaled Trait = "autoscaled"
	// Old are ReplicaSets without replicas that Deployments keep, and ControllerRevisions.
	Old Trait = "of an old revision"
	// Superseded are revisions that no Pod has, and that the same workload has a later one of.
	Superseded Trait = "that a later revision has replaced"
	// Ended are bare Pods that have ended, or that run no more.
	Ended Trait = "ended"
	// EndedAlike are Pods that have ended in both runs.
	EndedAlike Trait = "ended in both runs"
	// CrashLoops are Pods with a container in a crash loop in both runs.
	CrashLoops Trait = "in a crash loop in both runs"
	// Orphaned are objects whose controller, a Service or a ReplicaSet, is gone.
	Orphaned Trait = "whose owner is gone"
	// Released are PersistentVolumes whose claim is gone.
	Released Trait = "released"
)

// traits are those of the objects of a run, by their uids.
type traits struct {
	own, given map[string][]Trait
	owner      map[string]string
	// inNamespace are those of all Pods of a namespace.
	inNamespace map[string][]Trait
}

func newTraits(objects iter.Seq2[trace.Object, map[string]any]) traits {
	t := traits{map[string][]Trait{}, map[string][]Trait{}, map[string]string{}, map[string][]Trait{}}
	scaled, old := scaledBy(objects), supersededOf(objects)
	for object, content := range objects {
		uid := uidOf(content)
		t.owner[uid] = controllerUID(content)
		t.own[uid] = ownTraits(object, content)
		t.given[uid] = givenTraits(object, content)
		if scaled[object] {
			t.own[uid], t.given[uid] = append(t.own[uid], OfAutoscaled), append(t.given[uid], OfAutoscaled)
		}
		if old[object] {
			t.own[uid] = append(t.own[uid], Superseded)
		}
	}
	for object, content := range objects {
		if object.Resource == pods {
			t.inNamespace[object.Namespace] = append(t.inNamespace[object.Namespace], t.of(object, content)...)
		}
	}
	return t
}

// of are the traits of an object.
func (t traits) of(object trace.Object, content map[string]any) (all []Trait) {
	all = slices.Clone(t.own[uidOf(content)])
	if owner := controllerUID(content); owner != "" {
		if _, there := t.owner[owner]; !there {
			all = append(all, Orphaned)
		}
	}
	for uid, n := t.owner[uidOf(content)], 0; uid != "" && n < len(t.owner); uid, n = t.owner[uid], n+1 {
		all = append(all, t.given[uid]...)
	}
	switch object.Resource {
	case "endpointslices.discovery.k8s.io", "endpoints":
		for _, uid := range targets(content) {
			all = append(all, t.own[uid]...)
			for up, n := t.owner[uid], 0; up != "" && n < len(t.owner); up, n = t.owner[up], n+1 {
				all = append(all, t.given[up]...)
			}
		}
	case "poddisruptionbudgets.policy", "resourcequotas":
		all = append(all, t.inNamespace[object.Namespace]...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ownTraits are those of an object itself.
func ownTraits(object trace.Object, content map[string]any) (all []Trait) {
	kind, _ := controllerOf(content)
	switch {
	case isPaused(object, content):
		all = append(all, Paused)
	case isManual(object, content):
		all = append(all, Manual)
	case object.Resource == "replicasets.apps" && kind == "Deployment" && number(field(content, "spec", "replicas")) == 0,
		object.Resource == "controllerrevisions.apps":
		all = append(all, Old)
	case object.Resource == pods && kind == "" && hasEnded(content):
		all = append(all, Ended)
	case object.Resource == "persistentvolumes" && field(content, "status", "phase") == "Released":
		all = append(all, Released)
	}
	if isMisscheduled(object, content) {
		all = append(all, Misscheduled)
	}
	if isUnfinished(object, content) {
		all = append(all, Unfinished)
	}
	return all
}

func isMisscheduled(object trace.Object, content map[string]any) bool {
	return object.Resource == "daemonsets.apps" && number(field(content, "status", "numberMisscheduled")) > 0
}

// isUnfinished reports whether some Pods of a workload have an old template.
func isUnfinished(object trace.Object, content map[string]any) bool {
	status := func(name string) int64 { return number(field(content, "status", name)) }
	switch object.Resource {
	case "deployments.apps", "statefulsets.apps":
		return status("updatedReplicas") < status("replicas")
	case "daemonsets.apps":
		return status("updatedNumberScheduled") < status("currentNumberScheduled")
	}
	return false
}

func isManual(object trace.Object, content map[string]any) bool {
	kind, _ := controllerOf(content)
	switch object.Resource {
	case "statefulsets.apps", "daemonsets.apps":
		return field(content, "spec", "updateStrategy", "type") == "OnDelete" ||
			number(field(content, "spec", "updateStrategy", "rollingUpdate", "partition")) > 0
	case "replicasets.apps":
		return kind == ""
	}
	return object.Resource == "replicationcontrollers"
}

func isPaused(object trace.Object, content map[string]any) bool {
	return object.Resource == "deployments.apps" && field(content, "spec", "paused") == true
}

// givenTraits are those of what an object owns.
func givenTraits(object trace.Object, content map[string]any) (all []Trait) {
	switch {
	case isPaused(object, content):
		all = append(all, OfPaused)
	case object.Resource == jobs, object.Resource == "cronjobs.batch":
		all = append(all, OfJob)
	case isManual(object, content):
		all = append(all, OfManual)
	}
	if isMisscheduled(object, content) {
		all = append(all, OfMisscheduled)
	}
	if isUnfinished(object, content) {
		all = append(all, OfUnfinished)
	}
	return all
}

// scaledBy are the objects that HorizontalPodAutoscalers scale.
func scaledBy(objects iter.Seq2[trace.Object, map[string]any]) map[trace.Object]bool {
	scaled, table := map[trace.Object]bool{}, tableOf(objects)
	for object, content := range objects {
		if object.Resource != hpa {
			continue
		}
		kind, _ := field(content, "spec", "scaleTargetRef", "kind").(string)
		name, _ := field(content, "spec", "scaleTargetRef", "name").(string)
		version, _ := field(content, "spec", "scaleTargetRef", "apiVersion").(string)
		target := table.Serving(schema.FromAPIVersionAndKind(version, kind))
		if target != nil {
			scaled[trace.Object{Resource: target.GroupResource().String(), Namespace: object.Namespace, Name: name}] = true
		}
	}
	return scaled
}

// tableOf are the kinds of Kubernetes, and those that objects define.
func tableOf(objects iter.Seq2[trace.Object, map[string]any]) *kinds.Table {
	var definitions []*unstructured.Unstructured
	for object, content := range objects {
		if object.Resource == definition.Kind.GroupResource().String() {
			definitions = append(definitions, &unstructured.Unstructured{Object: content})
		}
	}
	return definition.TableOf(definitions)
}

// targets are the uids of the Pods that an EndpointSlice or Endpoints lists.
func targets(content map[string]any) (uids []string) {
	add := func(list any) {
		elements, _ := list.([]any)
		for _, element := range elements {
			if m, ok := element.(map[string]any); ok {
				if uid, ok := field(m, "targetRef", "uid").(string); ok {
					uids = append(uids, uid)
				}
			}
		}
	}
	add(content["endpoints"])
	subsets, _ := content["subsets"].([]any)
	for _, subset := range subsets {
		if m, ok := subset.(map[string]any); ok {
			add(m["addresses"])
			add(m["notReadyAddresses"])
		}
	}
	return uids
}

func uidOf(content map[string]any) string {
	uid, _ := field(content, "metadata", "uid").(string)
	return uid
}

// controllerUID is the uid of the controller of an object, empty if it has none.
func controllerUID(content map[string]any) (uid string) {
	references, _ := field(content, "metadata", "ownerReferences").([]any)
	for _, reference := range references {
		if owner, _ := reference.(map[string]any); owner["controller"] == true {
			uid, _ = owner["uid"].(string)
		}
	}
	return uid
}

// number is a number of an object, 0 if it is none.
func number(value any) int64 {
	n, _ := value.(int64)
	return n
}
