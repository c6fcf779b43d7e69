package why

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// isUnserved reports whether no kube-scheduler has a profile with the spec.schedulerName of a Pod. A recording does not have the
// configuration, but kube-scheduler puts a Pod into its queue as soon as its informer receives it, with scheduling gates or without,
// if a profile has that name (responsibleForPod in pkg/scheduler/eventhandlers.go). So there is none if an informer has received the
// Pod, and no Pod with that name ever gets into a queue.
func (i *Instant) isUnserved(p *corev1.Pod) bool {
	if i.profiles()[p.Spec.SchedulerName] {
		return false
	}
	o := trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name}
	for _, suffix := range i.suffixes[trace.SchedulerActor] {
		informer := i.rec.Caches.Read(trace.SchedulerActor+suffix, o.Resource)
		if informer != nil && informer.Version(o, i.seq) != 0 {
			return true
		}
	}
	return false
}

// profiles are the profiles of kube-scheduler that had a Pod in the recording.
func (h *History) profiles() map[string]bool {
	if h.served != nil {
		return h.served
	}
	h.served = map[string]bool{}
	for record := range h.rec.Of(trace.KindEnqueue) {
		if actor, _ := trace.SplitActor(record.Actor); actor != trace.SchedulerActor {
			continue
		}
		namespace, name, _ := strings.Cut(record.Enqueue.Key, "/")
		fields := h.rec.Replay.ObjectAt(trace.Object{Resource: "pods", Namespace: namespace, Name: name}, record.Seq)
		spec, _ := fields["spec"].(map[string]any)
		if profile, ok := spec["schedulerName"].(string); ok {
			h.served[profile] = true
		}
	}
	return h.served
}
