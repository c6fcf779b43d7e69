package playground

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/archive"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Job is one run: of a scenario or a task that comes with kubestep, by its name, or of one that is written in the page: a scenario, or the
// steps with which a learner solves a task.
type Job struct {
	Name string   `json:"name"`
	Text string   `json:"text"`
	Seed *int64   `json:"seed"`
	Vary *Numbers `json:"vary"`
	// Version is kubestep's.
	Version string `json:"version"`
}

// Progress is how far a run is. Now and Horizon are virtual times in seconds.
type Progress struct {
	Now     float64 `json:"now"`
	Horizon float64 `json:"horizon"`
	Records int64   `json:"records"`
}

// Result is what came of a run.
type Result struct {
	Name    string `json:"name"`
	Hash    string `json:"hash"`
	Verdict string `json:"verdict"`
	// Summary is the line that ends kubestep run.
	Summary string `json:"summary"`
	// Text is the scenario that ran, with the numbers of the job.
	Text string `json:"text"`
	// Report is the grade of a session of a task; nil for a scenario.
	Report *task.Report `json:"report,omitempty"`
	// Data is the page of the run.
	Data json.RawMessage `json:"data"`
	// Archive is the trace, as a .kst file.
	Archive []byte `json:"-"`
}

// Run makes the run. It calls progress for each record. counted is counted up for observers outside the simulation.
func (j Job) Run(counted *engine.Progress, progress func(Progress)) (*Result, error) {
	scenario, session, err := j.scenario()
	if err != nil {
		return nil, err
	}
	text := string(scenario.Source())
	if session != nil {
		if text, err = session.Text(); err != nil {
			return nil, err
		}
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		return nil, err
	}
	seed := scenario.Spec.Seed
	if j.Seed != nil {
		seed = *j.Seed
	}
	var packed bytes.Buffer
	writer, err := archive.NewWriter(&packed, archive.Header{
		Kubestep: j.Version, Kubernetes: controllers.KubernetesVersion, Build: exact.Build(),
		File: scenario.Path(), Scenario: text, Seed: &seed,
	})
	if err != nil {
		return nil, err
	}
	builder, horizon := recording.NewBuilder(), scenario.Spec.Horizon.Seconds()
	outcome, err := plan.Run(runner.RunOptions{
		Seed: &seed, Progress: counted,
		Sinks: []trace.Sink{builder.Sink, func(record *trace.Record, line []byte) {
			// Close returns the error.
			_ = writer.Write(record, line)
			progress(Progress{record.At.Seconds(), horizon, record.Seq})
		}},
	})
	if outcome == nil {
		return nil, err
	}
	if err := errors.Join(builder.Err(), writer.Close(endOf(outcome))); err != nil {
		return nil, err
	}
	result := &Result{
		Name: outcome.Scenario, Hash: outcome.TraceHash, Summary: outcome.Summary(),
		Text: text, Archive: packed.Bytes(),
	}
	rec := builder.Done(originOf(scenario, outcome), outcome.TraceHash)
	result.Verdict = runner.VerdictOf(rec)
	if session != nil {
		if result.Report, err = session.Report(outcome); err != nil {
			return nil, &Failure{Message: err.Error(), Try: "other steps"}
		}
		result.Report.Kubestep = j.Version
	}
	if result.Data, err = j.page(rec, scenario, session); err != nil {
		return nil, &Failure{Message: err.Error(), Try: "a scenario with fewer objects, or kubestep run in a terminal"}
	}
	return result, nil
}

// scenario reads the scenario of the job, and varies its numbers. A session is that of a task, whose numbers are not varied; nil for a
// scenario.
func (j Job) scenario() (*format.Scenario, *task.Session, error) {
	session, err := j.session()
	if err != nil {
		return nil, nil, err
	}
	if session != nil {
		if j.Vary != nil || j.Seed != nil {
			return nil, nil, &Failure{Message: "a task has its own numbers and its own seed", Try: "none"}
		}
		return session.Scenario, session, nil
	}
	var scenario *format.Scenario
	if j.Name != "" {
		scenario, err = shipped(j.Name)
	} else {
		scenario, err = read(j.Text)
	}
	if err != nil {
		return nil, nil, err
	}
	scenario, err = j.Vary.vary(scenario)
	return scenario, nil, err
}

// session reads the session of a task, which is one without steps if the job names the task; nil if the job is none.
func (j Job) session() (*task.Session, error) {
	names, err := task.Names()
	switch {
	case err != nil:
		return nil, err
	case slices.Contains(names, j.Name):
		t, err := task.Find(j.Name)
		if err != nil {
			return nil, err
		}
		return task.Parse(t.Steps())
	case j.Name == "" && task.IsSession(j.Text):
		return parsed(j.Text)
	}
	return nil, nil
}

func endOf(o *runner.Outcome) archive.End {
	return archive.End{Result: o.Result, Virtual: time.Duration(o.VirtualSeconds * float64(time.Second))}
}

func originOf(s *format.Scenario, o *runner.Outcome) recording.Origin {
	return recording.Origin{
		Name: s.Metadata.Name, Title: s.Spec.Title, Ran: true, Seed: o.Seed, Result: o.Result, OpenOrder: o.OpenOrder, Error: o.Error,
	}
}

// page is the data of the page of a run, in which hidden characters are shown by their numbers.
func (j Job) page(rec *recording.Recording, scenario *format.Scenario, session *task.Session) (json.RawMessage, error) {
	lesson, err := page.New(rec)
	if err != nil {
		return nil, err
	}
	lesson.Version, lesson.Kubernetes, lesson.About = j.Version, controllers.KubernetesVersion, scenario.Background()
	if j.Name != "" && j.Vary == nil && session == nil {
		lesson.Command = "kubestep run " + j.Name
		if j.Seed != nil {
			lesson.Command += fmt.Sprintf(" --seed %d", *j.Seed)
		}
	}
	document, err := json.Marshal(lesson)
	return visible.JSON(document), err
}
