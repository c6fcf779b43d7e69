package child

import (
	"reflect"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
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
	reporter := m.reporter(job)
	options := m.options(job, reporter)
	options.Disturb = func(now time.Duration) ([]format.FaultRule, time.Duration) { return m.Disturb(&job, now) }
	report, err := m.play(m.Plan.Apart(job.Late, space.Rest), reporter, options, job.Compare)
	if err != nil || !report.Ended() {
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
