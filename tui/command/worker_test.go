package command

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// jobs are the lines that a worker reads.
func jobs(t *testing.T, jobs ...child.Job) string {
	t.Helper()
	var lines strings.Builder
	for _, job := range jobs {
		line, err := json.Marshal(job)
		if err != nil {
			t.Fatal(err)
		}
		lines.Write(append(line, '\n'))
	}
	return lines.String()
}

// reports are the lines that a worker writes.
func reports(t *testing.T, out []byte) (reports []child.Report) {
	t.Helper()
	for line := range bytes.Lines(out) {
		var report child.Report
		if err := json.Unmarshal(line, &report); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		reports = append(reports, report)
	}
	return reports
}

// TestWorker makes runs of several scenarios in one process, in the order of the jobs. The same job has the same
// trace hash again, although another scenario ran in between.
func TestWorker(t *testing.T) {
	text := strings.Replace(long, "87600h", "10s", 1)
	cmd := kubestep(t, child.WorkerCommand)
	cmd.Stdin = strings.NewReader(jobs(t,
		child.Job{File: "short.yaml", Text: text, Seed: 7},
		child.Job{File: "worked-01", Seed: 1},
		child.Job{File: "short.yaml", Text: text, Seed: 7},
		child.Job{File: "short.yaml", Text: text, Seed: 8}))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	got := reports(t, out)
	if len(got) != 4 {
		t.Fatalf("%d reports for 4 jobs:\n%s", len(got), out)
	}
	for i, seed := range []int64{7, 1, 7, 8} {
		if got[i].Seed != seed || got[i].Result != runner.Pass {
			t.Errorf("report %d: %+v, want a pass with seed %d", i, got[i], seed)
		}
	}
	if got[0].Scenario == got[1].Scenario {
		t.Errorf("the second job ran the scenario of the first, %s", got[1].Scenario)
	}
	if got[0].Hash != got[2].Hash || got[0].Hash == got[3].Hash {
		t.Errorf("hashes %s (seed 7), %s (seed 7 again), %s (seed 8)", got[0].Hash, got[2].Hash, got[3].Hash)
	}
}

// TestWorkerAborts reports a run that outgrows its memory before the process ends.
func TestWorkerAborts(t *testing.T) {
	cmd := kubestep(t, child.WorkerCommand, "--max-memory", "1Mi")
	cmd.Stdin = strings.NewReader(jobs(t, child.Job{File: "worked-01", Seed: 1}))
	out, _ := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code != cli.ExitLimit {
		t.Errorf("exit code %d, want %d", code, cli.ExitLimit)
	}
	if got := reports(t, out); len(got) != 1 || got[0].Halt == nil || got[0].Halt.Reason != "Memory" {
		t.Errorf("%s", out)
	}
}

// TestWorkerInput ends a worker that has no more to read, and one that reads what is no job.
func TestWorkerInput(t *testing.T) {
	for in, works := range map[string]bool{"": true, "what?\n": false} {
		var out bytes.Buffer
		err := (&child.Server{Out: &out}).Serve(strings.NewReader(in))
		if (err == nil) != works || out.Len() > 0 {
			t.Errorf("%q: %v, %q", in, err, out.String())
		}
	}
}

// TestWorkerMistake answers a job whose scenario is wrong, and makes the next.
func TestWorkerMistake(t *testing.T) {
	cmd := kubestep(t, child.WorkerCommand)
	cmd.Stdin = strings.NewReader(jobs(t, child.Job{File: "wrong.yaml", Text: "kind: Scenari", Seed: 1}, child.Job{File: "worked-01", Seed: 1}))
	out, err := cmd.Output()
	got := reports(t, out)
	if err != nil || len(got) != 2 || !got[0].Wrong || got[1].Result != runner.Pass {
		t.Errorf("%v:\n%s", err, out)
	}
}
