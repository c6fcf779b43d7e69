package why

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/explain/nodes"
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
		return append([]string{fmt.Sprintf("Pod %s is on %s", p.Name, text)}, i.silence(p.Spec.NodeName)...)
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

// silence says that the kubelet of a node does not run, or reaches nobody, and who marks the node for that while it is Ready; nothing if
// the kubelet runs.
func (i *Instant) silence(node string) []string {
	p := i.Process(controllers.KubeletProcess(node))
	switch p.State {
	case Dead:
		p.Why = fmt.Sprintf("the kubelet of %s has been dead since %s: it %s", node, trace.Seconds(p.Since), p.Why)
	case Paused:
		p.Why = fmt.Sprintf("the kubelet of %s has sent nothing since %s: it %s", node, trace.Seconds(p.Since), p.Why)
	default:
		return nil
	}
	if _, exists := i.object(trace.Object{Resource: "nodes", Name: node}).(*corev1.Node); !exists || i.nodeHold(node) != "" {
		return []string{p.Why}
	}
	return []string{p.Why, i.marks(node, p.Since)}
}

// marks says who marks a node whose kubelet has sent nothing since a time, and when, or why nobody does.
func (i *Instant) marks(node string, since time.Duration) string {
	marker := names.NodeLifecycleController
	if !i.runs[marker] {
		return fmt.Sprintf("nobody marks %s as not Ready: %s does not run, since kubernetes.controllers in the scenario omits it",
			node, marker)
	}
	if p := i.Process(i.process(i.actor(marker, node))); p.State == Dead || p.State == Paused {
		return fmt.Sprintf("nobody marks %s as not Ready: %s, with %s, has been %s since %s", node, p.Name, marker, p.State,
			trace.Seconds(p.Since))
	}
	grace := nodes.Defaults().NodeMonitorGracePeriod.Duration
	text := fmt.Sprintf("%s marks %s as not Ready when it has seen nothing of its kubelet for nodeMonitorGracePeriod (default %s)", marker,
		node, grace)
	last, period := i.heartbeat(node), controllers.Of(marker).Period
	// It notes a heartbeat in the first look after it, and looks again when the grace period has passed.
	if from := last + grace; last > 0 && since-last <= heartbeats && i.at < from+2*period {
		text += fmt.Sprintf(": with the default between %s and %s, since the last heartbeat was at %s", trace.Seconds(from),
			trace.Seconds(from+2*period), trace.Seconds(last))
	}
	return text
}

// heartbeats is more than the time between two heartbeats. Where simulations leave heartbeats out, there is more between them.
const heartbeats = 15 * time.Second

// heartbeat is the time of the last one of a node, 0 for none: its kubelet renewed its Lease, or wrote its status.
func (i *Instant) heartbeat(node string) (last time.Duration) {
	for _, o := range []trace.Object{
		{Resource: "leases.coordination.k8s.io", Namespace: corev1.NamespaceNodeLease, Name: node}, {Resource: "nodes", Name: node},
	} {
		versions := i.rec.Versions(o)
		for n := i.rec.VersionAt(o, i.seq); n >= 0; n-- {
			if actor, _ := trace.SplitActor(i.rec.Actor(versions[n].Seq)); actor == controllers.KubeletName {
				last = max(last, i.rec.At(versions[n].Seq))
				break
			}
		}
	}
	return last
}
