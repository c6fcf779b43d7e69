package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// meter starts the program that is measured.
type meter struct {
	// program is kubestep.
	program string
	// budget is how much CPU time a bounded run may take.
	budget time.Duration
	dir    string
}

// cost is what a process took, with all processes that it waited for.
type cost struct {
	cpu    time.Duration
	memory int64
}

func costOf(state *os.ProcessState) cost {
	return cost{state.UserTime() + state.SystemTime(), peakMemory(state)}
}

// errBudget means that a run took more CPU time than it may.
var errBudget = errors.New("more than the budget")

// command is the program, with the settings of the Go runtime that it has by default.
func (m *meter) command(bounded bool, args ...string) *exec.Cmd {
	args = append([]string{m.program}, args...)
	if bounded {
		// The kernel ends the process, since real time says little on a busy machine.
		limit := fmt.Sprintf(`ulimit -t %d && exec "$@"`, int(m.budget.Seconds()))
		args = append([]string{"sh", "-c", limit, "sh"}, args...)
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Env, cmd.Dir = plain(os.Environ()), m.dir
	return cmd
}

// run measures and counts the run of a workload.
func (m *meter) run(w *workload) (cost, *counts, error) {
	file := w.text
	if !w.isShipped() {
		file = filepath.Join(m.dir, "workload.yaml")
		if err := os.WriteFile(file, []byte(w.text), 0o644); err != nil {
			return cost{}, nil, err
		}
	}
	cmd := m.command(w.bounded, "run", "-o", "stream", file)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return cost{}, nil, err
	}
	if err := cmd.Start(); err != nil {
		return cost{}, nil, err
	}
	c, readErr := countStream(out)
	err = cmd.Wait()
	used := costOf(cmd.ProcessState)
	switch {
	case w.bounded && !cmd.ProcessState.Exited():
		return used, nil, errBudget
	case err != nil:
		return used, nil, fmt.Errorf("%s: %w\n%s", w.name, err, stderr.String())
	case readErr != nil:
		return used, nil, fmt.Errorf("%s: %w", w.name, readErr)
	case c.Result != runner.Pass:
		return used, nil, fmt.Errorf("%s ends with %q", w.name, c.Result)
	}
	return used, c, nil
}

// countStream counts the records of kubestep run -o stream. The last line is the outcome.
func countStream(out io.Reader) (*counts, error) {
	c := &counts{}
	lines := bufio.NewReaderSize(out, 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return c, nil
		}
		if err != nil {
			return nil, err
		}
		if bytes.HasPrefix(line, []byte(`{"outcome":`)) {
			var last struct{ Outcome *runner.Outcome }
			if err := json.Unmarshal(line, &last); err != nil {
				return nil, err
			}
			c.take(last.Outcome)
			continue
		}
		record, err := trace.Decode(line)
		if err != nil {
			return nil, err
		}
		c.note(record)
	}
}

// startUp measures the program when it does nothing: the least of some processes.
func (m *meter) startUp() (least cost, err error) {
	const processes = 5
	for i := range processes {
		cmd := m.command(false, "version")
		if err := cmd.Run(); err != nil {
			return cost{}, err
		}
		if used := costOf(cmd.ProcessState); i == 0 || used.cpu < least.cpu {
			least = used
		}
	}
	return least, nil
}

// swept is what a sweep reports.
type swept struct {
	Seeds     int   `json:"seeds"`
	Failed    int64 `json:"failed"`
	Confirmed int   `json:"confirmed"`
	// Places are those of a sweep of places, and Returned counts the runs that came back to the state of the run without faults.
	Places   int64 `json:"places"`
	Returned int64 `json:"returned"`
}

// seedsFailed is the exit code of a sweep in which seeds failed, which faults are there for.
const seedsFailed = 1

// sweep measures a sweep with one worker.
func (m *meter) sweep(s *sweepOf) (cost, *swept, error) {
	cmd := m.command(false, append([]string{"explore", "--workers", "1", "-o", "json"}, s.args...)...)
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := child.Finish(cmd, seedsFailed); err != nil {
		return cost{}, nil, fmt.Errorf("%s: %w", s.name, err)
	}
	result := &swept{}
	return costOf(cmd.ProcessState), result, json.Unmarshal(stdout.Bytes(), result)
}

// seconds words CPU time with two digits that count.
func seconds(d time.Duration) string {
	s := d.Seconds()
	switch {
	case s < 10:
		return strconv.FormatFloat(s, 'f', 2, 64) + " s"
	case s < 100:
		return strconv.FormatFloat(s, 'f', 1, 64) + " s"
	}
	return strconv.FormatFloat(s, 'f', 0, 64) + " s"
}

// megabytes words memory.
func megabytes(bytes int64) string {
	if bytes == 0 {
		return ""
	}
	return fmt.Sprintf("%d MB", bytes/1_000_000)
}

// grouped writes a number with commas: 46,912.
func grouped[N int64 | uint64](n N) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// ungrouped reads what grouped writes.
func ungrouped(text string) (int64, error) {
	return strconv.ParseInt(strings.ReplaceAll(text, ",", ""), 10, 64)
}
