package command

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
)

func newServe(streams cli.Streams) *cobra.Command {
	var options serving.Options
	var seed int64
	cmd := &cobra.Command{
		Use:   "serve [FILE]",
		Short: "Use the cluster of a scenario with kubectl, and save your session as a scenario",
		Long: `Use the cluster of a scenario with kubectl, helm or any other client while it runs.

FILE is a scenario file or the name of a scenario that comes with kubestep. Without FILE, kubestep serves a
cluster of three nodes. The steps of the scenario run first, as fast as possible; --steps limits their number.
Then virtual time passes at the speed of real time, or faster with --speed. With --step, time stops until
kubestep step advances it. With --until-quiet, time advances after each write, as fast as possible, until
nothing is due.

kubestep writes a kubeconfig file and prints the command that selects it. With --name, several clusters run at
a time, each with a file of its own; kubestep get clusters lists them. With --merge-kubeconfig, the cluster is
also in the kubeconfig file that kubectl uses, as the current context, until the session ends.

The server listens on this machine only, unless you name another address with --listen. Clients need the token
in the kubeconfig file.

With --audit-log, kubestep writes the requests of clients in the format of the audit log of kube-apiserver, with
virtual times. kubestep init --audit turns such a log into steps.

Ctrl-C ends the session. With --save, kubestep writes a scenario with the steps of FILE and one step for each
write of a client, at its virtual time, before the client has its answer. Reads are not saved. At the end,
kubestep runs that scenario and compares its trace hash with that of the session. With --trace-out, it also
writes the trace of the session, for kubestep diff.`,
		Example: `  kubestep serve
  kubestep serve rolling-update --name lesson
  kubestep serve world.yaml --speed 60 --save session.yaml
  kubestep serve world.yaml --step       # and in another terminal: kubestep step 5s`,
		Args: cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				options.Seed = &seed
			}
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			return serving.Serve(streams, file, options)
		},
	}
	addServing(cmd.Flags(), &options)
	cmd.Flags().BoolVar(&options.UntilEOF, "until-eof", false, "end the session when the standard input ends")
	_ = cmd.Flags().MarkHidden("until-eof")
	cmd.Flags().StringVar(&options.AuditLog, "audit-log", "", "write the requests of clients to the audit log `PATH`, as kube-apiserver does")
	cmd.Flags().StringVar(&options.TraceOut, "trace-out", "", "write the trace of the session as JSON lines to the file `PATH`")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	return cmd
}

// addServing adds the flags that kubestep open has, too.
func addServing(set *pflag.FlagSet, o *serving.Options) {
	set.StringVar(&o.Listen, "listen", serving.Loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	set.StringVar(&o.Name, "name", serving.DefaultName, "name the cluster `CLUSTER`; its context is kubestep-CLUSTER")
	set.StringVar(&o.Kubeconfig, "kubeconfig", "",
		"write the kubeconfig to the file `PATH` (default \"kubestep.kubeconfig\", with --name \"kubestep-CLUSTER.kubeconfig\")")
	set.BoolVar(&o.Merge, "merge-kubeconfig", false,
		"add the cluster to the kubeconfig of kubectl, the file in KUBECONFIG or ~/.kube/config, until the session ends")
	set.StringVar(&o.Save, "save", "", "write the session as a scenario to the file `PATH`")
	set.BoolVar(&o.Force, "force", false, "with --save, --trace-out or --audit-log, replace an existing file")
	set.Float64Var(&o.Speed, "speed", 1, "`NUMBER` of virtual seconds that pass in a second")
	set.BoolVar(&o.Step, "step", false, "stop virtual time until kubestep step advances it")
	set.BoolVar(&o.UntilQuiet, "until-quiet", false,
		"advance virtual time after each write until nothing is due, and stop it then")
	set.IntVar(&o.Steps, "steps", serving.AllSteps, "take the first `NUMBER` of the scenario's steps; -1 means all")
}

// servingFlags are the flags of serve for a command that starts it in a process of its own.
type servingFlags struct{ set *pflag.FlagSet }

// newServingFlags adds the flags to those of a command.
func newServingFlags(to *pflag.FlagSet) *servingFlags {
	f := &servingFlags{pflag.NewFlagSet("serve", pflag.ContinueOnError)}
	addServing(f.set, &serving.Options{})
	f.set.VisitAll(func(one *pflag.Flag) {
		one.Usage = "with --serve, " + strings.NewReplacer("with --save, --trace-out or --audit-log, ", "").Replace(one.Usage)
	})
	to.AddFlagSet(f.set)
	return f
}

// given are the flags that were given, as arguments.
func (f *servingFlags) given() []string {
	var given []string
	f.set.VisitAll(func(one *pflag.Flag) {
		if one.Changed {
			given = append(given, "--"+one.Name+"="+one.Value.String())
		}
	})
	return given
}

// kubeconfig is the file in which clients find the server.
func (f *servingFlags) kubeconfig() string {
	return cmp.Or(f.set.Lookup("kubeconfig").Value.String(), serving.KubeconfigFile(f.set.Lookup("name").Value.String()))
}
