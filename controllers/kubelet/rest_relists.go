//go:build linux

package kubelet

import (
	"context"
	"time"

	"k8s.io/apimachinery/pkg/types"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/container"
	"k8s.io/kubernetes/pkg/kubelet/pleg"
	"k8s.io/utils/clock"

	"github.com/kubestep/kubestep/controllers/kubelet/internal/kubeletapi"
	"github.com/kubestep/kubestep/sim/process/unexported"
)

// relistAtLeast is how often the Pod lifecycle event generator relists while it rests: a kubelet is not healthy when its last relist is
// three minutes old (genericPlegRelistThreshold in pkg/kubelet/kubelet.go).
const relistAtLeast = 2 * time.Minute

// relists is the timer of the Pod lifecycle event generator, which lists all containers each second, and finds what the pass before has
// found while no container changes. A container that ends by itself changes when it is seen to have ended, so a pass must see that.
type relists struct {
	clock.Timer
	rest *rest
	// began is when the timer was set last, and period when it is due, at first; the zero values mean that it does not rest.
	began  time.Time
	period time.Duration
}

// addRestOfRelists makes the Pod lifecycle event generator of a kubelet rest.
func addRestOfRelists(k *kubeletupstream.Kubelet, r *rest) {
	generator := *unexported.Field[pleg.PodLifecycleEventGenerator](k, "pleg")
	timer := &relists{rest: r}
	r.relists = timer
	r.runtime.OnPlan(timer.plan)
	clocks := unexported.Field[clock.Clock](generator, "clock")
	*clocks = relistClock{*clocks, timer}
	workers := *unexported.Field[kubeletupstream.PodWorkers](k, "podWorkers")
	cache := unexported.Field[kubeletapi.PodStatuses](workers, "podCache")
	*cache = relistedCache{*cache, *unexported.Field[container.Cache](generator, "cache"), timer}
}

// Reset implements clock.Timer.
func (t *relists) Reset(period time.Duration) bool {
	t.rest.mu.Lock()
	t.began = time.Time{}
	rests := t.rest.sinceChange() >= calm
	if rests {
		t.began, t.period = time.Now(), period
		period = relistAtLeast
	}
	was := t.Timer.Reset(period)
	t.rest.mu.Unlock()
	if end := t.rest.runtime.NextEnd(); rests && !end.IsZero() {
		t.until(end)
	}
	return was
}

// until makes the timer be due at the first pass that sees what is at a time. With a period of a second, that of 5.3 s after a pass is the
// sixth.
func (t *relists) until(at time.Time) {
	t.rest.mu.Lock()
	defer t.rest.mu.Unlock()
	if t.began.IsZero() {
		return
	}
	passes := max(1, (at.Sub(t.began)+t.period-1)/t.period)
	if due := t.began.Add(passes * t.period); due.Before(t.began.Add(relistAtLeast)) {
		t.Timer.Reset(time.Until(due))
	}
}

// plan ends the rest, since the end of a container is known now.
func (t *relists) plan() {
	t.rest.mu.Lock()
	defer t.rest.mu.Unlock()
	t.wake()
}

// wake makes the timer be due at the time of its next pass, as if it had not rested. The caller holds the lock of the rest.
func (t *relists) wake() {
	if !t.began.IsZero() {
		t.Timer.Reset(t.period - time.Since(t.began)%t.period)
		t.began = time.Time{}
	}
}

// ask ends the rest, and returns when the last pass was that is left out; the zero value if none is.
func (t *relists) ask() (last time.Time) {
	t.rest.mu.Lock()
	defer t.rest.mu.Unlock()
	if t.began.IsZero() {
		return time.Time{}
	}
	if passes := time.Since(t.began) / t.period; passes > 0 {
		last = t.began.Add(passes * t.period)
	}
	t.wake()
	return last
}

// relistClock is the clock of the generator.
type relistClock struct {
	clock.Clock
	timer *relists
}

// NewTimer implements clock.Clock. The generator has one timer.
func (c relistClock) NewTimer(d time.Duration) clock.Timer {
	c.timer.Timer = c.Clock.NewTimer(d)
	return c.timer
}

// relistedCache is what the generator has found, as Pod workers see it: one that has synced its Pod waits for a later pass.
type relistedCache struct {
	kubeletapi.PodStatuses
	all   container.Cache
	timer *relists
}

// GetNewerThan implements container.ROCache.
func (c relistedCache) GetNewerThan(id types.UID, after time.Time) (*container.PodStatus, error) {
	if last := c.timer.ask(); !last.IsZero() {
		c.all.UpdateTime(last)
	}
	return c.PodStatuses.GetNewerThan(id, after)
}

// containerGC collects the containers that have ended, each minute.
type containerGC struct {
	container.GC
	rest *rest
}

// GarbageCollect implements container.GC.
func (g containerGC) GarbageCollect(ctx context.Context) error {
	g.rest.runtime.Check()
	if g.rest.isClean() {
		return nil
	}
	return g.GC.GarbageCollect(ctx)
}
