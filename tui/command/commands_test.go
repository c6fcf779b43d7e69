package command

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/tui/command/shell"
)

// TestEveryValueIsCompleted holds that the shell knows what may stand for each argument and flag. If it fails, use one of the
// words in tui/command/shell/values.go in the help text, or add a word to them.
func TestEveryValueIsCompleted(t *testing.T) {
	var streams cli.Streams
	for _, unknown := range shell.Complete(New(streams)) {
		t.Error(unknown)
	}
}

// TestCommandsAreBounded holds that each command which takes a scenario or a trace has the limits of run. The others say why not.
func TestCommandsAreBounded(t *testing.T) {
	except := map[string]string{
		"kubestep serve":         "serves until Ctrl-C, and its memory has the default limit",
		"kubestep explore merge": "reads results, not scenarios",
		"kubestep explore stats": "reads results, not scenarios",
		"kubestep step save":     "writes a scenario",
		"kubestep step run":      "moves a session of another process",
		"kubestep step do":       "moves a session of another process",
	}
	streams := cli.Streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		takes := false
		for _, word := range []string{"FILE", "TRACE", "A B"} {
			takes = takes || strings.Contains(cmd.Use, word)
		}
		for _, flag := range []string{"timeout", "max-memory"} {
			if takes && cmd.Flags().Lookup(flag) == nil && except[cmd.CommandPath()] == "" {
				t.Errorf("%s has no --%s", cmd.CommandPath(), flag)
			}
		}
		for _, below := range cmd.Commands() {
			walk(below)
		}
	}
	walk(New(streams))
}
