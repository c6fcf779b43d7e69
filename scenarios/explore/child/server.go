package child

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Server is what the process of a Worker does: it makes one run after the other.
type Server struct {
	Out io.Writer
	// Limits and CheckWork are those of each run.
	Limits    limits.Limits
	CheckWork uint64
	// Controllers run beside those of kube-controller-manager.
	Controllers map[string]controllers.Custom
	// Exit ends the process, after a run that does not end by itself.
	Exit func(trace.Halt)

	// mu guards Out.
	mu sync.Mutex

	// maker is that of the last job's scenario, and mostly of the next one, too.
	file, text string
	past       Past
	maker      Maker

	jobs *bufio.Reader
	family
}

// Read opens the scenario of a job. brought are the names of controllers that do not come with kubestep.
func Read(job Job, brought []string) (scenario *format.Scenario, plan *runner.Plan, err error) {
	if job.Text != "" {
		scenario, err = format.Parse(job.File, []byte(job.Text), verb.All)
	} else {
		scenario, err = runner.Open(job.File)
	}
	if err == nil && !job.Past.IsZero() {
		scenario, err = future.At(scenario, job.Past.Until, job.Past.Seed)
	}
	if err == nil {
		plan, err = runner.Prepare(scenario, brought...)
	}
	return scenario, plan, err
}

// Serve answers jobs until there are no more.
func (s *Server) Serve(in io.Reader) error {
	s.jobs = bufio.NewReader(in)
	for {
		job, err := s.next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		}
		s.spent()
		report, err := s.run(job)
		if err != nil {
			return err
		}
		if s.answered {
			continue
		}
		report.Spent = s.spent()
		err = s.answer(report)
		if s.isChild {
			// What the process would do at its end is up to the parent.
			os.Exit(0)
		}
		if err != nil {
			return err
		}
	}
}

// next returns the next job; io.EOF says that there is none.
func (s *Server) next() (job Job, err error) {
	if held := s.held; held != nil {
		s.held = nil
		return *held, nil
	}
	line, err := s.jobs.ReadBytes('\n')
	if err != nil {
		return job, err
	}
	return job, json.Unmarshal(line, &job)
}

// answer writes a report; a simulation that freezes is reported from another goroutine.
func (s *Server) answer(report *Report) error {
	line, err := json.Marshal(report)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.Out.Write(append(line, '\n'))
	return err
}

func (s *Server) run(job Job) (*Report, error) {
	if s.maker.Scenario == nil || s.file != job.File || s.text != job.Text || s.past != job.Past {
		brought := slices.Sorted(maps.Keys(s.Controllers))
		scenario, plan, err := Read(job, brought)
		if err != nil {
			return Wrong(job.Seed, err)
		}
		s.file, s.text, s.past, s.maker = job.File, job.Text, job.Past, Maker{Scenario: scenario, Plan: plan, Brought: brought}
	}
	if job.Read {
		return &Report{Scenario: HashOf(s.maker.Scenario), Name: s.maker.Scenario.Metadata.Name}, nil
	}
	s.maker.Run, s.answered = s.watched(job), false
	s.maker.Fork, s.maker.ForkOrders, s.maker.Last, s.maker.Joined, s.maker.Disturb = nil, nil, nil, nil, nil
	if s.canFork() {
		s.maker.Fork, s.maker.ForkOrders, s.maker.Disturb = s.fork, s.forkOrders, s.disturb
		s.maker.Last, s.maker.Joined = s.last, s.joined
	}
	switch {
	case job.Places:
		return s.maker.Places(job)
	case job.Draws:
		return s.maker.Draws(job)
	case job.Times:
		return s.maker.Times(job)
	case job.Law > 0:
		return s.maker.Law(job)
	}
	return s.maker.Report(job)
}

// watched makes runs of a job. What does not come to its end is reported from another goroutine.
func (s *Server) watched(job Job) func(*runner.Plan, runner.RunOptions) (*runner.Outcome, error) {
	return func(plan *runner.Plan, options runner.RunOptions) (*runner.Outcome, error) {
		s.progress, s.seed = &engine.Progress{}, job.Seed
		options.Progress, options.Controllers, options.CheckWork = s.progress, s.Controllers, s.CheckWork
		abort := func(halt trace.Halt) {
			_ = s.answer(NewReporter(s.seed, s.maker.Scenario).Halted(&halt, controllers.Busy(halt.Actors, s.Controllers)))
			s.Exit(halt)
		}
		if s.Limits.Records > 0 {
			options.Sinks = append(options.Sinks, s.Limits.Counted(options.Progress, abort))
		}
		defer s.Limits.Guard(options.Progress, abort)()
		return plan.Run(options)
	}
}
