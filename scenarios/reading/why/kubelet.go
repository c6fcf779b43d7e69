package why

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/reading/why/internal/lifecycle"
	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// Due is what a kubelet, or the container runtime of its node, does next with a container. It does not if the container ends before, the
// Pod is deleted, or the kubelet crashes.
type Due struct {
	// Action is probe, start, pull or SIGKILL.
	Action string `json:"action"`
	// Container is its name, Probe the type of a probe, and Image that of a pull.
	Container string `json:"container,omitempty"`
	Probe     string `json:"probe,omitempty"`
	Image     string `json:"image,omitempty"`
	// At is when. Latest means at the latest, and Earliest at the earliest.
	At       time.Duration `json:"at"`
	Latest   bool          `json:"latest,omitempty"`
	Earliest bool          `json:"earliest,omitempty"`
}

// runsKubelet reports whether upstream's kubelet runs on a node.
func (i *Instant) runsKubelet(node string) bool {
	return len(i.rec.OfActor(controllers.KubeletActor(node))) > 0
}

// kubeletHolds say what the kubelet of a Pod waits for, or why that does nothing. The stand-in of the kubelet has no probes and no
// back-offs.
func (i *Instant) kubeletHolds(p *corev1.Pod) []string {
	if p.DeletionTimestamp != nil && len(p.Finalizers) > 0 {
		return nil
	}
	holds := i.silence(p.Spec.NodeName)
	if i.dump == nil && !i.runsKubelet(p.Spec.NodeName) {
		return holds
	}
	if waits, _ := i.volumeHolds(p); waits != nil {
		return append(holds, waits...) // no container can start before
	}
	for _, reason := range i.reasons(p) {
		holds = append(holds, reason.Text(i.time))
	}
	return holds
}

// onNode adds what the kubelet of a Pod does that is being deleted.
func (i *Instant) onNode(a *Answer) {
	p, ok := i.object(a.Object).(*corev1.Pod)
	if !ok || p.DeletionTimestamp == nil || p.Spec.NodeName == "" || !i.runsKubelet(p.Spec.NodeName) {
		return
	}
	a.Controller, a.Process, a.Due = controllers.KubeletName, controllers.KubeletProcess(p.Spec.NodeName), i.dues(p)
	a.Pulls = i.waited(p)
	a.Holds = slices.Concat(i.kubeletHolds(p), a.Holds)
}

// dues are what the kubelet of a Pod, or the runtime of its node, does next.
func (i *Instant) dues(p *corev1.Pod) (dues []Due) {
	for _, reason := range i.reasons(p) {
		if d := reason.Due(); d != nil {
			dues = append(dues, Due{d.Action, d.Container, d.Probe, d.Image, d.At.Sub(i.rec.Epoch()), d.Latest, d.Earliest})
		}
	}
	return dues
}

func (i *Instant) reasons(p *corev1.Pod) []lifecycle.Reason {
	of := i.life(p)
	return of.Reasons()
}

// shutsDown adds what the kubelet of a Pod does that lacks nothing yet, when it shuts its node down.
func (i *Instant) shutsDown(a *Answer) {
	p, ok := i.object(a.Object).(*corev1.Pod)
	if !ok || i.dump != nil {
		return
	}
	if of := i.life(p); of.ShutsDown() != nil {
		a.Controller, a.Process, a.Due = controllers.KubeletName, controllers.KubeletProcess(p.Spec.NodeName), i.dues(p)
		a.Holds = append(a.Holds, i.kubeletHolds(p)...)
	}
}

// life is what is known about a Pod on its node.
func (i *Instant) life(p *corev1.Pod) lifecycle.Pod {
	epoch := i.rec.Epoch()
	of := lifecycle.Pod{Pod: p, Zero: epoch}
	of.Stopped = i.Process(controllers.KubeletProcess(p.Spec.NodeName)).State != Runs
	var since time.Duration
	if seq := i.started(controllers.KubeletProcess(p.Spec.NodeName)); seq != 0 {
		since = i.rec.At(seq)
		of.Started = epoch.Add(since)
	}
	of.Others, of.Announced = i.pulls(p, since), i.announced(p, since)
	for _, seq := range i.factsOf(p) {
		if seq > i.seq {
			break
		}
		record := i.rec.Record(seq)
		of.Facts = append(of.Facts, lifecycle.Fact{At: epoch.Add(record.At), Container: record.Container})
	}
	return of
}

// factsOf are the records about the containers of a Pod. Those of a mirror Pod are those of the static Pod.
func (i *Instant) factsOf(p *corev1.Pod) []int64 {
	if uid := p.Annotations[corev1.MirrorPodAnnotationKey]; uid != "" {
		return i.facts[types.UID(uid)]
	}
	return i.facts[p.UID]
}

// mirrors says of a mirror Pod that its kubelet runs it; empty for another one.
func (i *Instant) mirrors(o trace.Object) string {
	p, ok := i.object(o).(*corev1.Pod)
	if !ok || p.Annotations[corev1.MirrorPodAnnotationKey] == "" {
		return ""
	}
	if p.DeletionTimestamp != nil {
		return fmt.Sprintf("it is the mirror of a static Pod: its containers run on, and the kubelet of %s creates it again while its "+
			"manifest is on the node", p.Spec.NodeName)
	}
	return fmt.Sprintf("it is the mirror of a static Pod: the kubelet of %s runs it while its manifest is on the node, whatever is done "+
		"to the mirror in the API server", p.Spec.NodeName)
}

// podOf says what the kubelet of the Pod waits for that a workload waits for; empty without upstream's kubelets, and if that is part of a
// question of the scenario.
func (i *Instant) podOf(o trace.Object) string {
	if len(i.facts) == 0 {
		return ""
	}
	for _, goal := range liveness.Goals() {
		if goal.Resource != schema.ParseGroupResource(o.Resource) {
			continue
		}
		lack := liveness.LackOf(world{i}, goal, o)
		if lack == nil || lack.On == nil {
			continue
		}
		p, ok := i.object(*lack.On).(*corev1.Pod)
		if !ok || slices.ContainsFunc(i.dues(p), func(d Due) bool { return i.rec.AsksBefore(d.At, i.seq) }) {
			continue
		}
		if holds := i.kubeletHolds(p); len(holds) > 0 {
			return "Pod " + p.Name + ": " + holds[0]
		}
	}
	return ""
}

// failed says why a kubelet refused a Pod when it arrived, or ended it; empty if it did not.
func (i *Instant) failed(o trace.Object) string {
	p, ok := i.object(o).(*corev1.Pod)
	if !ok || p.Status.Phase != corev1.PodFailed || p.Status.Reason == "" || p.Spec.NodeName == "" {
		return ""
	}
	did := "ended"
	started := func(s corev1.ContainerStatus) bool {
		return s.ContainerID != "" || s.LastTerminationState.Terminated != nil
	}
	switch {
	case p.Status.Reason == evicted:
		did = "evicted"
	case !slices.ContainsFunc(slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses), started):
		did = "refused"
	}
	text := fmt.Sprintf("the kubelet of %s %s it: %s", p.Spec.NodeName, did, p.Status.Reason)
	if p.Status.Message != "" {
		text += ": " + p.Status.Message
	}
	return text
}

// evicted is the reason of a Pod that a kubelet evicts (pkg/kubelet/eviction/helpers.go).
const evicted = "Evicted"
