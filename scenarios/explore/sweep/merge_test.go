package sweep_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// TestMissing merges parts of a sweep, and tells what they lack.
//
//	merge seeds=24 [from=1]
//	SHARD/SHARDS: SEED, FIRST..LAST BY STEP   the seeds that a part has
//	----
//	the summary, or the error
func TestMissing(t *testing.T) {
	datadriven.RunTest(t, "testdata/missing.txt", func(t *testing.T, d *datadriven.TestData) string {
		from, count := int64(1), int64(0)
		d.ScanArgs(t, "seeds", &count)
		d.MaybeScanArgs(t, "from", &from)
		var dirs []string
		root := t.TempDir()
		for text := range strings.Lines(d.Input) {
			plan := sweep.Seeds{From: from, Count: count}
			shard, seeds, _ := strings.Cut(strings.TrimSpace(text), ":")
			shard, other, found := strings.Cut(shard, " seeds=")
			if found {
				plan.Count, _ = strconv.ParseInt(other, 10, 64)
			}
			if _, err := fmt.Sscanf(shard, "%d/%d", &plan.Shard, &plan.Shards); err != nil {
				t.Fatal(err)
			}
			dirs = append(dirs, filepath.Join(root, strings.ReplaceAll(shard, "/", "-of-")))
			part(t, dirs[len(dirs)-1], plan, seeds)
		}
		out := filepath.Join(root, "all")
		results, err := sweep.Merge(dirs, out)
		if err != nil {
			return strings.ReplaceAll(err.Error(), root+string(filepath.Separator), "") + "\n"
		}
		var text strings.Builder
		(&sweep.Summary{Results: results, Missing: results.Missing()}).Text(&text)
		again, err := sweep.Merge([]string{out}, "")
		if err != nil || again.Len() != results.Len() {
			t.Errorf("what was merged: %v", err)
		}
		return text.String()
	})
}

// part writes the results of a shard.
func part(t *testing.T, dir string, plan sweep.Seeds, seeds string) {
	t.Helper()
	store, err := sweep.Open(dir, sweep.Header{Name: "web", File: "web.yaml", Hash: "sha256:1", Plan: &plan})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for text := range strings.SplitSeq(seeds, ",") {
		var first, last, step int64 = 0, 0, plan.Shards
		if n, _ := fmt.Sscanf(strings.TrimSpace(text), "%d..%d", &first, &last); n < 2 {
			last = first
		}
		for seed := first; seed <= last && seed > 0; seed += step {
			if err := store.Add(&sweep.Result{Seed: seed, Result: runner.Pass, Hash: sweep.Hash(seed)}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestNoPlan does not take results for a whole sweep that do not say which seeds it has.
func TestNoPlan(t *testing.T) {
	dir := t.TempDir()
	text := `{"scenario":"web","file":"web.yaml","scenarioHash":"sha256:1","kubestepVersion":"v0.1.0"}` + "\n" +
		`{"seed":1,"result":"pass","hash":"sha256:e75f22156a5bd836601e809922b53323276acb160ae183c0c6eca49dabd84700"}` + "\n"
	path := filepath.Join(dir, sweep.FileName)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var planless *sweep.NoPlanError
	if _, err := sweep.Merge([]string{dir}, ""); !errors.As(err, &planless) {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != text {
		t.Errorf("the file is now %q, %v", after, err)
	}
}

// TestAnotherPlan resumes a sweep with more seeds: the plan is then the new one.
func TestAnotherPlan(t *testing.T) {
	dir := t.TempDir()
	part(t, dir, sweep.Seeds{From: 1, Count: 4, Shards: 1}, "1..4")
	part(t, dir, sweep.Seeds{From: 1, Count: 8, Shards: 1}, "6")
	results, err := sweep.Merge([]string{dir}, "")
	if err != nil {
		t.Fatal(err)
	}
	if missing := results.Missing(); len(missing) != 1 || fmt.Sprint(missing[0].Ranges) != "[5 7..8]" {
		t.Errorf("%+v", missing)
	}
}

// TestKilledAtOnce merges a part whose process was killed before it had written a line: its seeds are missing.
func TestKilledAtOnce(t *testing.T) {
	dirs := []string{t.TempDir(), t.TempDir()}
	part(t, dirs[1], sweep.Seeds{From: 1, Count: 4, Shard: 1, Shards: 2}, "2..4")
	if err := os.WriteFile(filepath.Join(dirs[0], sweep.FileName), []byte(`{"scenario":"we`), 0o644); err != nil {
		t.Fatal(err)
	}
	results, err := sweep.Merge(dirs, "")
	if err != nil {
		t.Fatal(err)
	}
	if missing := results.Missing(); len(missing) != 1 || missing[0].Shard != 0 || missing[0].Seeds != 2 {
		t.Errorf("%+v", missing)
	}
	if _, err := sweep.Merge(dirs[:1], ""); err == nil {
		t.Error("no part has a line, and there is no error")
	}
}

// TestAFalseReference refers to a seed that has no details.
func TestAFalseReference(t *testing.T) {
	dir := t.TempDir()
	part(t, dir, sweep.Seeds{From: 1, Count: 4, Shards: 1}, "1")
	path := filepath.Join(dir, sweep.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`{"seed":2,"result":"fail","like":1}`, `{"seed":2,"result":"pass","like":7}`, `{"seed":2,"result":"fail","hash":"no"}`} {
		if err := os.WriteFile(path, []byte(string(text)+line+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		var wrong *sweep.FormatError
		if _, err := sweep.Merge([]string{dir}, ""); !errors.As(err, &wrong) || wrong.Line != 3 {
			t.Errorf("%s: %v", line, err)
		}
	}
}
