package scenariotest

import (
	"sync"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// progress reports how far the runs are, every two seconds.
type progress struct {
	t     testing.TB
	total int
	began time.Time

	mu           sync.Mutex
	runs, failed int
	last         time.Time
}

func begin(t testing.TB) *progress {
	now := time.Now()
	return &progress{t: t, began: now, last: now}
}

func (p *progress) done(report *child.Report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs++
	if report.Result != runner.Pass {
		p.failed++
	}
	if time.Since(p.last) > 2*time.Second {
		p.last = time.Now()
		p.t.Logf("perturb: %d of %d runs, %d failed", p.runs, p.total, p.failed)
	}
}

// end reports how long the runs took.
func (p *progress) end() {
	p.t.Logf("perturb: %d runs, %d failed, in %s", p.runs, p.failed, time.Since(p.began).Round(100*time.Millisecond))
}
