package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newGet(streams cli.Streams) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "get",
		Short: "List what kubestep runs",
		Args:  cli.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return cli.Usage("get needs clusters", "kubestep get clusters")
		},
	}
	cmd.AddCommand(newGetClusters(streams))
	return cmd
}

func newGetClusters(streams cli.Streams) *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "clusters",
		Short: "List the clusters that kubestep serve runs on this machine",
		Long: `List the clusters that kubestep serve runs on this machine, with their addresses, virtual times and kubeconfig
files. A cluster ends with the session of kubestep serve.`,
		Example: `  kubestep get clusters
  kubestep get clusters -o name`,
		Args: cli.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return serving.Clusters(cmd.Context(), streams, output)
		},
	}
	shell.OutputFormat(cmd.Flags(), &output, "table", "name", "json")
	return cmd
}
