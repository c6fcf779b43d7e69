//go:build linux

package kubelet

import (
	"context"
	"time"

	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	kubeletupstream "k8s.io/kubernetes/pkg/kubelet"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	"k8s.io/kubernetes/pkg/kubelet/server/stats"

	"github.com/kubestep/kubestep/sim/process/unexported"
)

// evictionPeriod is how often a kubelet looks whether it has to evict Pods: evictionMonitoringPeriod in pkg/kubelet/kubelet.go.
const evictionPeriod = 10 * time.Second

// restingSummary is what a kubelet uses, as its eviction manager sees it: a pass of it begins with that. A node whose programs use the same
// as in the pass before, and that is not short of anything, is not short now.
type restingSummary struct {
	stats.SummaryProvider
	ctx     context.Context
	rest    *rest
	manager eviction.Manager
	// seen is the number of changes before the last pass.
	seen int
}

// addRestOfEviction makes the eviction manager of a kubelet rest.
func addRestOfEviction(ctx context.Context, k *kubeletupstream.Kubelet, r *rest) {
	manager := *unexported.Field[eviction.Manager](k, "evictionManager")
	summary := unexported.Field[stats.SummaryProvider](manager, "summaryProvider")
	*summary = &restingSummary{SummaryProvider: *summary, ctx: ctx, rest: r, manager: manager, seen: -1}
}

// Get implements stats.SummaryProvider.
func (s *restingSummary) Get(ctx context.Context, updateStats bool) (*statsapi.Summary, error) {
	began := time.Now()
	for s.isIdle() {
		woken, changes := s.rest.next()
		if changes != s.seen {
			break
		}
		select {
		case <-woken:
		case <-s.ctx.Done():
			return nil, s.ctx.Err()
		}
	}
	if waited := time.Since(began); waited > 0 {
		time.Sleep(evictionPeriod - waited%evictionPeriod)
	}
	_, s.seen = s.rest.next()
	return s.SummaryProvider.Get(ctx, updateStats)
}

// isIdle reports whether a pass would find what the pass before has found.
func (s *restingSummary) isIdle() bool {
	return s.rest.since() >= calm && s.rest.runtime.IsSteady() &&
		!s.manager.IsUnderMemoryPressure() && !s.manager.IsUnderDiskPressure() && !s.manager.IsUnderPIDPressure()
}
