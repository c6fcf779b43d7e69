// Hash runs a scenario that comes with kubestep and prints its trace hash, or with a second argument its trace. It is the
// least program that does, and compiles for architectures for which kubestep's commands and its terminal do not: see
// sim/toolchain/exact/portable.
package main

import (
	"fmt"
	"os"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

func main() {
	scenario, err := library.Load(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var options runner.RunOptions
	if len(os.Args) > 2 {
		options.Sinks = []trace.Sink{func(_ *trace.Record, line []byte) { os.Stdout.Write(line) }}
	}
	outcome, err := runner.Run(scenario, options)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	if len(os.Args) > 2 {
		return
	}
	fmt.Println(outcome.Scenario, outcome.TraceHash)
}
