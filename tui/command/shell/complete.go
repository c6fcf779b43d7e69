package shell

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Shells are those whose scripts Script writes.
var Shells = []string{"bash", "zsh", "fish", "powershell"}

// Script writes the script that makes a shell complete the commands, flags and values of a program.
func Script(root *cobra.Command, shell string, out io.Writer) error {
	switch shell {
	case "bash":
		return root.GenBashCompletionV2(out, true)
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return fmt.Errorf("unknown shell %q", shell)
}

// Complete says for a command and all below it what their arguments and the values of their flags may be. It returns the words that
// the table of values lacks, each with its place. They are completed with files.
func Complete(cmd *cobra.Command) (unknown []string) {
	words := arguments(cmd)
	for _, word := range words {
		if values[word] == nil {
			unknown = append(unknown, cmd.CommandPath()+": "+word)
		}
	}
	cmd.ValidArgsFunction = completeArgument(words, strings.Contains(cmd.Use, "..."))
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		word, _ := pflag.UnquoteUsage(flag)
		switch {
		case word == "": // true or false
		case values[word] == nil, slices.Contains([]string{"FORMAT", "PALETTE", "BACKGROUND"}, word) && flag.Annotations[choices] == nil:
			unknown = append(unknown, cmd.CommandPath()+" --"+flag.Name+": "+word)
		default:
			several := strings.HasSuffix(flag.Value.Type(), "Slice")
			// It fails for a flag that has a function already.
			_ = cmd.RegisterFlagCompletionFunc(flag.Name, completeFlag(values[word], flag, several))
		}
	})
	for _, below := range cmd.Commands() {
		unknown = append(unknown, Complete(below)...)
	}
	return unknown
}

// completeFlag completes the value of a flag: the last one, if it may have several, separated by commas.
func completeFlag(list list, flag *pflag.Flag, several bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		before := ""
		if at := strings.LastIndex(typed, ","); several && at >= 0 {
			before, typed = typed[:at+1], typed[at+1:]
		}
		found, directive := list(request{cmd, args, typed, flag})
		for i := range found {
			found[i] = before + found[i]
		}
		return found, directive
	}
}

// arguments are the words for the arguments in the usage of a command, such as FILE and KIND/NAME.
func arguments(cmd *cobra.Command) (words []string) {
	for _, word := range strings.Fields(cmd.Use)[1:] {
		if strings.HasPrefix(word, "--") {
			break
		}
		words = append(words, strings.TrimSuffix(strings.Trim(word, "[]"), "..."))
	}
	return words
}

// completeArgument completes the arguments of a command. If it takes any number, the last word is that of all further ones.
func completeArgument(words []string, any bool) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
		at := len(args)
		switch {
		case at < len(words):
		case any:
			at = len(words) - 1
		default:
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if values[words[at]] == nil {
			return nil, cobra.ShellCompDirectiveDefault
		}
		return values[words[at]](request{cmd, args, typed, nil})
	}
}
