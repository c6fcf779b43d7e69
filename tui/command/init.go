package command

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/incident"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
)

func newInit(streams cli.Streams) *cobra.Command {
	var options incident.Options
	var since, until string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Write a first scenario, or one with the state of a cluster",
		Long: `Write a first scenario to edit, or, with --from, one that starts in the state of a cluster.

A dump is the output of kubectl get -o yaml (or json), of any kinds, in one list or several documents.
Specs, statuses, uids, owner references and times are kept. Values of Secrets and ConfigMaps are replaced.
Standard error and the file list what is omitted, what is created because the dump does not contain it, and
what may differ from the cluster. Contradictions, such as a Pod that should have been removed hours ago or a
missing owner, are kept and reported as states of the scenario; its run does not repair them. If the dump lacks
kinds that other kinds depend on, a line names the command that fetches them.

With --audit, the requests of users in the audit log of the kube-apiserver become steps: those after the dump,
at their times. Requests of the system are omitted, since the controllers of the simulation send them; so are
reads, dry runs and rejected requests. Standard error and the file say how many, and why. The policy
of the log must have the level Request or RequestResponse: without bodies, kubestep cannot repeat the requests. The
files may be compressed with gzip. Without a dump, the scenario starts with an empty cluster.

The scenario is written to standard output, or to a file with --out.`,
		Example: `  kubestep init --out first.yaml
  kubestep capture -n shop
  kubestep init --from capture-shop.json --out incident.yaml
  kubestep init --from dump.yaml --audit audit.log --out incident.yaml
  kubestep open incident.yaml`,
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if err := checkInit(options); err != nil {
				return err
			}
			var err error
			if options.Since, err = instant("--since", since, options.Logs); err != nil {
				return err
			}
			if options.Until, err = instant("--until", until, options.Logs); err != nil {
				return err
			}
			return incident.Init(streams, options)
		},
	}
	cmd.Flags().StringVar(&options.From, "from", "", "read a dump of a cluster from the file `PATH`; - means standard input")
	cmd.Flags().StringVar(&options.Out, "out", "", "write to the file `PATH` instead of standard output")
	cmd.Flags().StringVar(&options.Name, "name", "", "`NAME` of the scenario (default: from the name of the file)")
	cmd.Flags().StringSliceVarP(&options.Namespaces, "namespace", "n", nil,
		"with --from or --audit, keep only objects in these `NAMESPACES`, and cluster-scoped ones")
	cmd.Flags().StringArrayVar(&options.Logs, "audit", nil,
		"make steps of the requests of users in the audit log `PATH`; may be repeated, for logs in several files")
	cmd.Flags().StringVar(&since, "since", "",
		"with --audit, take requests from this `INSTANT` on, in RFC 3339 (default: those whose results the dump does not have)")
	cmd.Flags().StringVar(&until, "until", "", "with --audit, take requests until this `INSTANT`")
	cmd.Flags().BoolVar(&options.Force, "force", false, "replace an existing file")
	return cmd
}

// checkInit finds mistakes in the flags of init.
func checkInit(options incident.Options) error {
	switch {
	case len(options.Namespaces) > 0 && options.From == "" && len(options.Logs) == 0:
		return cli.Usage("--namespace needs a dump", "kubestep init --from dump.yaml -n "+options.Namespaces[0])
	case options.Name != "" && len(validation.IsDNS1123Label(options.Name)) > 0:
		message := fmt.Sprintf("--name %q is not a DNS-1123 label", options.Name)
		return cli.Usage(message, "--name "+snapshot.Label(options.Name))
	}
	return nil
}

// instant reads a flag about audit logs; the zero time is none.
func instant(flag, value string, logs []string) (at time.Time, err error) {
	const example = "2026-11-20T10:00:00Z"
	switch {
	case value == "":
		return at, nil
	case len(logs) == 0:
		return at, cli.Usage(flag+" needs an audit log", "kubestep init --audit audit.log "+flag+" "+example)
	}
	if at, err = time.Parse(time.RFC3339, value); err != nil {
		return at, cli.Usage(fmt.Sprintf("%s %q is not an instant in RFC 3339", flag, value), flag+" "+example)
	}
	return at, nil
}
