package tui_test

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/tui"
	"github.com/kubestep/kubestep/tui/command"
)

func TestMain(m *testing.M) {
	switch os.Getenv(tui.AsKubestep) {
	case "panics":
		os.Exit(tui.Panics(cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}))
	case "":
		os.Setenv(tui.AsKubestep, "1")
		os.Exit(m.Run())
	}
	os.Exit(command.Main(os.Args[1:], command.Options{}))
}
