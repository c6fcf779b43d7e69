package main

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/performance/internal/prototype"
	"github.com/kubestep/kubestep/sim/process/logging"
)

const comparisonPart = "comparison"

// prototypeVariable has the number of replicas that a process is to roll out in the prototype and nothing else.
const prototypeVariable = "PERFORMANCE_PROTOTYPE"

// prototyping runs the prototype if the process was started for that, and exits. Its garbage collector has the setting that kubestep has.
func prototyping() {
	text := os.Getenv(prototypeVariable)
	if text == "" {
		return
	}
	const percent = 400
	debug.SetGCPercent(percent)
	logging.To(nil)
	replicas, err := strconv.Atoi(text)
	if err == nil {
		_, err = prototype.Rollout(replicas)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

// prototypeCost measures the prototype in a process of its own.
func prototypeCost(replicas int) (cost, error) {
	self, err := os.Executable()
	if err != nil {
		return cost{}, err
	}
	cmd := exec.Command(self)
	cmd.Env = append(plain(os.Environ()), fmt.Sprintf("%s=%d", prototypeVariable, replicas))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return cost{}, fmt.Errorf("the prototype with %d replicas: %w\n%s", replicas, err, stderr.String())
	}
	return costOf(cmd.ProcessState), nil
}

var comparisonHead = []string{
	"replicas", "prototype", "kubestep, `scheduler: simple`", "times the prototype", "kubestep", "times the prototype",
}

// comparison measures the prototype and kubestep in turn, so that what else the machine does weighs on both, and takes medians. A ratio is
// the median of the ratios of the turns.
func (m *meter) comparison(progress io.Writer) (string, error) {
	const turns = 7
	var rows [][]string
	for _, replicas := range []int{10, 100, 1000} {
		fmt.Fprintf(progress, "%d replicas and the prototype: ", replicas)
		var took [3][]time.Duration
		for range turns {
			base, err := prototypeCost(replicas)
			if err != nil {
				return "", err
			}
			took[0] = append(took[0], base.cpu)
			for i, kubernetes := range []string{simple, byDefault} {
				used, _, err := m.run(&workload{text: rollout(replicas, kubernetes)})
				if err != nil {
					return "", err
				}
				took[i+1] = append(took[i+1], used.cpu)
			}
		}
		row := []string{grouped(int64(replicas)), seconds(median(took[0]))}
		for _, of := range took[1:] {
			row = append(row, seconds(median(of)), fmt.Sprintf("%.1f", median(quotients(of, took[0]))))
		}
		fmt.Fprintln(progress, strings.Join(row[1:], ", "))
		rows = append(rows, row)
	}
	var out strings.Builder
	table(&out, comparisonHead, rows)
	return out.String(), nil
}

// median is the middle one of an odd number of values.
func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// quotients divides the times of each turn.
func quotients(times, by []time.Duration) []float64 {
	quotients := make([]float64, len(times))
	for i := range times {
		quotients[i] = times[i].Seconds() / by[i].Seconds()
	}
	return quotients
}
