package lifecycle

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
	// Started is when the kubelet started last: it counts failures since then. Zero if it has not started again. Stopped means that it does
	// not run: what it would do next is open.
	Started time.Time
	Stopped bool
	// Others are the pulls of other Pods that run on the node, in the order in which they began.
	Others []Pull
	// Announced is how often the kubelet has said that it pulls an image for the Pod, by what it says.
	Announced map[string]int
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

// counts reports whether the kubelet that runs now knows what happened at a time.
func (p *Pod) counts(at time.Time) bool { return !p.Stopped && !at.Before(p.Started) }

// Reasons are what the kubelet of a Pod waits for, the most important one first. There are none if the status says nothing.
func (p *Pod) Reasons() []Reason {
	var reasons []Reason
	if s := p.ShutsDown(); s != nil {
		reasons = append(reasons, s)
	}
	if p.DeletionTimestamp != nil {
		return append(reasons, p.stops()...)
	}
	for n := range p.Spec.InitContainers {
		if reasons := p.initial(n); len(reasons) > 0 {
			return reasons
		}
	}
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
		return []Reason{&Initial{Reason: r, Number: n + 1, Of: len(p.Spec.InitContainers), Sidecar: sidecar}}
	}
	if running := status.State.Running; running != nil {
		since, _ := p.lately(c.Name)
		if since.IsZero() {
			since = running.StartedAt.Time
		}
		return []Reason{&Initial{Reason: &Runs{c.Name, since}, Number: n + 1, Of: len(p.Spec.InitContainers)}}
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
	case status.State.Running == nil && p.runsAgain(c, status):
		started, _ := p.lately(c.Name)
		return &Creation{Container: c.Name, Started: started}
	case status.State.Waiting != nil:
		return p.waiting(c, status)
	case status.State.Terminated != nil:
		return p.ended(c, status)
	case status.State.Running == nil:
		return nil
	}
	if exit := p.exited(c.Name); exit != nil {
		return &Exit{Container: c.Name, Code: exit.Code, At: p.Zero.Add(exit.Ended)}
	}
	if stop := p.stopping(c); stop != nil {
		return stop
	}
	return p.probing(c, status)
}

// runsAgain reports whether a container has started since the end that its status tells of.
func (p *Pod) runsAgain(c *corev1.Container, status *corev1.ContainerStatus) bool {
	started, _ := p.lately(c.Name)
	how := status.State.Terminated
	if how == nil {
		how = status.LastTerminationState.Terminated
	}
	return how != nil && started.After(how.FinishedAt.Time) && p.exited(c.Name) == nil
}

func statusOf(statuses []corev1.ContainerStatus, name string) *corev1.ContainerStatus {
	for n := range statuses {
		if statuses[n].Name == name {
			return &statuses[n]
		}
	}
	return nil
}

// lately are the facts about a container since it started last, which is the first result. What is left of the start before, such as an end
// that the kubelet found late, does not count.
func (p *Pod) lately(container string) (started time.Time, facts []Fact) {
	attempt := -1
	for _, f := range p.Facts {
		if f.Container.Container == container && f.Started {
			started, attempt = f.At, f.Attempt
		}
	}
	for _, f := range p.Facts {
		if f.Container.Container != container || f.Started {
			continue
		}
		ofOneStart := f.Exit != nil || f.Signal != nil
		if ofOneStart && f.Attempt == attempt || !ofOneStart && !f.At.Before(started) {
			facts = append(facts, f)
		}
	}
	return started, facts
}

// exited is the end of a container that has not started again, by the records; nil without one.
func (p *Pod) exited(container string) *trace.Exit {
	_, facts := p.lately(container)
	if f := last(facts, func(c *trace.Container) bool { return c.Exit != nil }); f != nil {
		return f.Exit
	}
	return nil
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
