package docs_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	"sigs.k8s.io/yaml"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestMain makes the test binary be kubestep, which the Pods of a sweep call.
func TestMain(m *testing.M) { commandline.Main(m) }

// jobOfASweep is the manifest in the how-to.
func jobOfASweep(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("howto/sweep-on-a-cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```yaml\n(apiVersion: batch/v1.*?)```").FindSubmatch(page)
	if block == nil {
		t.Fatal("the page has no Job")
	}
	return string(block[1])
}

// TestTheJobOfASweep asks the API server whether it takes the manifest of the how-to.
func TestTheJobOfASweep(t *testing.T) {
	text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: sweep}\nspec:\n  title: A sweep\n  steps:\n  - create: |\n" +
		regexp.MustCompile("(?m)^").ReplaceAllString(strings.TrimRight(jobOfASweep(t), "\n"), "      ") + "\n"
	scenario, err := format.Parse("sweep.yaml", []byte(text), verb.All)
	if err == nil {
		_, err = runner.Prepare(scenario)
	}
	if err != nil {
		t.Error(err)
	}
}

// swept is the scenario of the sweep: its runs are short, and all pass.
const swept = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: my}
spec:
  title: Two Pods
  horizon: 10s
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - expect: {that: "deployment('web').status.readyReplicas == 2", by: 5s}
`

// sweepJob is the Job of the how-to on this machine: its Pods are processes that share a folder.
type sweepJob struct {
	*testing.T
	container func(index int) []string
	results   string
}

// newSweepJob reads the Job. It is as in the how-to but for its numbers: four shards instead of sixteen, with ten seeds each.
func newSweepJob(t *testing.T) *sweepJob {
	t.Helper()
	var job batchv1.Job
	if err := yaml.UnmarshalStrict([]byte(jobOfASweep(t)), &job); err != nil {
		t.Fatal(err)
	}
	const shards, seeds = 4, 40
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "my.yaml"), []byte(swept), 0o644); err != nil {
		t.Fatal(err)
	}
	results := filepath.Join(root, "results")
	if err := os.Mkdir(results, 0o755); err != nil {
		t.Fatal(err)
	}
	count := fmt.Sprintf("/%d", *job.Spec.Completions)
	return &sweepJob{t, func(index int) []string {
		var args []string
		for _, arg := range job.Spec.Template.Spec.Containers[0].Args {
			if name, _, found := strings.Cut(arg, "="); found && name == "--shard" && !strings.HasSuffix(arg, count) {
				t.Errorf("%s, but the Job has %s completions", arg, count[1:])
			}
			arg = strings.NewReplacer(
				"$(JOB_COMPLETION_INDEX)"+count, fmt.Sprintf("%d/%d", index, shards), "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index),
				"/scenario/", root+string(filepath.Separator), "/results/", results+string(filepath.Separator),
				"--seeds=1000000", fmt.Sprintf("--seeds=%d", seeds), "--workers=4", "--workers=1",
			).Replace(arg)
			args = append(args, arg)
		}
		return args
	}, results}
}

// pod runs a shard to its end.
func (j *sweepJob) pod(index int) {
	j.Helper()
	if out, err := exec.Command("kubestep", j.container(index)...).CombinedOutput(); err != nil {
		j.Fatalf("shard %d: %v\n%s", index, err, out)
	}
}

// lines are the lines of results that a shard has.
func (j *sweepJob) lines(index int) int {
	text, err := os.ReadFile(filepath.Join(j.results, fmt.Sprint(index), sweep.FileName))
	if err != nil {
		return 0
	}
	return bytes.Count(text, []byte("\n"))
}

// killed runs a shard and kills it when it has some results.
func (j *sweepJob) killed(index int) {
	j.Helper()
	for range 20 {
		cmd := exec.Command("kubestep", j.container(index)...)
		if err := cmd.Start(); err != nil {
			j.Fatal(err)
		}
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = cmd.Wait()
		}()
		const header, some = 1, 2
		for over := false; j.lines(index) < header+some && !over; {
			select {
			case <-ended:
				over = true
			case <-time.After(time.Millisecond):
			}
		}
		_ = cmd.Process.Kill()
		<-ended
		if !cmd.ProcessState.Exited() {
			return
		}
		// It was faster than this test.
		if err := os.RemoveAll(filepath.Join(j.results, fmt.Sprint(index))); err != nil {
			j.Fatal(err)
		}
	}
	j.Fatal("the shard always ends before it is killed")
}

// merge merges what is there.
func (j *sweepJob) merge() (out string, code int) {
	j.Helper()
	dirs, err := filepath.Glob(filepath.Join(j.results, "*"))
	if err != nil {
		j.Fatal(err)
	}
	text, err := exec.Command("kubestep", append([]string{"explore", "merge"}, dirs...)...).CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		j.Fatal(err)
	}
	if exit != nil {
		code = exit.ExitCode()
	}
	return string(text), code
}

// TestASweepInShards runs the Job of the how-to, kills one of its processes and does not start another: the sweep does not pass
// until both have run to their end.
func TestASweepInShards(t *testing.T) {
	job := newSweepJob(t)
	job.pod(0)
	job.killed(1)
	job.pod(3)
	out, code := job.merge()
	for _, want := range []string{
		"shard 1/4: ", "shard 2/4: 10 of its 10 seeds: 3..39 by 4\n", "\nincomplete  my  ", "Error: the sweep is incomplete: ",
		"Try: kubestep explore ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if code != cli.ExitIncomplete {
		t.Errorf("exit code %d, want %d", code, cli.ExitIncomplete)
	}
	before := job.lines(1)
	job.pod(2)
	if out, code := job.merge(); code != cli.ExitIncomplete || strings.Contains(out, "shard 2/4") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	job.pod(1)
	if after := job.lines(1); before < 3 || after != 11 {
		t.Errorf("the shard had %d lines, and has %d after it resumed; nothing runs twice", before, after)
	}
	if out, code := job.merge(); code != cli.ExitOK || !strings.HasPrefix(out, "pass  my  seeds 1..40  passed 40  failed 0") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
