// Command performance measures the program and writes the tables of docs/explanation/performance.md: make performance.
//
// It starts the built binary for each workload and takes the CPU time and the peak memory from the operating system, and the
// events, syncs and requests from the trace. These counts are the same on every machine. A test holds those of the cheap workloads, and
// their allocations, in a golden file: testdata/counts.txt is the benchmark that a change must explain when it moves a number.
// CPU time depends on the machine and on what else it does; no test looks at it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	counting()
	program := flag.String("program", "bin/kubestep", "the program that is measured")
	page := flag.String("page", "docs/explanation/performance.md", "the page whose tables are written")
	const enough = 100 * time.Second
	budget := flag.Duration("budget", enough, "the CPU time that the largest run may take")
	flag.Parse()
	if err := write(*program, *page, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

// write measures everything and then writes the page, so that it is old or new but never half of each.
func write(program, page string, budget time.Duration) error {
	program, err := filepath.Abs(program)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "kubestep-performance-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	m := &meter{program: program, budget: budget, dir: dir}
	runs, err := m.measureRuns(os.Stderr)
	if err != nil {
		return err
	}
	sweeps, err := m.sweeps(os.Stderr)
	if err != nil {
		return err
	}
	sessions, err := m.sessions(os.Stderr)
	if err != nil {
		return err
	}
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text := string(data)
	for _, part := range []struct{ name, text string }{
		{machinePart, machine()}, {runsPart, runs}, {sweepsPart, sweeps}, {sessionsPart, sessions},
	} {
		if text, err = replace(text, part.name, part.text); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return os.WriteFile(page, []byte(text), 0o644)
}
