package lifecycle

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// Shutdown is a Pod whose kubelet shuts its node down.
type Shutdown struct {
	*trace.Shutdown
	Node string
	// Since is when the shutdown began, and Latest when the phase of the Pod begins at the latest.
	Since, Latest time.Time
	// Stops means that the phase has begun.
	Stops bool
}

// Text implements Reason.
func (s *Shutdown) Text(date func(time.Time) string) string {
	text := fmt.Sprintf("%s has been shutting down since %s: its kubelet stops this Pod in phase %d of %d, that of Pods from priority %d, "+
		"which takes %s at most", s.Node, date(s.Since), s.Phase, s.Phases, s.Priority, s.Period)
	if s.Stops || s.Phase == 1 {
		return text
	}
	return text + fmt.Sprintf(" and begins at %s, or when the Pods of the phase before have ended", date(s.Latest))
}

// Due implements Reason.
func (*Shutdown) Due() *Due { return nil }

// ShutsDown is the shutdown of the node of a Pod that runs; nil if there is none.
func (p *Pod) ShutsDown() *Shutdown {
	f := last(p.Facts, func(c *trace.Container) bool { return c.Shutdown != nil })
	if f == nil || f.Shutdown.Canceled || p.Stopped || f.At.Before(p.Started) ||
		p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
		return nil
	}
	s := &Shutdown{Shutdown: f.Shutdown, Node: p.Spec.NodeName, Since: f.At, Latest: p.Zero.Add(f.Shutdown.Latest)}
	for _, other := range p.Facts {
		s.Stops = s.Stops || !other.At.Before(f.At) && (other.Signal != nil || other.Hook != nil)
	}
	return s
}
