package child

import (
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Places makes the run of a job without its faults, and reports the places at which one fault can apply. The run is as long as one with
// faults.
func (m *Maker) Places(job Job) (*Report, error) {
	reporter := NewReporter(job.Seed, m.Scenario)
	look := place.NewLook(m.Scenario)
	options := runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, Sinks: []trace.Sink{look.Note}}
	report, err := m.play(space.Drawn{}.Plan(m.Plan), reporter, options, false)
	if err == nil && report.Ended() {
		report.Places = look.Places()
	}
	return report, err
}
