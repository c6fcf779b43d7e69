package practice

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// Report is the grade of a session.
type Report struct {
	Task string `json:"task"`
	// Passed means that all checks pass.
	Passed bool    `json:"passed"`
	Checks []Check `json:"checks"`
	// Writes is how many writes the learner sent, in so many seconds of virtual time.
	Writes         int     `json:"writes"`
	VirtualSeconds float64 `json:"virtualSeconds"`
	// TraceHash is that of a run of the session, and Kubestep and Kubernetes are the versions that ran it.
	TraceHash  string `json:"traceHash"`
	Kubestep   string `json:"kubestep"`
	Kubernetes string `json:"kubernetes"`
	// Session is what the learner did, as a scenario.
	Session string `json:"session"`
}

// Check is the result of a check of the task.
type Check struct {
	Name    string `json:"name"`
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
}

// Grade runs a session again, which is the text of a scenario, and says which checks of its task pass. The session of something else
// than a task, or one in which more than the learner's writes was changed, is a *cli.UsageError.
func Grade(session []byte) (*Report, error) {
	said, err := parse("session", string(session))
	if err != nil {
		return nil, err
	}
	task, err := Find(said.Metadata.Name)
	if err != nil {
		return nil, err
	}
	steps, err := task.writes(said)
	if err != nil {
		return nil, err
	}
	outcome, err := runner.Run(said, runner.RunOptions{})
	if err != nil {
		return nil, err
	}
	if outcome.Error != "" {
		return nil, cli.Usage("the session does not run: "+outcome.Error, "kubestep practice start "+task.Name())
	}
	report := &Report{
		Task: task.Name(), Passed: true, Writes: len(steps), VirtualSeconds: outcome.VirtualSeconds, TraceHash: outcome.TraceHash,
		Kubestep: version.Version, Kubernetes: outcome.KubernetesVersion, Session: string(session),
	}
	for _, check := range outcome.Checks {
		if !check.Invariant {
			passed := check.Result == runner.Pass
			report.Checks = append(report.Checks, Check{check.Name, passed, check.Message})
			report.Passed = report.Passed && passed
		}
	}
	return report, nil
}

// writes are the steps of a session after those of the task. Everything else must be as in the task: the cluster, the checks, the seed.
func (t *Task) writes(session *format.Scenario) ([]format.Step, error) {
	again := "kubestep practice start " + t.Name()
	given := len(t.Scenario.Spec.Steps)
	if len(session.Spec.Steps) < given {
		return nil, cli.Usage("this is not a session of "+t.Name()+": it lacks steps of the task", again)
	}
	steps := session.Spec.Steps[given:]
	expected := *t.Scenario
	expected.Spec.Steps = slices.Concat(t.Scenario.Spec.Steps, steps)
	expected.Spec.Horizon = session.Spec.Horizon
	want, err := expected.Encode()
	if err != nil {
		return nil, err
	}
	got, err := session.Encode()
	if err != nil {
		return nil, err
	}
	if !bytes.Equal(want, got) {
		return nil, cli.Usage("this is not a session of "+t.Name()+": more than the writes of a client differs from the task", again)
	}
	for i, step := range steps {
		if word := step.Verb.Keyword(); !verb.IsRequest(word) {
			message := fmt.Sprintf("step %d of the session, %s, changes the simulation, which a task does not allow", given+i+1, word)
			return nil, cli.Usage(message, again)
		}
	}
	return steps, nil
}

// Same reports whether another grade is this one: of the same session, with the same results and the same trace. Another version may give
// another trace.
func (r *Report) Same(other *Report) bool {
	return r.Task == other.Task && r.Passed == other.Passed && r.TraceHash == other.TraceHash && r.Session == other.Session &&
		slices.Equal(r.Checks, other.Checks)
}

// passes says how many checks pass.
func (r *Report) passes() string {
	n := 0
	for _, check := range r.Checks {
		if check.Passed {
			n++
		}
	}
	return fmt.Sprintf("%d of %s", n, trace.Count(len(r.Checks), "check"))
}
