// Package incident has the command init, which makes a scenario to start from: a first one, or one of what is known of a cluster.
package incident

import (
	"cmp"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
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

type initFlags struct {
	from, out, name string
	namespaces      []string
	force           bool
	auditFlags
}

// Command is kubestep init.
func Command(streams cli.Streams) *cobra.Command {
	flags := &initFlags{}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a scenario to start from, or one with the state of a cluster",
		Long: `Write a scenario to start from, or with --from one that starts in the state of a cluster.

A dump is the output of kubectl get -o yaml (or json), of any kinds, in one list or several documents.
Specs, statuses, uids, owner references and times are kept. Values of Secrets and ConfigMaps are replaced.
Standard error and the file say what is omitted, what is created because the dump does not contain it, and
what may differ from the cluster. Contradictions, such as a Pod that should have been removed hours ago or a
missing owner, are kept and reported as states of the scenario; they do not heal in its run. If kinds are
missing that others depend on, a line names the command that fetches them.

With --audit, the requests of users in the audit log of the kube-apiserver become steps: those after the dump,
at their times. Requests of the system are omitted, as the controllers of the simulation send them; so are
reads, dry runs and requests that were refused. Standard error and the file say how many, and why. The policy
of the log must have the level Request or RequestResponse: without bodies, there is nothing to repeat. Files
that gzip has compressed can be read, too. Without a dump, the scenario starts with an empty cluster.

The scenario is written to standard output, or to a file with --out.`,
		Example: `  kubestep init --out first.yaml
  kubectl get nodes,deployments,replicasets,pods,events -n shop -o yaml > dump.yaml
  kubestep init --from dump.yaml --out incident.yaml
  kubestep init --from dump.yaml --audit audit.log --out incident.yaml
  kubestep open incident.yaml`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return initialize(cmd, streams, flags) },
	}
	cmd.Flags().StringVar(&flags.from, "from", "", "read a dump of a cluster from the file `PATH`; - means standard input")
	cmd.Flags().StringVar(&flags.out, "out", "", "write to the file `PATH` instead of standard output")
	cmd.Flags().StringVar(&flags.name, "name", "", "`NAME` of the scenario (default: from the name of the file)")
	cmd.Flags().StringSliceVarP(&flags.namespaces, "namespace", "n", nil,
		"with --from or --audit, keep only objects in these `NAMESPACES`, and cluster-scoped ones")
	flags.auditFlags.add(cmd)
	cmd.Flags().BoolVar(&flags.force, "force", false, "replace an existing file")
	return cmd
}

func initialize(cmd *cobra.Command, streams cli.Streams, flags *initFlags) error {
	if err := cmp.Or(flags.validate(), flags.auditFlags.validate()); err != nil {
		return err
	}
	text, report := []byte(fmt.Sprintf(starter, flags.scenarioName())), (*snapshot.Report)(nil)
	if flags.from != "" || len(flags.logs) > 0 {
		var err error
		if text, report, err = fromCluster(cmd, streams, flags); err != nil {
			return err
		}
	}
	text, err := output.VisibleYAML(text)
	if err != nil {
		return err
	}
	if flags.out == "" {
		if _, err := cmd.OutOrStdout().Write(text); err != nil {
			return &output.Error{Name: "standard output", Err: err}
		}
	} else if err := output.WriteFile(flags.out, text, output.Rights{Force: flags.force}); err != nil {
		return err
	}
	if report != nil {
		report.Print(cmd.ErrOrStderr())
	}
	if flags.out != "" {
		fmt.Fprintf(cmd.ErrOrStderr(), "wrote %s; next: kubestep run %s\n", flags.out, flags.out)
	}
	return nil
}

func (f *initFlags) validate() error {
	switch {
	case len(f.namespaces) > 0 && f.from == "" && len(f.logs) == 0:
		return cli.Usage("--namespace needs a dump", "kubestep init --from dump.yaml -n "+f.namespaces[0])
	case f.name != "" && len(validation.IsDNS1123Label(f.name)) > 0:
		message := fmt.Sprintf("--name %q is not a DNS-1123 label", f.name)
		return cli.Usage(message, "--name "+snapshot.Label(f.name))
	}
	return output.Check(f.out, output.Rights{Force: f.force})
}

func (f *initFlags) scenarioName() string {
	for _, name := range append([]string{f.name, f.out, f.from}, f.logs...) {
		if name != "" && name != "-" {
			return snapshot.ScenarioName(name)
		}
	}
	return "first"
}

// fromCluster makes a scenario of a dump, of audit logs, or of both.
func fromCluster(cmd *cobra.Command, streams cli.Streams, flags *initFlags) ([]byte, *snapshot.Report, error) {
	options := snapshot.Options{Name: flags.scenarioName(), Namespaces: flags.namespaces}
	log, err := flags.read(streams)
	if err != nil {
		return nil, nil, err
	}
	if flags.from == "" {
		options.Source = filepath.Base(flags.logs[0])
		text, report, err := log.Continue(snapshot.Empty(flags.begin(log), options), flags.options(flags.namespaces))
		return text, report, cli.DumpError(options.Source, err)
	}
	in, source := cmd.InOrStdin(), "standard input"
	if flags.from != "-" {
		file, err := input.Open(flags.from, input.Dump)
		if err != nil {
			return nil, nil, cli.InputError(err)
		}
		defer file.Close()
		in, source = file, filepath.Base(flags.from)
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
	text, report, err := log.Continue(state, flags.options(flags.namespaces))
	return text, report, cli.DumpError(source, err)
}
