package child

import (
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Places makes the run of a job without its faults, and reports the places at which one fault can apply. The run is as long as one with
// faults. With Job.After, it makes the run with the fault at that place, and reports those at which a second one can meet it.
func (m *Maker) Places(job Job) (*Report, error) {
	reporter := NewReporter(job.Seed, m.Scenario)
	look, drawn := place.NewLook(m.Scenario), space.Drawn{}
	if job.After != nil {
		look, drawn.Rules = place.NewLookAfter(m.Scenario, job.After), job.After.Rules
	}
	options := runner.RunOptions{Seed: &job.Seed, EndEarly: job.EndEarly, Sinks: []trace.Sink{look.Note}, Answered: look.Answered}
	report, err := m.play(drawn.Plan(m.Plan), reporter, options, false)
	if err == nil && report.Ended() {
		report.Places = look.Places()
	}
	return report, err
}
