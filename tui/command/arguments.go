package command

import (
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// newHelp is cobra's command help, which would show the help of kubestep for an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil {
				err = cli.NoArguments(about, rest)
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}
