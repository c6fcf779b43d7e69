package why

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/sim/trace"
)

// exists reports whether an object exists at this instant.
func (i *Instant) exists(o trace.Object) bool { return i.rec.Replay.ObjectAt(o, i.seq) != nil }

// mostBlockers bounds a chain of objects that wait for one another, which may be a circle.
const mostBlockers = 5

// chain says what an object that another one waits for waits for itself, down to the last one.
func (i *Instant) chain(o trace.Object) []string {
	if i.depth >= mostBlockers {
		return nil
	}
	i.depth++
	defer func() { i.depth-- }()
	if p, ok := i.object(o).(*corev1.Pod); ok {
		return i.podHolds(p)
	}
	answer := i.Ask(o)[0]
	if answer.Lacks == "" {
		return nil
	}
	return append([]string{trace.ObjectName(o) + ": " + answer.Lacks}, answer.Holds...)
}

// podHolds say what keeps a Pod from becoming Ready, or from going.
func (i *Instant) podHolds(p *corev1.Pod) []string {
	if p.Spec.NodeName == "" {
		return i.unscheduled(p)
	}
	if text := i.nodeHold(p.Spec.NodeName); text != "" {
		return []string{fmt.Sprintf("Pod %s is on %s", p.Name, text)}
	}
	if holds := i.kubeletHolds(p); len(holds) > 0 {
		return holds
	}
	if text := i.podHold(p); text != "" {
		return []string{text}
	}
	return nil
}

// podHold says what keeps a Pod with a node from becoming Ready, or from going, by its status alone.
func (i *Instant) podHold(p *corev1.Pod) string {
	if p.DeletionTimestamp != nil {
		if len(p.Finalizers) > 0 {
			return fmt.Sprintf("Pod %s keeps the finalizer %s", p.Name, strings.Join(p.Finalizers, ", "))
		}
		return fmt.Sprintf("the kubelet of %s has not stopped Pod %s yet; it has until %s", p.Spec.NodeName, p.Name,
			i.time(p.DeletionTimestamp.Time))
	}
	for _, c := range p.Status.ContainerStatuses {
		if w := c.State.Waiting; w != nil && w.Reason != "" && w.Reason != "ContainerCreating" {
			text := fmt.Sprintf("container %s of Pod %s: %s", c.Name, p.Name, w.Reason)
			if w.Message != "" {
				text += ": " + w.Message
			}
			return text
		}
	}
	if c := pod.GetPodReadyCondition(p.Status); c != nil && c.Status == corev1.ConditionFalse && c.Message != "" {
		return fmt.Sprintf("Pod %s has not passed its readiness probe: %s", p.Name, c.Message)
	}
	return ""
}

// time is a date of an object, in a dump as it is there.
func (i *Instant) time(at time.Time) string {
	if i.dump != nil {
		return at.UTC().Format(time.RFC3339)
	}
	return trace.Seconds(at.Sub(i.rec.Epoch()))
}

// nodeHold says that a node cannot act for its Pods; empty if it can.
func (i *Instant) nodeHold(name string) string {
	o := trace.Object{Resource: "nodes", Name: name}
	node, ok := i.object(o).(*corev1.Node)
	switch {
	case !ok && (i.rec.Replay.ObjectAt(o, i.seq) != nil || i.dump != nil && !i.dump.Has(corev1.Resource("nodes"))):
		return ""
	case !ok:
		return "node " + name + ", which does not exist"
	}
	for _, c := range node.Status.Conditions {
		if c.Type == corev1.NodeReady && c.Status != corev1.ConditionTrue {
			text := "node " + name + ", which is not Ready"
			if !c.LastTransitionTime.IsZero() {
				text += " since " + i.time(c.LastTransitionTime.Time)
			}
			if reason := strings.Trim(c.Reason+", "+c.Message, ", "); reason != "" {
				text += ": " + reason
			}
			return text
		}
	}
	return ""
}

// change is the next write of an object in the recording, or 0.
func (i *Instant) change(o trace.Object) int64 {
	versions := i.rec.Versions(o)
	if n := i.rec.VersionAt(o, i.seq) + 1; n < len(versions) {
		return versions[n].Seq
	}
	return 0
}

// soonest is the earlier one of two records, where 0 is none.
func soonest(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
