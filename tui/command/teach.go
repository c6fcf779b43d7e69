package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/web/teach"
)

func newTeach(streams cli.Streams) *cobra.Command {
	var options teach.Options
	cmd := &cobra.Command{
		Use:   "teach FILE",
		Short: "Let a class follow a lesson in their browsers and vote on its questions",
		Long: `Let a class follow a lesson in their browsers and vote on its questions.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. kubestep prints
two addresses: one for the class, and one for you. While a question is open, you see how many students have
answered; after it, you see their answers.

The server listens on this machine only, unless you name another address with --listen. Students need
the code that is part of their address. Nothing is stored, and the server ends with Ctrl-C.`,
		Example: `  kubestep teach create
  kubestep teach create --listen 0.0.0.0:8080    # for everybody in this network`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			return teach.Serve(cmd.Context(), streams, args[0], options)
		},
	}
	cmd.Flags().StringVar(&options.Listen, "listen", teach.Loopback, "listen on this `ADDRESS`, HOST:PORT; port 0 is a free one")
	return cmd
}
