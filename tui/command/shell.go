package command

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/shell"
)

func newCompletion(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "completion SHELL",
		Short: "Print the script that completes commands, flags and scenarios in a shell",
		Long: `Print the script that makes a shell complete commands, flags and their values, scenarios and files.

SHELL is bash, zsh, fish or powershell. bash needs the package bash-completion. To enable completion in every
new shell:

  bash        kubestep completion bash > ~/.local/share/bash-completion/completions/kubestep
  zsh         kubestep completion zsh > "${fpath[1]}/_kubestep"
  fish        kubestep completion fish > ~/.config/fish/completions/kubestep.fish
  powershell  kubestep completion powershell >> $PROFILE`,
		Example: `  source <(kubestep completion bash)`,
		Args: func(_ *cobra.Command, args []string) error {
			known := strings.Join(shell.Shells, ", ")
			switch {
			case len(args) != 1:
				return cli.Usage(fmt.Sprintf("completion takes one shell, not %d", len(args)), "one of "+known)
			case !slices.Contains(shell.Shells, args[0]):
				try := "one of " + known
				if near := spelling.Nearest(args[0], shell.Shells); near != "" {
					try = "kubestep completion " + near
				}
				return cli.Usage(fmt.Sprintf("unknown shell %q", args[0]), try)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := shell.Script(cmd.Root(), args[0], streams.Raw()); err != nil {
				return cli.OutputError("", err)
			}
			return nil
		},
	}
}

func newMan(streams cli.Streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man FOLDER",
		Short: "Write the man pages of all commands",
		Long: `Write the man pages of all commands to a folder: kubestep.1, kubestep-run.1 and so on.

The pages have the texts of --help. The folder is created if it does not exist; files of the same names are
replaced.`,
		Example: `  kubestep man ~/.local/share/man/man1
  man kubestep-run`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return cli.Usage(fmt.Sprintf("man takes one folder, not %d", len(args)), "kubestep man man1")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			count, err := shell.WritePages(cmd.Root(), args[0])
			if err != nil {
				return cli.OutputError("", err)
			}
			fmt.Fprintf(streams.Stderr(), "wrote %s to %s; next: man %s\n",
				trace.Count(count, "page"), args[0], filepath.Join(args[0], "kubestep.1"))
			return nil
		},
	}
}
