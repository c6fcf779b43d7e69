package runner

import (
	"context"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/metrics"
)

// turn is the simulation of one step.
type turn struct {
	run    *run
	step   int
	task   *step
	client verb.Client
}

// Scenario implements verb.World.
func (t *turn) Scenario() *format.Scenario { return t.run.scenario }

// Step implements verb.World.
func (t *turn) Step() int { return t.step }

// Cause implements verb.World.
func (t *turn) Cause() int64 { return t.task.Seq() }

// Simulation implements verb.World.
func (t *turn) Simulation() *sim.Simulation { return t.run.sim }

// Client implements verb.World.
func (t *turn) Client() verb.Client { return t.client }

// Kubelets implements verb.World.
func (t *turn) Kubelets() verb.Kubelets { return t.run.kubeletsFor(t.Cause) }

// Processes implements verb.World.
func (t *turn) Processes() *controllers.Processes { return t.run.control }

// Metrics implements verb.World.
func (t *turn) Metrics() *metrics.Server { return t.run.metrics }

// Arm implements verb.World.
func (t *turn) Arm(f *format.FaultRule) {
	place := format.StepPath(t.step)
	f = t.run.drawnRule(f, t.path(""), place, t.Cause())
	t.run.sim.Arm(t.run.rule(f, t.path(""), place, t.run.Now()), t.Cause())
}

// path is the field path of the verb, or of a field of it.
func (t *turn) path(field string) string {
	at := format.StepPath(t.step) + "." + t.run.scenario.Spec.Steps[t.step].Verb.Keyword()
	if field != "" {
		at += "." + field
	}
	return at
}

// Wait implements verb.World.
func (t *turn) Wait(ctx context.Context, field, text string, timeout time.Duration) error {
	condition, err := t.run.waitFor(t.path(field), text)
	if err != nil {
		return err
	}
	return t.run.wait(ctx, t.step, condition, timeout)
}

// Explain implements verb.World.
func (t *turn) Explain(field string) string {
	return t.run.explain(t.run.conditions[t.path(field)])
}
