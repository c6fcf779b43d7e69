package task

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
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
// than a task, or one in which more than the learner's requests was changed, is a *source.Error.
func Grade(text []byte) (*Report, error) {
	said, err := parse("session", string(text))
	if err != nil {
		return nil, err
	}
	task, err := Find(said.Metadata.Name)
	if err != nil {
		return nil, err
	}
	writes, err := task.requests(said)
	if err != nil {
		return nil, err
	}
	outcome, err := runner.Run(said, runner.RunOptions{})
	if err != nil {
		return nil, err
	}
	return (&Session{task, said, writes}).report(string(text), outcome)
}

// Report is the grade of a session with the outcome of its run. A session that did not run to its end is a *source.Error.
func (s *Session) Report(outcome *runner.Outcome) (*Report, error) {
	text, err := s.Text()
	if err != nil {
		return nil, err
	}
	return s.report(text, outcome)
}

func (s *Session) report(text string, outcome *runner.Outcome) (*Report, error) {
	if outcome.Error != "" {
		return nil, source.Problem(s.Task.again(), "the session does not run: %s", outcome.Error)
	}
	report := &Report{
		Task: s.Task.Name(), Passed: true, Writes: s.Writes, VirtualSeconds: outcome.VirtualSeconds, TraceHash: outcome.TraceHash,
		Kubestep: version.Version, Kubernetes: outcome.KubernetesVersion, Session: text,
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

// again is how to begin the task once more.
func (t *Task) again() string { return "kubestep practice start " + t.Name() }

// requests counts the requests in the steps of a session after those of the task. These steps may wait and observe, too; everything else
// must be as in the task: the cluster, the checks, the seed.
func (t *Task) requests(session *format.Scenario) (int, error) {
	given := len(t.Scenario.Spec.Steps)
	if len(session.Spec.Steps) < given {
		return 0, source.Problem(t.again(), "this is not a session of %s: it lacks steps of the task", t.Name())
	}
	steps := session.Spec.Steps[given:]
	expected := *t.Scenario
	expected.Spec.Steps = slices.Concat(t.Scenario.Spec.Steps, steps)
	expected.Spec.Horizon = session.Spec.Horizon
	want, err := expected.Encode()
	if err != nil {
		return 0, err
	}
	got, err := session.Encode()
	if err != nil {
		return 0, err
	}
	if !bytes.Equal(want, got) {
		return 0, source.Problem(t.again(), "this is not a session of %s: more than the writes of a client differs", t.Name())
	}
	if i := forbidden(steps); i >= 0 {
		word := steps[i].Verb.Keyword()
		return 0, source.Problem(t.again(), "step %d of the session, %s, changes the simulation", given+i+1, word)
	}
	requests := 0
	for _, step := range steps {
		if verb.IsRequest(step.Verb.Keyword()) {
			requests++
		}
	}
	return requests, nil
}

// forbidden is the first step that is neither a request nor an observation, which a wait is; -1 if there is none.
func forbidden(steps []format.Step) int {
	return slices.IndexFunc(steps, func(step format.Step) bool {
		word := step.Verb.Keyword()
		return !verb.IsRequest(word) && !verb.Observes(word)
	})
}

// Same reports whether another grade is this one: of the same session, with the same results and the same trace. Another version may give
// another trace.
func (r *Report) Same(other *Report) bool {
	return r.Task == other.Task && r.Passed == other.Passed && r.TraceHash == other.TraceHash && r.Session == other.Session &&
		slices.Equal(r.Checks, other.Checks)
}

// Passes says how many checks pass.
func (r *Report) Passes() string {
	n := 0
	for _, check := range r.Checks {
		if check.Passed {
			n++
		}
	}
	return fmt.Sprintf("%d of %s", n, trace.Count(len(r.Checks), "check"))
}
