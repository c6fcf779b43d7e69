package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// OneScenario accepts exactly one scenario as the argument of a command.
func OneScenario(cmd *cobra.Command, args []string) error {
	if len(args) != 1 {
		return Usage(fmt.Sprintf("%s takes one scenario, not %d", commandOf(cmd), len(args)),
			"kubestep list, then "+cmd.CommandPath()+" NAME")
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

// commandOf is the path of a command without the name of the program: explain rollout.
func commandOf(cmd *cobra.Command) string {
	return strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
}

// NoArguments accepts nothing. Where a command has others below it, an argument is the misspelled name of one.
func NoArguments(cmd *cobra.Command, args []string) error {
	help := cmd.CommandPath() + " --help"
	switch {
	case len(args) == 0:
		return nil
	case !cmd.HasAvailableSubCommands():
		return Usage(commandOf(cmd)+" takes no arguments", help)
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
	return Usage(fmt.Sprintf("unknown command %q", args[0]), help)
}

// plainWord is a word that a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=@%+-]+$`)

// ShellWord is a text as one word of a command line for a POSIX shell.
func ShellWord(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
