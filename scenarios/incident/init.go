// Package incident makes a scenario to start from: a first one, or one of what is known of a cluster.
package incident

import (
	"fmt"
	"path/filepath"
	"time"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/incident/auditlog"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/sim/trace/file/input"
)

// starter is what kubestep init writes without a dump.
const starter = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: %s}
spec:
  title: A Deployment and its first rolling update
  cluster:
    nodes: [{count: 3}]
    pods:                     # how long Pods take to become ready, and to stop; the first match applies
    - match: {image: "*:broken"}
      ready: never
    - {ready: 2s, terminate: 1s}
  steps:
  - apply: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 4
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - wait: {for: rollout deployment/web}
  - set-image: {target: deployment/web, image: "web:v2"}
  - wait: {for: rollout deployment/web}
  checks:
  - name: enough-pods
    always: deployment('web').status.availableReplicas >= 3
    from: first-available
`

// Options are what a scenario is made of, and where it is written to.
type Options struct {
	// From is the file with a dump of a cluster; "" is none, and - is standard input.
	From string
	// Out is the file that is written; "" is standard output.
	Out string
	// Name is that of the scenario; "" is one from the names of the files.
	Name string
	// Namespaces are those whose objects are kept; none keeps all.
	Namespaces []string
	// Force replaces an existing file.
	Force bool
	// Logs are files with audit logs.
	Logs []string
	// Since and Until are the instants between which the requests of the logs become steps; a zero one is no limit.
	Since, Until time.Time
}

// Init writes a scenario: one to start from, or one with the state of a cluster. What it leaves out goes to standard error. A file that
// cannot be read or understood is a *cli.UsageError, one that is in the way an *output.ExistsError.
func Init(streams cli.Streams, options Options) error {
	if err := output.Check(options.Out, output.Rights{Force: options.Force}); err != nil {
		return err
	}
	text, report := []byte(fmt.Sprintf(starter, options.scenarioName())), (*snapshot.Report)(nil)
	if options.From != "" || len(options.Logs) > 0 {
		var err error
		if text, report, err = fromCluster(streams, options); err != nil {
			return err
		}
	}
	text, err := output.VisibleYAML(text)
	if err != nil {
		return err
	}
	if options.Out == "" {
		if _, err := streams.Stdout().Write(text); err != nil {
			return &output.Error{Name: "standard output", Err: err}
		}
	} else if err := output.WriteFile(options.Out, text, output.Rights{Force: options.Force}); err != nil {
		return err
	}
	if report != nil {
		report.Print(streams.Stderr())
	}
	if options.Out != "" {
		fmt.Fprintf(streams.Stderr(), "wrote %s; next: kubestep run %s\n", options.Out, options.Out)
	}
	return nil
}

func (o *Options) scenarioName() string {
	for _, name := range append([]string{o.Name, o.Out, o.From}, o.Logs...) {
		if name != "" && name != "-" {
			return snapshot.ScenarioName(name)
		}
	}
	return "first"
}

// fromCluster makes a scenario of a dump, of audit logs, or of both.
func fromCluster(streams cli.Streams, o Options) ([]byte, *snapshot.Report, error) {
	options := snapshot.Options{Name: o.scenarioName(), Namespaces: o.Namespaces}
	log, err := o.read(streams)
	if err != nil {
		return nil, nil, err
	}
	requests := auditlog.Options{Namespaces: o.Namespaces, Since: o.Since, Until: o.Until}
	if o.From == "" {
		options.Source = filepath.Base(o.Logs[0])
		text, report, err := log.Continue(snapshot.Empty(o.begin(log), options), requests)
		return text, report, cli.DumpError(options.Source, err)
	}
	in, source := streams.In, "standard input"
	if o.From != "-" {
		file, err := input.Open(o.From, input.Dump)
		if err != nil {
			return nil, nil, cli.InputError(err)
		}
		defer file.Close()
		in, source = file, filepath.Base(o.From)
	}
	options.Source = source
	state, err := snapshot.Begin(in, options)
	if err != nil {
		return nil, nil, cli.DumpError(source, err)
	}
	if log == nil {
		text, report, err := state.File(nil, nil, nil, nil)
		return text, report, cli.DumpError(source, err)
	}
	text, report, err := log.Continue(state, requests)
	return text, report, cli.DumpError(source, err)
}
