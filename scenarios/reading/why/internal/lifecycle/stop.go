package lifecycle

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// Stop is a container that is being stopped.
type Stop struct {
	Container string
	// Hook is when its preStop hook began, zero if none runs; Handler is what the hook does.
	Hook    time.Time
	Handler string
	// Signal is the last signal, at At; nil before the first.
	Signal *trace.Signal
	At     time.Time
	// Kill is when SIGKILL follows, zero if it is not known or was sent.
	Kill time.Time
	// Grace is the grace period of the Pod.
	Grace time.Duration
	// Probe is the probe because of which the kubelet stops the container; nil if the Pod is terminating.
	Probe *Fact
}

// stops are the containers of a terminating Pod that are being stopped.
func (p *Pod) stops() (reasons []Reason) {
	for _, c := range slices.Concat(p.Spec.Containers, p.Spec.InitContainers) {
		status := statusOf(slices.Concat(p.Status.ContainerStatuses, p.Status.InitContainerStatuses), c.Name)
		if status == nil || status.State.Running == nil || p.exited(c.Name) != nil {
			continue
		}
		if stop := p.stop(&c); stop != nil {
			reasons = append(reasons, stop)
		}
	}
	return reasons
}

// stopping is a container that its kubelet stops although the Pod stays; nil if it does not.
func (p *Pod) stopping(c *corev1.Container) Reason {
	stop := p.stop(c)
	if stop == nil {
		return nil
	}
	stop.Probe = p.stopper(c.Name)
	return stop
}

func (p *Pod) stop(c *corev1.Container) *Stop {
	_, facts := p.lately(c.Name)
	s := &Stop{Container: c.Name}
	switch {
	case p.DeletionGracePeriodSeconds != nil:
		s.Grace = time.Duration(*p.DeletionGracePeriodSeconds) * time.Second
	case p.Spec.TerminationGracePeriodSeconds != nil:
		s.Grace = time.Duration(*p.Spec.TerminationGracePeriodSeconds) * time.Second
	}
	f := last(facts, func(c *trace.Container) bool { return c.Signal != nil || c.Hook != nil })
	switch {
	case f == nil:
		return nil
	case f.Hook != nil && f.Hook.Phase == trace.PhaseStart:
		s.Hook = f.At
		if c.Lifecycle != nil && c.Lifecycle.PreStop != nil {
			s.Handler = hookOf(c.Lifecycle.PreStop)
		}
	case f.Signal != nil:
		s.Signal, s.At = f.Signal, f.At
		if f.Signal.Name == trace.SignalTerminate {
			s.Kill = f.At.Add(f.Signal.Grace)
		}
	}
	return s
}

// hookOf is what a hook does.
func hookOf(h *corev1.LifecycleHandler) string {
	if h.Sleep != nil {
		return fmt.Sprintf("sleep %d s", h.Sleep.Seconds)
	}
	return Handler(corev1.ProbeHandler{Exec: h.Exec, HTTPGet: h.HTTPGet, TCPSocket: h.TCPSocket})
}

// Due implements Reason.
func (s *Stop) Due() *Due {
	if s.Kill.IsZero() {
		return nil
	}
	return &Due{Action: Kills, Container: s.Container, At: s.Kill}
}

// Text implements Reason.
func (s *Stop) Text(date func(time.Time) string) string {
	text := ""
	if s.Probe != nil {
		text = fmt.Sprintf("the %s probe of container %s failed, last at %s%s, so it is stopped: ", s.Probe.Probe.Type, s.Container,
			date(s.Probe.At), counted(s.Probe.Probe))
	}
	switch {
	case !s.Hook.IsZero():
		return text + fmt.Sprintf("the preStop hook of container %s (%s) has run since %s; SIGTERM follows when it ends, or at %s, when "+
			"the grace period of %s is over", s.Container, s.Handler, date(s.Hook), date(s.Hook.Add(s.Grace)), s.Grace)
	case s.Signal == nil:
		return text + fmt.Sprintf("the preStop hook of container %s has ended; SIGTERM follows", s.Container)
	case s.Kill.IsZero():
		return text + fmt.Sprintf("container %s was sent SIGKILL at %s", s.Container, date(s.At))
	}
	return text + fmt.Sprintf("container %s was sent SIGTERM at %s; if it still runs, SIGKILL follows at %s, %s later", s.Container,
		date(s.At), date(s.Kill), s.Signal.Grace)
}
