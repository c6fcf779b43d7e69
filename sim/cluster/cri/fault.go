package cri

import (
	"context"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/cluster/glob"
)

// Fault is what goes wrong with containers, whatever their programs do.
type Fault string

// The faults of containers.
const (
	// FailsPull keeps an image from being pulled: the registry does not know it.
	FailsPull Fault = "failPull"
	// CrashLoops ends a container one second after each start, and at once if it runs.
	CrashLoops Fault = "crashLoop"
	// Refuses makes a program refuse connections and fail commands, and so its probes.
	Refuses Fault = "refuse"
	// Hangs keeps a container from ending when it is stopped, whatever signal it gets.
	Hangs Fault = "hang"
)

// crashAfter is how long a container that crashes again and again runs each time.
const crashAfter = time.Second

// Target says which containers have a fault: those of a Pod, or those of the images that a glob matches.
type Target struct {
	Namespace, Pod string
	// Image is a glob; empty for all images of the Pod.
	Image string
}

// placed is a fault that somebody has set.
type placed struct {
	target Target
	fault  Fault
}

// Inject sets a fault.
func (r *Runtime) Inject(t Target, f Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one := (placed{t, f}); !slices.Contains(r.faults, one) {
		r.faults = append(r.faults, one)
	}
	if f == CrashLoops {
		r.endAll(t, 1)
	}
}

// Exit ends the containers of a target now, with an exit code.
func (r *Runtime) Exit(t Target, code int32) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.endAll(t, code)
}

func (r *Runtime) endAll(t Target, code int32) {
	now := time.Now()
	r.containers.all(func(c *container) {
		if c.runs(now) && r.isAbout(t, c) {
			c.end(now, code, reasonError)
		}
	})
}

// Lift ends the faults of a target. The image * is all images.
func (r *Runtime) Lift(t Target) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults = slices.DeleteFunc(r.faults, func(p placed) bool {
		samePod := p.target.Namespace == t.Namespace && p.target.Pod == t.Pod
		return samePod && (p.target.Image == t.Image || glob.CoversImage(t.Image, p.target.Image))
	})
	if r.lifted != nil {
		close(r.lifted)
		r.lifted = nil
	}
}

// PowerOff ends all containers, as when the node loses power. The runtime finds them ended when the node is up again, with the exit code
// with which containerd reports containers that it lost.
func (r *Runtime) PowerOff() {
	const exitUnknown = 255
	r.mu.Lock()
	defer r.mu.Unlock()
	now := time.Now()
	r.containers.all(func(c *container) { c.end(now, exitUnknown, "Unknown") })
	r.sandboxes.all(func(s *sandbox) { s.stopped = true })
	r.change()
}

// Runs reports whether a container runs. It is false after PowerOff, until somebody starts one.
func (r *Runtime) Runs() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	now, some := time.Now(), false
	r.containers.all(func(c *container) { some = some || c.runs(now) })
	return some
}

// isAbout reports whether a fault of a target is one of a container.
func (r *Runtime) isAbout(t Target, c *container) bool {
	if t.Pod != "" {
		s := r.sandboxes.byID[c.sandbox]
		if s == nil || s.config.GetMetadata().GetNamespace() != t.Namespace || s.config.GetMetadata().GetName() != t.Pod {
			return false
		}
	}
	return t.Image == "" || glob.MatchesImage(t.Image, c.config.GetImage().GetUserSpecifiedImage())
}

// has reports whether a container has a fault.
func (r *Runtime) has(c *container, f Fault) bool {
	return slices.ContainsFunc(r.faults, func(p placed) bool { return p.fault == f && r.isAbout(p.target, c) })
}

// cannotPull reports whether an image has the fault FailsPull.
func (r *Runtime) cannotPull(name string) bool {
	return slices.ContainsFunc(r.faults, func(p placed) bool { return p.fault == FailsPull && glob.MatchesImage(p.target.Image, name) })
}

// untilLifted waits while a container hangs. The caller holds the lock, which is free meanwhile.
func (r *Runtime) untilLifted(ctx context.Context, c *container) error {
	for r.has(c, Hangs) {
		if r.lifted == nil {
			r.lifted = make(chan struct{})
		}
		lifted := r.lifted
		r.mu.Unlock()
		select {
		case <-lifted:
		case <-ctx.Done():
		}
		r.mu.Lock()
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
