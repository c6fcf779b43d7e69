package lifecycle

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
)

// Initial is an init container that the containers after it wait for.
type Initial struct {
	Reason
	// Number is its position from 1, of all init containers.
	Number, Of int
	// Sidecar means that it has to start only, and not to end.
	Sidecar bool
}

// Text implements Reason.
func (i *Initial) Text(date func(time.Time) string) string {
	has := "succeed"
	if i.Sidecar {
		has = "start"
	}
	return fmt.Sprintf("init container %d of %d has to %s first: %s", i.Number, i.Of, has, i.Reason.Text(date))
}

// Runs is an init container that has not ended.
type Runs struct {
	Container string
	Since     time.Time
}

// Text implements Reason.
func (r *Runs) Text(date func(time.Time) string) string {
	return fmt.Sprintf("container %s has run since %s", r.Container, date(r.Since))
}

// Due implements Reason.
func (*Runs) Due() *Due { return nil }

// Waits is a container that cannot start for another reason.
type Waits struct{ Container, Pod, Reason, Message string }

// Text implements Reason.
func (w *Waits) Text(func(time.Time) string) string {
	text := fmt.Sprintf("container %s of Pod %s: %s", w.Container, w.Pod, w.Reason)
	if w.Message != "" {
		text += ": " + w.Message
	}
	return text
}

// Due implements Reason.
func (*Waits) Due() *Due { return nil }

// Gate is a readiness gate of a Pod that is not True.
type Gate struct{ Condition corev1.PodConditionType }

// Text implements Reason.
func (g *Gate) Text(func(time.Time) string) string {
	return fmt.Sprintf("the condition %s of spec.readinessGates is not True", g.Condition)
}

// Due implements Reason.
func (*Gate) Due() *Due { return nil }

func (p *Pod) gates() (reasons []Reason) {
	for _, gate := range p.Spec.ReadinessGates {
		_, c := podutil.GetPodCondition(&p.Status, gate.ConditionType)
		if c == nil || c.Status != corev1.ConditionTrue {
			reasons = append(reasons, &Gate{gate.ConditionType})
		}
	}
	return reasons
}

// Creation is a container that has not started, as far as the status of its Pod says.
type Creation struct {
	Container string
	// Started is when it started; zero if it has not.
	Started time.Time
}

// Text implements Reason.
func (c *Creation) Text(date func(time.Time) string) string {
	if c.Started.IsZero() {
		return fmt.Sprintf("container %s has not started yet", c.Container)
	}
	return fmt.Sprintf("container %s started at %s, which the status of the Pod does not say yet", c.Container, date(c.Started))
}

// Due implements Reason.
func (*Creation) Due() *Due { return nil }

// Exit is a container that has ended, which the status of its Pod does not say yet.
type Exit struct {
	Container string
	Code      int32
	At        time.Time
}

// Text implements Reason.
func (e *Exit) Text(date func(time.Time) string) string {
	return fmt.Sprintf("container %s ended with exit code %d at %s, which the status of the Pod does not say yet", e.Container, e.Code,
		date(e.At))
}

// Due implements Reason.
func (*Exit) Due() *Due { return nil }
