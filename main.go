// kubestep runs the real controllers of kube-controller-manager in a deterministic simulation.
package main

import (
	"os"
	"runtime"

	"github.com/kubestep/kubestep/tui/command"
)

func init() {
	// Nobody reads samples of allocations, and taking them costs a percent of a run.
	runtime.MemProfileRate = 0
}

func main() {
	os.Exit(command.Main(os.Args[1:], command.Options{}))
}
