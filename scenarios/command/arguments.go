package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// OneScenario accepts exactly one scenario as the argument of a command.
func OneScenario(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return &UsageError{fmt.Sprintf("%s takes one scenario, not %d", cmd.Name(), len(args)),
			"kubestep list, then " + cmd.CommandPath() + " NAME"}
	}
	return nil
}

// AtMostOneScenario accepts a scenario, or nothing.
func AtMostOneScenario(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return OneScenario(cmd, args)
	}
	return nil
}

// NoArguments accepts nothing. Where a command has others below it, an argument is the misspelled name of one.
func NoArguments(cmd *cobra.Command, args []string) error {
	help := cmd.CommandPath() + " --help"
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasAvailableSubCommands():
		return &UsageError{cmd.CommandPath() + " takes no arguments", help}
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	if near := spelling.Nearest(args[0], names); near != "" {
		help = cmd.CommandPath() + " " + near
	}
	return &UsageError{fmt.Sprintf("unknown command %q", args[0]), help}
}

// newHelp is cobra's command help, which would show the help of kubestep for an unknown command.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about any command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err == nil {
				err = NoArguments(about, rest)
			}
			if err != nil {
				return err
			}
			return about.Help()
		},
	}
}
