package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/incident/capture"
)

func newCapture(streams cli.Streams) *cobra.Command {
	var options capture.Options
	cmd := &cobra.Command{
		Use:   "capture",
		Short: "Write all that a scenario needs of a namespace of a cluster to one file",
		Long: `Write all that a scenario needs of a namespace of a cluster to one file: all kinds that can be listed, the Nodes
and other objects of the cluster that the simulation has, such as policies and PriorityClasses, and Events. The
values of Secrets and ConfigMaps are replaced before the file is written.

kubestep does not connect to the cluster. It runs kubectl, which has to be in the PATH, and prints each command.
kubectl only reads: the commands are kubectl api-resources and kubectl get. Kinds that you may not list are
reported.

The file is a dump, so kubestep why, run, open and init --from read it. It contains names, labels, images and
the env of containers: review it before you share it.`,
		Example: `  kubestep capture -n shop
  kubectl step capture -n shop --context prod --out incident.json
  kubestep why capture-shop.json`,
		Args: cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return capture.Capture(streams, options)
		},
	}
	cmd.Flags().StringVarP(&options.Namespace, "namespace", "n", "default", "capture this `NAMESPACE`")
	cmd.Flags().StringVar(&options.Context, "context", "", "use this `CONTEXT` of kubectl")
	cmd.Flags().StringVar(&options.Kubeconfig, "kubeconfig", "", "run kubectl with the kubeconfig file `PATH`")
	cmd.Flags().StringVar(&options.Out, "out", "", "write to the file `PATH` (default \"capture-NAMESPACE.json\")")
	cmd.Flags().BoolVar(&options.Force, "force", false, "replace an existing file")
	return cmd
}
