package lifecycle

import (
	"fmt"
	"regexp"
	"time"

	corev1 "k8s.io/api/core/v1"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/sim/trace"
)

// The back-offs of a kubelet: initialCrashLoopBackOff and imageBackOffPeriod, and MaxImageBackOff (pkg/kubelet/kubelet.go). With other
// settings, a back-off begins with less.
const (
	firstWait   = 10 * time.Second
	longestPull = 5 * time.Minute
)

// Wait is a back-off: 40s is 10s doubled twice.
type Wait struct {
	Length time.Duration
	// Doubled is how often 10s were doubled; -1 if that gives another length.
	Doubled int
}

func waitOf(length time.Duration) Wait {
	w := Wait{Length: length, Doubled: -1}
	for n, sum := 0, firstWait; n < 32 && sum <= length; n, sum = n+1, 2*sum {
		if sum == length {
			w.Doubled = n
		}
	}
	return w
}

// text is the sum.
func (w Wait) text() string {
	text := "the back-off is " + w.Length.String()
	switch {
	case w.Length == longestPull:
		return text + ", the longest"
	case w.Doubled == 1:
		return text + ", 10s doubled once"
	case w.Doubled == 2:
		return text + ", 10s doubled twice"
	case w.Doubled > 2:
		return text + fmt.Sprintf(", 10s doubled %d times", w.Doubled)
	}
	return text
}

// Ended is a container that has ended, and starts again or not.
type Ended struct {
	Container string
	How       *corev1.ContainerStateTerminated
	// Restarts are those before.
	Restarts int32
	// At is when it ended, to the nanosecond if there is a record of it; the status has whole seconds.
	At time.Time
	// Wait is the back-off, and Next the earliest time of the next start; zero if it is not known to wait.
	Wait Wait
	Next time.Time
	// Policy is the restartPolicy that keeps it from starting again; empty if it does.
	Policy corev1.RestartPolicy
	// Unmatched means that the container has restartPolicyRules, and that none is for its exit code.
	Unmatched bool
	// Probe is the probe that made the kubelet stop it; nil if none did.
	Probe *Fact
}

const (
	crashLoop    = "CrashLoopBackOff"
	errPull      = "ErrImagePull"
	pullBackOff  = "ImagePullBackOff"
	creating     = "ContainerCreating"
	initializing = "PodInitializing"
	oomKilled    = "OOMKilled"
)

// backedOff is the length of a back-off in the message of a container that waits for a restart, in the words of doBackOff in
// pkg/kubelet/kuberuntime/kuberuntime_manager.go. No field of the status has it.
var backedOff = regexp.MustCompile(`^back-off (\S+) restarting failed container`)

// waiting is what a container waits for that does not run.
func (p *Pod) waiting(c *corev1.Container, status *corev1.ContainerStatus) Reason {
	w := status.State.Waiting
	switch w.Reason {
	case crashLoop:
		if r := p.crashed(c, status); r != nil {
			return r
		}
	case errPull, pullBackOff:
		if r := p.pull(c); r != nil {
			return r
		}
	case creating, initializing, "":
		if r := p.pull(c); r != nil {
			return r
		}
		started, _ := p.lately(c.Name)
		return &Creation{Container: c.Name, Started: started}
	}
	return &Waits{Container: c.Name, Pod: p.Name, Reason: w.Reason, Message: w.Message}
}

// crashed is a container that waits before it starts again.
func (p *Pod) crashed(c *corev1.Container, status *corev1.ContainerStatus) Reason {
	how := status.LastTerminationState.Terminated
	m := backedOff.FindStringSubmatch(status.State.Waiting.Message)
	if how == nil || m == nil {
		return nil
	}
	length, err := time.ParseDuration(m[1])
	if err != nil {
		return nil
	}
	e := p.end(c.Name, how, status.RestartCount)
	if p.counts(e.At) {
		e.waits(length)
	}
	return e
}

// waits adds a back-off.
func (e *Ended) waits(length time.Duration) { e.Wait, e.Next = waitOf(length), e.At.Add(length) }

// end is the end of a container.
func (p *Pod) end(container string, how *corev1.ContainerStateTerminated, restarts int32) *Ended {
	e := &Ended{Container: container, How: how, Restarts: restarts, At: how.FinishedAt.Time, Probe: p.stopper(container)}
	if exit := p.exited(container); exit != nil {
		if at := p.Zero.Add(exit.Ended); at.Truncate(time.Second).Equal(e.At) {
			e.At = at
		}
	}
	return e
}

// ended is a container that has ended, and does not wait yet; nil if it ended well.
func (p *Pod) ended(c *corev1.Container, status *corev1.ContainerStatus) Reason {
	how := status.State.Terminated
	e := p.end(c.Name, how, status.RestartCount)
	if !podutil.ContainerShouldRestart(*c, p.Spec, how.ExitCode) {
		e.Policy, e.Unmatched = p.Spec.RestartPolicy, len(c.RestartPolicyRules) > 0
		if c.RestartPolicy != nil {
			e.Policy = corev1.RestartPolicy(*c.RestartPolicy)
		}
		if how.ExitCode == 0 {
			return nil
		}
		return e
	}
	// The status says that the container waits when the kubelet looks at the Pod once more.
	_, facts := p.lately(c.Name)
	if f := last(facts, func(c *trace.Container) bool { return c.BackOff != nil }); f != nil && p.counts(f.At) {
		e.waits(f.BackOff.Length)
	}
	return e
}

// stopper is the result of a probe after which the kubelet stopped the container that ran last; nil if that ended in another way.
func (p *Pod) stopper(container string) *Fact {
	_, facts := p.lately(container)
	if last(facts, func(c *trace.Container) bool { return c.Signal != nil }) == nil {
		return nil
	}
	return last(facts, func(c *trace.Container) bool {
		r := c.Probe
		return r != nil && !r.Succeeded && r.Type != trace.ProbeReadiness && r.Run >= r.Threshold && r.Threshold > 0
	})
}

// Due implements Reason.
func (e *Ended) Due() *Due {
	if e.Next.IsZero() {
		return nil
	}
	return &Due{Action: Starts, Container: e.Container, At: e.Next, Earliest: true}
}

// Text implements Reason.
func (e *Ended) Text(date func(time.Time) string) string {
	text := fmt.Sprintf("container %s ended with exit code %d", e.Container, e.How.ExitCode)
	if e.How.Reason == oomKilled {
		text += " (OOMKilled: it reached its limit of memory)"
	}
	if !e.At.IsZero() {
		text += " at " + date(e.At)
	}
	if e.Restarts > 0 {
		text += ", after " + trace.Count(int(e.Restarts), "restart")
	}
	if e.Probe != nil {
		text += fmt.Sprintf("; it was stopped because its %s probe failed, last at %s%s", e.Probe.Probe.Type, date(e.Probe.At),
			counted(e.Probe.Probe))
	}
	switch {
	case e.Policy != "":
		text += "; it does not start again (restartPolicy is " + string(e.Policy)
		if e.Unmatched {
			text += ", and no rule is for this exit code"
		}
		return text + ")"
	case e.Next.IsZero():
		return text
	}
	return text + "; it starts again at " + date(e.Next) + " at the earliest: " + e.Wait.text()
}
