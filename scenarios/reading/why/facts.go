package why

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/trace"
)

// FactsOf are the records about containers because of which upstream's kubelet wrote the status of a Pod, in order: what the write changed
// says which. There are none for another record, and for what no record tells of, such as the arrival of the Pod.
func (h *History) FactsOf(seq int64) (facts []int64) {
	record := h.rec.Record(seq)
	if record == nil || record.Request == nil || record.Request.Resource != "pods" || record.Request.Subresource != "status" {
		return nil
	}
	if name, _ := trace.SplitActor(record.Actor); name != controllers.KubeletName || record.Request.Code >= 400 {
		return nil
	}
	o := record.Request.Object
	before, _ := h.At(seq-1, record.At).object(o).(*corev1.Pod)
	after, _ := h.At(seq, record.At).object(o).(*corev1.Pod)
	if before == nil || after == nil {
		return nil
	}
	for _, pair := range [][2][]corev1.ContainerStatus{
		{before.Status.InitContainerStatuses, after.Status.InitContainerStatuses},
		{before.Status.ContainerStatuses, after.Status.ContainerStatuses},
		{before.Status.EphemeralContainerStatuses, after.Status.EphemeralContainerStatuses},
	} {
		for _, now := range pair[1] {
			var was corev1.ContainerStatus
			if n := slices.IndexFunc(pair[0], func(s corev1.ContainerStatus) bool { return s.Name == now.Name }); n >= 0 {
				was = pair[0][n]
			}
			facts = append(facts, h.told(after, seq, was, now)...)
		}
	}
	slices.Sort(facts)
	return slices.Compact(facts)
}

// told are the records of which the status of a container tells, and did not tell before.
func (h *History) told(p *corev1.Pod, seq int64, was, now corev1.ContainerStatus) (facts []int64) {
	var started int64
	last := func(after int64, is func(*trace.Container) bool) int64 {
		of := h.facts[p.UID]
		for n := range slices.Backward(of) {
			c := h.rec.Record(of[n]).Container
			if of[n] < seq && of[n] > after && (c.Container == now.Name || c.Pull != nil) && is(c) {
				facts = append(facts, of[n])
				return of[n]
			}
		}
		return 0
	}
	probe := func(kind string, succeeded bool) func(*trace.Container) bool {
		return func(c *trace.Container) bool {
			r := c.Probe
			return r != nil && r.Type == kind && r.Succeeded == succeeded && r.Run >= r.Threshold && r.Threshold > 0
		}
	}
	if endOf(now) != endOf(was) {
		last(0, func(c *trace.Container) bool { return c.Exit != nil })
	}
	if now.State.Running != nil && (was.State.Running == nil || now.RestartCount != was.RestartCount) {
		started = last(0, func(c *trace.Container) bool { return c.Started })
	}
	if isStarted(now) && !isStarted(was) {
		last(started, probe(trace.ProbeStartup, true))
	}
	if now.Ready != was.Ready && now.State.Running != nil {
		last(started, probe(trace.ProbeReadiness, now.Ready))
	}
	if w := now.State.Waiting; w != nil && (was.State.Waiting == nil || was.State.Waiting.Reason != w.Reason) {
		switch w.Reason {
		case "ErrImagePull", "ImagePullBackOff":
			last(0, func(c *trace.Container) bool { return c.Pull != nil && c.Pull.Error != "" })
		case "CrashLoopBackOff":
			last(0, func(c *trace.Container) bool { return c.BackOff != nil })
		}
	}
	return facts
}

// endOf names the last end of a container: the id of the container that ended.
func endOf(s corev1.ContainerStatus) string {
	for _, t := range []*corev1.ContainerStateTerminated{s.State.Terminated, s.LastTerminationState.Terminated} {
		if t != nil {
			return t.ContainerID
		}
	}
	return ""
}

func isStarted(s corev1.ContainerStatus) bool { return s.Started != nil && *s.Started }
