// Hash runs a scenario that comes with kubestep and prints its trace hash. It is the least program that does, and
// compiles for architectures for which kubestep's commands and its terminal do not: see docs/portable.sh.
package main

import (
	"fmt"
	"os"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
)

func main() {
	scenario, err := library.Load(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	outcome, err := runner.Run(scenario, runner.RunOptions{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	fmt.Println(outcome.Scenario, outcome.TraceHash)
}
