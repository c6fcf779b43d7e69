package cri

import (
	"time"

	runtimeapi "k8s.io/cri-api/pkg/apis/runtime/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// notice records what the runtime does with a container of a Pod: the state of a container shows how it ended, and not what the runtime
// has sent to it.
func (r *Runtime) notice(pod *runtimeapi.PodSandboxMetadata, what trace.Container) {
	if r.options.Notice == nil || pod == nil {
		return
	}
	what.Object = trace.Object{Resource: "pods", Namespace: pod.GetNamespace(), Name: pod.GetName()}
	what.UID = pod.GetUid()
	r.options.Notice(what)
}

// of records what happens to a container. The caller holds the lock.
func (r *Runtime) of(c *container, what trace.Container) {
	if s := r.sandboxes.byID[c.sandbox]; s != nil {
		what.Container, what.Attempt = c.config.GetMetadata().GetName(), int(c.config.GetMetadata().GetAttempt())
		r.notice(s.config.GetMetadata(), what)
	}
}

// began records that a container starts.
func (r *Runtime) began(c *container) { r.of(c, trace.Container{Started: true}) }

// sees records the end of a container when somebody looks at it: nothing runs before.
func (r *Runtime) sees(c *container, now time.Time) {
	if c.exitSeen || c.state(now) != runtimeapi.ContainerState_CONTAINER_EXITED || c.started.IsZero() {
		return
	}
	c.exitSeen = true
	r.change()
	r.of(c, trace.Container{Exit: &trace.Exit{Ended: c.ends.Sub(r.options.Zero), Code: c.code, Reason: c.reason}})
}

// signaled records a signal to a container.
func (r *Runtime) signaled(c *container, signal string, grace time.Duration) {
	r.of(c, trace.Container{Signal: &trace.Signal{Name: signal, Grace: grace}})
}

// kills records that a container which still runs at the end of its grace period, or of its sandbox, is killed.
func (r *Runtime) kills(c *container, at time.Time) {
	if !c.killed && c.ends.Equal(at) && c.code == exitKilled && c.reason == reasonError {
		c.killed = true
		r.signaled(c, trace.SignalKill, 0)
	}
}
