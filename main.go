// kubestep runs the real controllers of kube-controller-manager in a deterministic simulation.
package main

import (
	"os"

	"github.com/kubestep/kubestep/tui/command"
)

func main() {
	os.Exit(command.Main(os.Args[1:], command.Options{}))
}
