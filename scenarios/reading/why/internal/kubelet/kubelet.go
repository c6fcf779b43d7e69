package kubelet

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/sim/trace"
)

// Fact is a record about a container, with its date.
type Fact struct {
	At time.Time
	*trace.Container
}

// Pod is a Pod on a node at an instant, with what is known about its containers.
type Pod struct {
	*corev1.Pod
	// Facts are the records about the Pod up to the instant, in order.
	Facts []Fact
	// Zero is the virtual date of time zero: records count from it.
	Zero time.Time
	// Started is when the kubelet started last: it counts failures since then. Zero if it has not started again.
	Started time.Time
}

// Reason is one thing that a kubelet waits for.
type Reason interface {
	// Text is a clause without a full stop. date prints a time.
	Text(date func(time.Time) string) string
	// Due is what the kubelet does next; nil if that is not known.
	Due() *Due
}

// The actions of a Due.
const (
	Probes = "probe"
	Starts = "start"
	Pulls  = "pull"
	Kills  = trace.SignalKill
)

// Due is what a kubelet, or the runtime of its node, does next with a container. It does not if the container ends before, or the Pod is
// deleted.
type Due struct {
	Action string
	// Container is its name, Probe the type of a probe, and Image that of a pull.
	Container, Probe, Image string
	// At is when. Latest means at the latest, and Earliest at the earliest.
	At               time.Time
	Latest, Earliest bool
}

// Reasons are what the kubelet of a Pod waits for, the most important one first. There are none if the status says nothing.
func (p *Pod) Reasons() []Reason {
	if p.DeletionTimestamp != nil {
		return p.stops()
	}
	for n := range p.Spec.InitContainers {
		if reasons := p.initial(n); len(reasons) > 0 {
			return reasons
		}
	}
	var reasons []Reason
	for n := range p.Spec.Containers {
		if r := p.reason(&p.Spec.Containers[n], false); r != nil {
			reasons = append(reasons, r)
		}
	}
	return append(reasons, p.gates()...)
}

// initial is what keeps an init container from letting those after it start.
func (p *Pod) initial(n int) []Reason {
	c := &p.Spec.InitContainers[n]
	status := statusOf(p.Status.InitContainerStatuses, c.Name)
	if status == nil {
		return nil
	}
	sidecar := podutil.IsRestartableInitContainer(c)
	switch t := status.State.Terminated; {
	case t != nil && t.ExitCode == 0 && !sidecar:
		return nil
	case sidecar && status.Started != nil && *status.Started && status.State.Running != nil:
		return nil
	}
	if r := p.reason(c, true); r != nil {
		return []Reason{&Initial{Reason: r, Number: n + 1, Of: len(p.Spec.InitContainers)}}
	}
	if running := status.State.Running; running != nil {
		return []Reason{&Initial{Reason: &Runs{c.Name, running.StartedAt.Time}, Number: n + 1, Of: len(p.Spec.InitContainers)}}
	}
	return nil
}

// reason is what a container waits for; nil if it is ready, or has ended well.
func (p *Pod) reason(c *corev1.Container, initial bool) Reason {
	statuses := p.Status.ContainerStatuses
	if initial {
		statuses = p.Status.InitContainerStatuses
	}
	status := statusOf(statuses, c.Name)
	switch {
	case status == nil:
		return nil
	case status.State.Waiting != nil:
		return p.waiting(c, status)
	case status.State.Terminated != nil:
		return p.ended(c, status)
	case status.State.Running == nil:
		return nil
	}
	if stop := p.stopping(c); stop != nil {
		return stop
	}
	return p.probing(c, status)
}

func statusOf(statuses []corev1.ContainerStatus, name string) *corev1.ContainerStatus {
	for n := range statuses {
		if statuses[n].Name == name {
			return &statuses[n]
		}
	}
	return nil
}

// lately are the facts about a container since it started last, which is the first result.
func (p *Pod) lately(container string) (started time.Time, facts []Fact) {
	for _, f := range p.Facts {
		if f.Container.Container != container {
			continue
		}
		if f.Started {
			started, facts = f.At, nil
			continue
		}
		facts = append(facts, f)
	}
	return started, facts
}

// last is the last fact that has something; nil if none has.
func last(facts []Fact, has func(*trace.Container) bool) *Fact {
	for n := range slices.Backward(facts) {
		if has(facts[n].Container) {
			return &facts[n]
		}
	}
	return nil
}
