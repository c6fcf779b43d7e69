// Command performance measures the program and writes the tables of docs/explanation/performance.md: make performance. The pictures of the
// page are drawn from its table of growth, so a test can tell when they are old.
//
// It starts the built binary for each workload and takes the CPU time and the peak memory from the operating system, and the
// events, syncs and requests from the trace. These counts are the same on every machine. A test holds those of the cheap workloads, and
// their allocations, in a golden file: testdata/counts.txt is the benchmark that a change must explain when it moves a number.
// CPU time depends on the machine and on what else it does; no test looks at it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

func main() {
	counting()
	prototyping()
	program := flag.String("program", "bin/kubestep", "the program that is measured")
	page := flag.String("page", "docs/explanation/performance.md", "the page whose tables are written")
	const enough = 100 * time.Second
	budget := flag.Duration("budget", enough, "the CPU time that the largest run may take")
	only := flag.String("only", "", "measure only one part of the page: runs, comparison, shares, sweeps, places, sessions or growth")
	flag.Parse()
	if err := write(*program, *page, *budget, *only); err != nil {
		fmt.Fprintln(os.Stderr, "Error:", err)
		os.Exit(1)
	}
}

// part is a part of the page that this program writes, between two comments.
type part struct {
	name    string
	measure func(m *meter, progress io.Writer) (string, error)
}

// parts are those of the page, in the order in which they are measured.
func parts() []part {
	return []part{
		{machinePart, func(*meter, io.Writer) (string, error) { return machine(), nil }},
		{runsPart, (*meter).measureRuns},
		{comparisonPart, (*meter).comparison},
		{sharesPart, (*meter).measureShares},
		{sweepsPart, (*meter).sweeps},
		{placesPart, (*meter).everyPlace},
		{sessionsPart, (*meter).sessions},
		{growthPart, (*meter).growth},
	}
}

// write measures everything, or only a part, and then writes the page, so that it is old or new but never half of each.
func write(program, page string, budget time.Duration, only string) error {
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
	data, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	text := string(data)
	known := only == ""
	for _, part := range parts() {
		if only != "" && part.name != only {
			continue
		}
		known = true
		measured, err := part.measure(m, os.Stderr)
		if err != nil {
			return err
		}
		if text, err = replace(text, part.name, measured); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	if !known {
		return fmt.Errorf("the page has no part %q", only)
	}
	if err := os.WriteFile(page, []byte(text), 0o644); err != nil {
		return err
	}
	return draw(page, text)
}

// draw draws the pictures of a page from its table.
func draw(page, text string) error {
	for _, c := range curves() {
		points, err := pointsOf(text, c.name)
		if err != nil {
			return err
		}
		file := pictureFile(page, c.name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(picture(c, points)), 0o644); err != nil {
			return err
		}
	}
	return nil
}
