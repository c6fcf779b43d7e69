package tui_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/scenarios/shell"
	"github.com/kubestep/kubestep/tui"
)

// TestEveryValueIsCompleted holds that the shell knows what may stand for each argument and flag. If it fails, use one of the
// words in scenarios/shell/values.go in the help text, or add a word to them.
func TestEveryValueIsCompleted(t *testing.T) {
	var streams command.Streams
	for _, unknown := range shell.Complete(command.New(streams, tui.Commands(streams)...)) {
		t.Error(unknown)
	}
}
