package main

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// The names of some parts.
const (
	machinePart  = "machine"
	runsPart     = "runs"
	sweepsPart   = "sweeps"
	placesPart   = "places"
	sessionsPart = "sessions"
)

// replace puts a text between the comments of a part.
func replace(page, part, text string) (string, error) {
	begin, end := "<!-- "+part+": written by make performance -->\n", "<!-- end of "+part+" -->"
	before, rest, found := strings.Cut(page, begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return "", fmt.Errorf("the page has no part %q", part)
	}
	return before + begin + text + end + after, nil
}

// between is the text of a part.
func between(page, part string) string {
	_, rest, _ := strings.Cut(page, "<!-- "+part+": written by make performance -->\n")
	text, _, _ := strings.Cut(rest, "<!-- end of "+part+" -->")
	return text
}

// words is the page without the parts that are written.
func words(page string) (string, error) {
	for _, part := range parts() {
		var err error
		if page, err = replace(page, part.name, ""); err != nil {
			return "", err
		}
	}
	return page, nil
}

// machine says where the figures are from.
func machine() string {
	goVersion := strings.TrimPrefix(runtime.Version(), "go")
	return fmt.Sprintf("Measured on %s/%s with %d CPUs, with Go %s, Kubernetes %s and the %s build.\n",
		runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), goVersion, controllers.KubernetesVersion, exact.Build())
}

var runsHead = []string{"run", "CPU time", "virtual time", "events", "syncs", "requests", "allocations", "peak memory"}

// measureRuns measures the workloads, and tells on progress what it does.
func (m *meter) measureRuns(progress io.Writer) (string, error) {
	used, err := m.startUp()
	if err != nil {
		return "", err
	}
	rows := [][]string{{"the program alone: `kubestep version`", seconds(used.cpu), "", "", "", "", "", megabytes(used.memory)}}
	all := workloads()
	costs, results, err := fastest(progress, all, func(w *workload) string { return w.name }, m.run)
	if err != nil {
		return "", err
	}
	for i, w := range all {
		used, c := costs[i], results[i]
		if c == nil {
			rows = append(rows, []string{
				w.name, "more than " + seconds(m.budget), "", "", "", "", "", "more than " + megabytes(used.memory),
			})
			continue
		}
		allocations := ""
		if w.allocates {
			counted, err := countsOf(w.name)
			if err != nil {
				return "", err
			}
			allocations = grouped(counted.Allocations)
		}
		virtual := notation.Text(time.Duration(c.Virtual * float64(time.Second)).Round(time.Second))
		rows = append(rows, []string{
			w.name, seconds(used.cpu), virtual,
			grouped(c.Events), grouped(c.Syncs), grouped(c.Requests), allocations, megabytes(used.memory),
		})
	}
	var out strings.Builder
	table(&out, runsHead, rows)
	return out.String(), nil
}

var sweepsHead = []string{"sweep", "seeds", "failed", "confirmed in a new process", "CPU time", "seeds per CPU second", "peak memory"}

// sweeps measures the sweeps.
func (m *meter) sweeps(progress io.Writer) (string, error) {
	var rows [][]string
	all := sweeps()
	costs, results, err := fastest(progress, all, func(s *sweepOf) string { return "sweep of " + s.name }, m.sweep)
	if err != nil {
		return "", err
	}
	for i, s := range all {
		used, result := costs[i], results[i]
		rows = append(rows, []string{
			s.name, fmt.Sprint(result.Seeds), fmt.Sprint(result.Failed), fmt.Sprint(result.Confirmed), seconds(used.cpu),
			fmt.Sprintf("%.1f", float64(result.Seeds)/used.cpu.Seconds()), megabytes(used.memory),
		})
	}
	var out strings.Builder
	table(&out, sweepsHead, rows)
	return out.String(), nil
}

var placesHead = []string{"`--every`", "places", "returned to the run without faults", "failed", "CPU time", "for each place", "peak memory"}

// everyPlace measures runs with a fault at each place of a scenario.
func (m *meter) everyPlace(progress io.Writer) (string, error) {
	all := []sweepOf{{"`job-back-off`", []string{"job-back-off", "--every"}}, {"`rolling-update`", []string{"rolling-update", "--every"}}}
	costs, results, err := fastest(progress, all, func(s *sweepOf) string { return "each place of " + s.name }, m.sweep)
	if err != nil {
		return "", err
	}
	var rows [][]string
	for i, s := range all {
		used, result := costs[i], results[i]
		const millisecond = 1000
		rows = append(rows, []string{
			s.name, grouped(result.Places), grouped(result.Returned), grouped(result.Failed), seconds(used.cpu),
			fmt.Sprintf("%.0f ms", millisecond*used.cpu.Seconds()/float64(result.Places)), megabytes(used.memory),
		})
	}
	var out strings.Builder
	table(&out, placesHead, rows)
	return out.String(), nil
}
