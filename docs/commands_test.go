package docs_test

import (
	"io"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/tui/command"
	"github.com/kubestep/kubestep/tui/command/shell"
)

const commandsHead = `# The commands

This page has what ` + "`kubestep COMMAND --help`" + ` prints, for the whole of ` + "`kubestep`" + `. The [exit codes](exit-codes.md) are those of all commands.
` + "`kubestep man FOLDER`" + ` writes the same as man pages, and ` + "`kubestep completion`" + ` a script with which a shell completes commands, flags and their values.

`

// TestCommandsReferenceIsFresh compares docs/reference/commands.md with the help of the commands; -rewrite makes it again.
func TestCommandsReferenceIsFresh(t *testing.T) {
	streams := cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	root := command.New(streams)
	golden.Page(t, "reference/commands.md", "the help of the commands", commandsHead+string(shell.Reference(root)))
}
