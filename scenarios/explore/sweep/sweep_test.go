package sweep_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/tui/command"
)

// TestMain lets the test binary be kubestep when a test starts it as a worker.
func TestMain(m *testing.M) {
	var options command.Options
	switch os.Getenv("SWEEP_TEST") {
	case "":
		os.Exit(m.Run())
	case "panic":
		options.Controllers = map[string]controllers.Custom{"mine": func(context.Context, controllers.Clients) error {
			panic("boom")
		}}
	case "silent":
		os.Exit(7)
	}
	os.Exit(command.Main(os.Args[1:], options))
}

const file = "testdata/one-alone.yaml"

func header(t *testing.T, file string) sweep.Header {
	t.Helper()
	scenario, err := format.Load(file, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	return sweep.Header{Name: scenario.Metadata.Name, File: file, Hash: child.HashOf(scenario), Kubernetes: "v1", Kubestep: "v2",
		Plan: &sweep.Seeds{From: 1, Count: 6, Shards: 1}}
}

func open(t *testing.T, dir string) *sweep.Store {
	t.Helper()
	store, err := sweep.Open(dir, header(t, file))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// worker is this test as kubestep; see TestMain.
func worker(as string) func() *child.Worker {
	return func() *child.Worker { return &child.Worker{Env: []string{"SWEEP_TEST=" + as}} }
}

func newSweep(store *sweep.Store, count int64) *sweep.Sweep {
	return &sweep.Sweep{
		File: file, Seeds: sweep.Seeds{From: 1, Count: count, Shards: 1}, Store: store, Workers: 2,
		Worker: worker("kubestep"),
	}
}

// TestSweepGroupsFailures finds the decision that tells seeds that fail from those that pass.
func TestSweepGroupsFailures(t *testing.T) {
	store := open(t, "")
	if err := newSweep(store, 12).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	results := store.Results()
	if results.Len() != 12 || results.Failing == 0 || results.NonePassed() {
		t.Fatalf("%d seeds, %d of them fail", results.Len(), results.Failing)
	}
	seeds := 0
	for _, group := range results.Groups() {
		seeds += len(group.Seeds)
		if group.Check != "never-one-alone" || group.Unconfirmed != nil || group.Smallest != group.Seeds[0] {
			t.Errorf("%+v", group)
		}
		if group.Decision == nil || group.Decision.Actor != "deployment-controller" ||
			!strings.HasPrefix(group.Decision.Text, "update replicasets/web-") {
			t.Errorf("seed %d: %+v", group.Smallest, group.Decision)
		}
	}
	if seeds != results.Failing {
		t.Errorf("%d seeds in groups, %d fail", seeds, results.Failing)
	}
}

// release closes a store, so that another may write to its directory.
func release(t *testing.T, store *sweep.Store) {
	t.Helper()
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestSweepResumes ends a sweep in its middle, in the middle of a line even, and continues.
func TestSweepResumes(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	s, done := newSweep(store, 6), 0
	s.Done = func(*sweep.Result) {
		if done++; done == 2 {
			cancel()
		}
	}
	if err := s.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("cancelled: %v", err)
	}
	path := filepath.Join(dir, sweep.FileName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, append(whole, `{"seed":6,"resu`...), 0o644); err != nil {
		t.Fatal(err)
	}
	release(t, store)
	store = open(t, dir)
	s, done = newSweep(store, 6), store.Results().Len()
	if left := s.Left(); done < 2 || len(left) != 6-done {
		t.Fatalf("%d are done, %v are left", done, left)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	release(t, store)
	again := open(t, dir)
	if diff := cmp.Diff(store.Results().Groups(), again.Results().Groups()); diff != "" {
		t.Error(diff)
	}
	if got := sweep.Ranges(again.Results().AllSeeds()); got != "1..6" || again.Results().Failing == 0 {
		t.Errorf("seeds %s, %d fail", got, again.Results().Failing)
	}
}

// TestMerge joins two shards to what one sweep finds.
func TestMerge(t *testing.T) {
	whole := open(t, "")
	if err := newSweep(whole, 6).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	for i, dir := range dirs {
		plan := header(t, file)
		plan.Plan.Shard, plan.Plan.Shards = int64(i), 2
		store, err := sweep.Open(dir, plan)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { store.Close() })
		s := newSweep(store, 6)
		s.Seeds = *plan.Plan
		if err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	out := t.TempDir()
	merged, err := sweep.Merge(dirs, out)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(whole.Results().Groups(), merged.Groups()); diff != "" {
		t.Error(diff)
	}
	if missing := merged.Missing(); missing != nil {
		t.Errorf("missing: %+v", missing)
	}
	if diff := cmp.Diff(merged.Groups(), open(t, out).Results().Groups()); diff != "" {
		t.Error(diff)
	}
}

// TestFirst ends at a failure.
func TestFirst(t *testing.T) {
	store := open(t, "")
	s := newSweep(store, 1000)
	s.First = true
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := store.Results(); r.Failing == 0 || r.Len() > 20 {
		t.Errorf("%d seeds ran, %d failed", r.Len(), r.Failing)
	}
}

// TestConfirm runs seeds that are known once more, and keeps that they had the same trace.
func TestConfirm(t *testing.T) {
	dir := t.TempDir()
	store := open(t, dir)
	if err := newSweep(store, 4).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	release(t, store)
	forged := store.Results().AllSeeds()[slices.IndexFunc(store.Results().AllSeeds(), func(seed int64) bool {
		return store.Results().Verdict(seed) == runner.Pass
	})]
	path := filepath.Join(dir, sweep.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	hash := regexp.MustCompile(fmt.Sprintf(`("seed":%d,"result":"pass","hash":")[0-9a-f]+`, forged))
	if err := os.WriteFile(path, hash.ReplaceAll(text, []byte("${1}00000000000beef0")), 0o644); err != nil {
		t.Fatal(err)
	}
	store = open(t, dir)
	s := newSweep(store, 6)
	s.Confirm = true
	if left := len(s.Left()); left != 6-store.Results().Confirmed {
		t.Errorf("%d seeds are left of 6, of which %d are confirmed", left, store.Results().Confirmed)
	}
	if err := s.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if r := store.Results(); r.Confirmed != 6 || !slices.Equal(r.Unrepeated(), []int64{forged}) {
		t.Errorf("%d are confirmed, %v are not repeated, want 6 and %d", r.Confirmed, r.Unrepeated(), forged)
	}
	release(t, store)
	if r := open(t, dir).Results(); r.Confirmed != 6 {
		t.Errorf("%d are known to be confirmed", r.Confirmed)
	}
}

// TestBreakdowns are simulations that do not come to their end, and processes that do not.
func TestBreakdowns(t *testing.T) {
	for env, want := range map[string]string{"panic": "controller mine panicked: boom", "silent": "ended with exit code 7"} {
		store := open(t, "")
		s := newSweep(store, 3)
		s.Worker = worker(env)
		if err := s.Run(t.Context()); err != nil {
			t.Errorf("%s: %v", env, err)
		}
		groups := store.Results().Groups()
		if len(groups) != 1 || len(groups[0].Seeds) != 3 || !strings.Contains(groups[0].Message, want) || groups[0].Unconfirmed != nil {
			t.Errorf("%s: %+v", env, groups)
		}
	}
}

// TestChanged does not mix the results of two scenarios.
func TestChanged(t *testing.T) {
	store, err := sweep.Open("", sweep.Header{Hash: "sha256:another"})
	if err != nil {
		t.Fatal(err)
	}
	var wrong *sweep.WrongError
	if err := newSweep(store, 3).Run(t.Context()); !errors.As(err, &wrong) || !strings.Contains(wrong.Message, "changed during the sweep") {
		t.Error(err)
	}
}

// TestUnconfirmed keeps a failure apart that a fresh process does not repeat.
func TestUnconfirmed(t *testing.T) {
	store := open(t, "")
	add := func(result *sweep.Result) {
		if err := store.Add(result); err != nil {
			t.Fatal(err)
		}
	}
	add(&sweep.Result{Seed: 1, Result: runner.Pass, Hash: 1, Paths: []sweep.Hash{1, 2}})
	add(&sweep.Result{Seed: 2, Result: runner.Fail, Hash: 2, Failures: []child.Failure{{Name: "x"}},
		Decisions: []compare.Decision{{Path: "1"}, {Path: "2"}}, Unconfirmed: "it passed, with another trace: c"})
	groups := store.Results().Groups()
	if len(groups) != 1 || groups[0].Decision != nil || groups[0].Unconfirmed[2] == "" {
		t.Errorf("%+v", groups)
	}
}

// TestSeeds deals seeds out to shards, each to one.
func TestSeeds(t *testing.T) {
	var all []int64
	for shard := range int64(3) {
		seeds := slices.Collect(sweep.Seeds{From: 5, Count: 10, Shard: shard, Shards: 3}.All())
		all = append(all, seeds...)
		if want := []string{"5..14 by 3", "6, 9, 12", "7, 10, 13"}[shard]; sweep.Ranges(seeds) != want {
			t.Errorf("shard %d has %s, want %s", shard, sweep.Ranges(seeds), want)
		}
	}
	if got := sweep.Ranges(all); got != "5..14" {
		t.Errorf("all shards have %s", got)
	}
	if got := sweep.Ranges([]int64{9, 1, 2, 4}); got != "1..2, 4, 9" {
		t.Error(got)
	}
}

// TestForeignResults are directories that hold something else.
func TestForeignResults(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n":            "results.jsonl:1: not the results of a sweep",
		"hello\nyou\n":    "results.jsonl:1: not the results of a sweep",
		"a line of notes": "results.jsonl:1: not the results of a sweep",
		good(t) + "{}\n":  "results.jsonl:2: not a result of a sweep",
		other(t):          "contains results of another scenario: other, not one-alone",
		anotherVersion(t): "contains results of an earlier version of the scenario one-alone",
		anotherBuild(t):   "contains results of another build: kubestep v3 () with Kubernetes v1, not kubestep v2 () with Kubernetes v1",
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, sweep.FileName), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.Open(dir, header(t, file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
		if after, _ := os.ReadFile(filepath.Join(dir, sweep.FileName)); string(after) != text {
			t.Errorf("%q is now %q", text, after)
		}
	}
}

// TestLinkedResults does not write through a link.
func TestLinkedResults(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("../elsewhere", filepath.Join(dir, sweep.FileName)); err != nil {
		t.Skip(err)
	}
	if _, err := sweep.Open(dir, header(t, file)); err == nil || !strings.Contains(err.Error(), "is a link to ../elsewhere") {
		t.Error(err)
	}
}

// good is the first line of a file of results.
func good(t *testing.T) string {
	dir := t.TempDir()
	open(t, dir)
	data, err := os.ReadFile(filepath.Join(dir, sweep.FileName))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func other(t *testing.T) string { return strings.Replace(good(t), "one-alone", "other", 1) }

func anotherBuild(t *testing.T) string { return strings.Replace(good(t), `"v2"`, `"v3"`, 1) }

func anotherVersion(t *testing.T) string {
	return strings.Replace(good(t), `"scenarioHash":"`, `"scenarioHash":"x`, 1)
}

// BenchmarkSweep runs the rollout of ten replicas with one worker: runs/s is the rate of one core.
func BenchmarkSweep(b *testing.B) {
	const rollout = "surge-3-unavailable-2"
	scenario, err := library.Load(rollout)
	if err != nil {
		b.Fatal(err)
	}
	store, err := sweep.Open("", sweep.Header{Hash: child.HashOf(scenario)})
	if err != nil {
		b.Fatal(err)
	}
	s := newSweep(store, 1)
	s.File, s.Workers = rollout, 1
	for b.Loop() {
		if err := s.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
		s.Seeds.Count += 50
	}
	b.ReportMetric(float64(store.Results().Len())/b.Elapsed().Seconds(), "runs/s")
}
