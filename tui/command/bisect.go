package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/builds"
	"github.com/kubestep/kubestep/scenarios/explore/builds/bisect"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newBisect(streams cli.Streams) *cobra.Command {
	var options bisect.Options
	var kubernetes string
	cmd := &cobra.Command{
		Use:   "bisect FILE --kubernetes FROM..TO",
		Short: "Find the Kubernetes version where a scenario starts to fail or pass",
		Long: `Run a scenario with each version of Kubernetes in a range, and report the version where the scenario starts to
fail or pass. The range includes every version, and every patch version, for which a build exists beside this
program or in PATH: kubestep-1.34.0 and kubestep-1.34.4, for example.

With --check, one check of the scenario decides whether a version passes. With --until, a version passes if the
CEL condition becomes true during its run; see docs/reference/expressions.md.

The exit code is 0 when the scenario passes with all versions, 1 when it fails with at least one, and 2 when no
version can run it.`,
		Example: `  kubestep bisect stale-cache --kubernetes 1.34..1.37
  kubestep bisect my.yaml --kubernetes 1.34..1.37 --check enough-available
  kubestep bisect my.yaml --kubernetes 1.34..1.37 --until "requests('replicaset-controller').exists(r, r.code == 409)"`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := cli.CheckOutput(options.Output); err != nil {
				return err
			}
			if options.Check != "" && options.Until != "" {
				return cli.Usage("--check and --until exclude each other", "one of them")
			}
			var err error
			if options.Low, options.High, err = builds.ParseRange(kubernetes); err != nil {
				return err
			}
			return bisect.Bisect(cmd.Context(), streams, args[0], options)
		},
	}
	cmd.Flags().StringVar(&kubernetes, builds.Flag, "", "`RANGE` of versions, both ends included, such as 1.34..1.37")
	cmd.Flags().StringVar(&options.Check, "check", "", "judge by the check with this `NAME`")
	cmd.Flags().StringVar(&options.Until, "until", "", "judge by whether this `CONDITION` becomes true")
	shell.OutputFormat(cmd.Flags(), &options.Output, "text", "json")
	return cmd
}
