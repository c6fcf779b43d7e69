package stage

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
)

// words say what an object is like, with a tone if it needs attention.
type words struct {
	text string
	tone palette.Tone
}

// about says what an object is like, for each kind that has more to say than its name. It is what kubectl get shows, in words.
var about = map[string]func(*Cast, map[string]any) words{
	"Deployment":  func(_ *Cast, o map[string]any) words { return replicas(o, "availableReplicas", "available") },
	"ReplicaSet":  func(_ *Cast, o map[string]any) words { return replicas(o, "readyReplicas", "ready") },
	"StatefulSet": func(_ *Cast, o map[string]any) words { return replicas(o, "readyReplicas", "ready") },
	"ReplicationController": func(_ *Cast, o map[string]any) words {
		return replicas(o, "readyReplicas", "ready")
	},
	"DaemonSet": func(_ *Cast, o map[string]any) words {
		wanted, ready := number(o, "status", "desiredNumberScheduled"), number(o, "status", "numberReady")
		return words{text: fmt.Sprintf("%d wanted · %d ready", wanted, ready)}
	},
	"Job":                     job,
	"CronJob":                 cronJob,
	"Service":                 service,
	"EndpointSlice":           endpoints,
	"PersistentVolumeClaim":   claim,
	"PersistentVolume":        volume,
	"PodDisruptionBudget":     budget,
	"HorizontalPodAutoscaler": autoscaler,
	"ResourceClaim":           deviceClaim,
	"ResourceQuota":           resourceQuota,
	"Namespace": func(_ *Cast, o map[string]any) words {
		return words{text: text(o, "status", "phase")}
	},
	"Pod": pod,
}

// say is what the version of a member says of itself.
func (c *Cast) say(m *Member, v version, seq int64) words {
	w, known := c.said[v]
	if known {
		return w
	}
	object := c.scenes.Rec.Replay.ObjectAt(m.Object, seq)
	if of := about[m.Kind]; of != nil && object != nil {
		w = of(c, object)
	}
	if text(object, "metadata", "deletionTimestamp") != "" && !m.IsPod() {
		w.text, w.tone = joined(w.text, "is being deleted", finalizers(object)), palette.Terminating
	}
	c.said[v] = w
	return w
}

func finalizers(o map[string]any) string {
	names, _, _ := unstructured.NestedStringSlice(o, "metadata", "finalizers")
	if len(names) == 0 {
		return ""
	}
	return "waits for " + strings.Join(names, ", ")
}

func replicas(o map[string]any, field, word string) words {
	w := words{text: fmt.Sprintf("%d wanted · %d %s", number(o, "spec", "replicas"), number(o, "status", field), word)}
	if paused, _, _ := unstructured.NestedBool(o, "spec", "paused"); paused {
		w.text, w.tone = joined(w.text, "paused"), palette.Note
	}
	return w
}

func job(_ *Cast, o map[string]any) words {
	w := words{text: fmt.Sprintf("%d active · %d succeeded", number(o, "status", "active"), number(o, "status", "succeeded"))}
	if n := number(o, "status", "failed"); n > 0 {
		w.text, w.tone = joined(w.text, fmt.Sprintf("%d failed", n)), palette.Failed
	}
	if suspended, _, _ := unstructured.NestedBool(o, "spec", "suspend"); suspended {
		w.text = joined(w.text, "suspended")
	}
	return w
}

func cronJob(_ *Cast, o map[string]any) words {
	active, _, _ := unstructured.NestedSlice(o, "status", "active")
	return words{text: fmt.Sprintf("%s · %d active", text(o, "spec", "schedule"), len(active))}
}

func service(_ *Cast, o map[string]any) words {
	var pairs []string
	selector, _, _ := unstructured.NestedStringMap(o, "spec", "selector")
	for _, key := range sorted(selector) {
		pairs = append(pairs, key+"="+selector[key])
	}
	if len(pairs) == 0 {
		return words{text: "no selector"}
	}
	return words{text: "selects " + strings.Join(pairs, ", ")}
}

// mostEndpoints is how many endpoints are named.
const mostEndpoints = 6

// endpoints names the Pods that a Service sends traffic to.
func endpoints(c *Cast, o map[string]any) words {
	list, _, _ := unstructured.NestedSlice(o, "endpoints")
	var ready, others []string
	for _, item := range list {
		endpoint, _ := item.(map[string]any)
		name := c.Spoken(text(endpoint, "targetRef", "name"))
		if is, found, _ := unstructured.NestedBool(endpoint, "conditions", "ready"); is || !found {
			ready = append(ready, name)
			continue
		}
		others = append(others, name)
	}
	w := words{text: fmt.Sprintf("%d ready", len(ready))}
	if n := len(ready); n > 0 {
		w.text += ": " + strings.Join(ready[:min(n, mostEndpoints)], ", ")
		if n > mostEndpoints {
			w.text += " …"
		}
	}
	if len(others) > 0 {
		w.text = joined(w.text, fmt.Sprintf("%d not ready", len(others)))
	}
	return w
}

func claim(_ *Cast, o map[string]any) words {
	w := words{text: text(o, "status", "phase"), tone: palette.Pending}
	if name := text(o, "spec", "volumeName"); name != "" {
		w = words{text: joined(w.text, "volume "+name)}
	}
	return w
}

func volume(_ *Cast, o map[string]any) words {
	w := words{text: text(o, "status", "phase")}
	if name := text(o, "spec", "claimRef", "name"); name != "" {
		w.text = joined(w.text, "claim "+name)
	}
	if w.text == "Failed" {
		w.tone = palette.Failed
	}
	return w
}

func budget(_ *Cast, o map[string]any) words {
	allowed := number(o, "status", "disruptionsAllowed")
	w := words{text: fmt.Sprintf("%d healthy, %d must be · %d may go",
		number(o, "status", "currentHealthy"), number(o, "status", "desiredHealthy"), allowed)}
	if allowed == 0 {
		w.tone = palette.Pending
	}
	return w
}

func autoscaler(_ *Cast, o map[string]any) words {
	least, most := number(o, "spec", "minReplicas"), number(o, "spec", "maxReplicas")
	has, wants := number(o, "status", "currentReplicas"), number(o, "status", "desiredReplicas")
	return words{text: fmt.Sprintf("%d to %d replicas · has %d · wants %d", least, most, has, wants)}
}

func deviceClaim(_ *Cast, o map[string]any) words {
	if _, allocated, _ := unstructured.NestedMap(o, "status", "allocation"); !allocated {
		return words{text: "not allocated", tone: palette.Pending}
	}
	reserved, _, _ := unstructured.NestedSlice(o, "status", "reservedFor")
	return words{text: fmt.Sprintf("allocated · reserved for %d", len(reserved))}
}

func resourceQuota(_ *Cast, o map[string]any) words {
	hard, _, _ := unstructured.NestedStringMap(o, "status", "hard")
	used, _, _ := unstructured.NestedStringMap(o, "status", "used")
	var parts []string
	for _, name := range sorted(hard) {
		parts = append(parts, fmt.Sprintf("%s %s of %s", name, used[name], hard[name]))
	}
	return words{text: strings.Join(parts, " · ")}
}

// pod says why a Pod does not run, as kubectl get does: CrashLoopBackOff. How far it is says its phase.
func pod(_ *Cast, o map[string]any) words {
	var w words
	statuses, _, _ := unstructured.NestedSlice(o, "status", "containerStatuses")
	initial, _, _ := unstructured.NestedSlice(o, "status", "initContainerStatuses")
	restarts := int64(0)
	for _, item := range append(initial, statuses...) {
		status, _ := item.(map[string]any)
		n, _, _ := unstructured.NestedInt64(status, "restartCount")
		restarts += n
		reason := text(status, "state", "waiting", "reason")
		if reason != "" && reason != "ContainerCreating" && reason != "PodInitializing" {
			w = words{text: reason, tone: palette.Failed}
		}
	}
	if reason := text(o, "status", "reason"); reason != "" {
		w = words{text: reason, tone: palette.Failed}
	}
	if w.text == "" && text(o, "spec", "nodeName") == "" && condition(o, "PodScheduled") == "False" {
		w = words{text: "no node fits", tone: palette.Pending}
	}
	if restarts > 0 {
		w.text = joined(w.text, fmt.Sprintf("restarts %d", restarts))
	}
	return w
}
