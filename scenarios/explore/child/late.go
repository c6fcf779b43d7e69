package child

import (
	"reflect"
	"runtime/debug"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// The runs with one fault each at the places of a scenario begin alike: until its place, each is the run without faults. A process makes
// that run once. At the time of a place, it is copied, and the copy, the child, adds the fault and makes the rest of the run:
//
//	run without faults  ----+-------+--+------------
//	place 31                +------------
//	place 7                         +---------
//	place 208                          +------
//
// Jobs come in the order of their times, so that one run is enough for many of them.

// reportLate makes the run of a job whose faults begin late.
func (m *Maker) reportLate(job Job) (*Report, error) {
	if job.Compare {
		// A child forgets what it makes, and so its parent makes the runs that many of them are compared with.
		for _, seed := range append([]int64{job.Seed}, otherSeeds...) {
			other := job
			other.Seed = seed
			if _, _, err := m.without(other, true); err != nil {
				return nil, err
			}
		}
	}
	if job.Return && (m.alike == nil || m.alike.seed != job.Seed) {
		if err := m.learnAlike(job); err != nil {
			return nil, err
		}
	}
	reporter := m.reporter(job)
	options := m.options(job, reporter)
	// A copy pays for each page that it is the first to write to, more if the page has a content, and for what its parent has not swept.
	debug.FreeOSMemory()
	disturbed := false
	options.Disturb = func(now time.Duration) (faults []format.FaultRule, again time.Duration) {
		faults, again = m.Disturb(&job, now)
		if disturbed = len(faults) > 0; disturbed {
			reporter.Drew(space.Drawn{Rules: job.Faults}.Lines())
		}
		return faults, again
	}
	if job.Return {
		options.OnIdle = func(idle runner.Idle) (ends bool) {
			return disturbed && reporter.course.IsFaulty() && len(reporter.report.Failures) == 0 && m.alike.has(idle)
		}
	}
	report, err := m.play(m.Plan.Apart(job.Late, space.Rest), reporter, options, job.Compare)
	if err != nil || !report.Ended() || report.Returned > 0 {
		return report, err
	}
	return m.compare(job, reporter, report, space.Drawn{Rules: job.Faults})
}

// sameUntilLate reports whether two jobs differ in nothing but faults that begin late.
func sameUntilLate(a, b Job) bool {
	late := len(a.Late) > 0 && len(b.Late) > 0
	a.Faults, a.Late, b.Faults, b.Late = nil, nil, nil, nil
	return late && reflect.DeepEqual(a, b)
}
