// Package practice is kubestep practice: it serves the cluster of a task (package task) for kubectl, grades what a learner did there, and
// checks the reports of others.
package practice

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/runner/task"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// Cluster is the name of the cluster of a task, unless the user names another one.
const Cluster = "practice"

// List prints the tasks.
func List(streams cli.Streams) error {
	tasks, err := task.All()
	if err != nil {
		return err
	}
	out := tabwriter.NewWriter(streams.Stdout(), 0, 0, 3, ' ', 0)
	fmt.Fprintln(out, "TASK\tLEVEL\tABOUT")
	for _, t := range tasks {
		fmt.Fprintf(out, "%s\t%s\t%s\n", t.Name(), t.Scenario.Metadata.Labels["level"], t.Scenario.Spec.Title)
	}
	return out.Flush()
}

// Start prints the goal of a task and serves its cluster, as serving.Serve does.
func Start(streams cli.Streams, name string, options serving.Options) error {
	t, err := task.Find(name)
	if err != nil {
		return err
	}
	check := "kubestep practice check"
	if options.Name != Cluster {
		check += " --name " + options.Name
	}
	fmt.Fprintf(streams.Out, "%s\n\n%s\n\nIn another terminal:\n\n  kubestep practice hint %s\n  %s\n\n",
		t.Scenario.Spec.Title, strings.TrimSpace(t.Scenario.Spec.About), name, check)
	options.Scenario, options.Speed, options.Steps = t.Scenario, 1, serving.AllSteps
	return serving.Serve(streams, "", options)
}

// Hint prints a hint of a task; they count from 1.
func Hint(streams cli.Streams, name string, number int) error {
	t, err := task.Find(name)
	if err != nil {
		return err
	}
	all := len(t.Hints)
	if number < 1 || number > all {
		return cli.Usage(fmt.Sprintf("%s has no hint %d", name, number), fmt.Sprintf("a number from 1 to %d", all))
	}
	fmt.Fprintf(streams.Out, "Hint %d of %d: %s\n", number, all, t.Hints[number-1])
	return nil
}

// CheckOptions are of which cluster, and where to.
type CheckOptions struct {
	// Cluster is its name, Report the file for the report; "" is none.
	Cluster, Report string
	// Force replaces an existing file.
	Force bool
}

// CheckSession grades what the learner has done so far, and prints which checks pass. If one does not, it returns cli.ErrChecksFailed.
func CheckSession(ctx context.Context, streams cli.Streams, options CheckOptions) error {
	rights := output.Rights{Force: options.Force, Private: true}
	if err := output.Check(options.Report, rights); err != nil {
		return err
	}
	client, err := serving.ConnectNamed(options.Cluster)
	if err != nil {
		return err
	}
	session, err := client.Scenario(ctx)
	if err != nil {
		return serving.Lost(err)
	}
	report, err := task.Grade(session)
	if err != nil {
		return err
	}
	if options.Report != "" {
		text, err := json.MarshalIndent(report, "", "  ")
		if err != nil {
			return err
		}
		if err := output.WriteFile(options.Report, append(text, '\n'), rights); err != nil {
			return err
		}
	}
	return printed(streams, report)
}

// printed prints a report. If a check does not pass, it returns cli.ErrChecksFailed.
func printed(streams cli.Streams, r *task.Report) error {
	for _, check := range r.Checks {
		mark := "ok  "
		if !check.Passed {
			mark = "FAIL"
		}
		fmt.Fprintf(streams.Out, "%s  %s", mark, check.Name)
		if !check.Passed && check.Message != "" {
			fmt.Fprintf(streams.Out, ": %s", check.Message)
		}
		fmt.Fprintln(streams.Out)
	}
	fmt.Fprintf(streams.Out, "%s pass after %.0fs of virtual time; trace hash %s\n", r.Passes(), r.VirtualSeconds, r.TraceHash)
	if !r.Passed {
		return cli.ErrChecksFailed
	}
	return nil
}

// Verify runs the sessions of reports again, and prints which reports are true. If one is not, it returns cli.ErrChecksFailed.
func Verify(streams cli.Streams, paths []string) error {
	var failed error
	for _, path := range paths {
		report, err := read(path)
		if err != nil {
			return err
		}
		again, err := task.Grade([]byte(report.Session))
		switch {
		case err != nil:
			fmt.Fprintf(streams.Out, "%s: not true: %v\n", path, err)
			failed = cli.ErrChecksFailed
		case !again.Same(report):
			fmt.Fprintf(streams.Out, "%s: not true: a run has %s and the trace hash %s\n", path, again.Passes(), again.TraceHash)
			failed = cli.ErrChecksFailed
		default:
			fmt.Fprintf(streams.Out, "%s: true: %s, %s pass, %s\n", path, report.Task, report.Passes(), report.TraceHash)
		}
	}
	return failed
}

// read reads a report.
func read(path string) (*task.Report, error) {
	file, err := input.Open(path, input.Dump)
	if err != nil {
		return nil, cli.InputError(err)
	}
	defer file.Close()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, cli.InputError(err)
	}
	var report task.Report
	if err := json.Unmarshal(text, &report); err != nil || report.Session == "" {
		return nil, cli.Usage(path+" is not a report", "a file of kubestep practice check --report")
	}
	return &report, nil
}
