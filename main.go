// kubestep runs the real controllers of kube-controller-manager in a deterministic simulation.
package main

import (
	"os"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/tui"
	"github.com/kubestep/kubestep/tui/command"
)

func main() {
	streams := cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}
	os.Exit(command.Main(os.Args[1:], streams, tui.Commands(streams)...))
}
