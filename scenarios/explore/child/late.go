package child

import (
	"encoding/json"
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
//
// Much of the cost of a copy are pages of memory that it is the first to write to, and so a copy does nothing that its parent can do, or
// that nobody needs. It ends with its report, without taking the simulation down, which would wake each goroutine once more.

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
	if job.Return {
		if err := m.learnAlike(job); err != nil {
			return nil, err
		}
	}
	reporter := m.reporter(job)
	options := m.options(job, reporter)
	// Nobody asks for the hash of a run that returns.
	options.LateLines = job.Return
	// The first report that a process encodes teaches it the fields of reports, so that no copy has to learn them.
	if _, err := json.Marshal(&Report{}); err != nil {
		return nil, err
	}
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
		returns := m.returns(reporter)
		options.OnIdle = func(idle runner.Idle) (ends bool) { return disturbed && returns(idle) }
	}
	options.OnEnd = func(outcome *runner.Outcome) {
		switch {
		case !disturbed || job.History || job.Compare && !m.hasCompared(job):
			// Further runs follow.
		case job.Compare:
			m.last(reporter, outcome, func(report *Report) (*Report, error) {
				return m.compare(job, reporter, report, space.Drawn{Rules: job.Faults})
			})
		default:
			m.last(reporter, outcome, nil)
		}
	}
	report, err := m.play(m.Plan.Apart(job.Late, space.Rest), reporter, options, job.Compare)
	if err != nil || !report.Ended() || report.Returned > 0 {
		return report, err
	}
	return m.compare(job, reporter, report, space.Drawn{Rules: job.Faults})
}

// hasCompared reports whether all runs have been made that the run of a job may be compared with.
func (m *Maker) hasCompared(job Job) bool {
	for _, seed := range append([]int64{job.Seed}, otherSeeds...) {
		if m.compared[comparedRun{seed, true, "", job.EndEarly}] == nil {
			return false
		}
	}
	return true
}

// sameUntilLate reports whether two jobs differ in nothing but faults that begin late.
func sameUntilLate(a, b Job) bool {
	late := len(a.Late) > 0 && len(b.Late) > 0
	a.Faults, a.Late, b.Faults, b.Late = nil, nil, nil, nil
	return late && reflect.DeepEqual(a, b)
}
