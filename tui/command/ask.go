package command

import (
	"context"
	"errors"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
)

// The runs that reports are about, for errors.
const (
	runWithoutFaults = "the run without faults"
	runToDrawFrom    = "the run that faults are drawn from"
	runOfOtherTime   = "a run with another time"
)

// ask asks a worker for something that it can answer unless the scenario is wrong. run says what it runs.
func ask(ctx context.Context, worker *child.Worker, job child.Job, run string) (*child.Report, error) {
	report, err := worker.Do(ctx, job)
	return report, unanswered(report, err, run)
}

// unanswered is why a report has no answer, or nil: the scenario is wrong, or the run did not come to its end.
func unanswered(report *child.Report, err error, run string) error {
	switch {
	case err != nil:
		return err
	case report.Wrong:
		return cli.Usage(report.Message, report.Try)
	case report.Halt != nil:
		return errors.New(run + ": " + report.Halt.Message)
	}
	return nil
}
