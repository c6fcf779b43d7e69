package sweep_test

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// A million results: go test ./scenarios/explore/sweep -run TestManyResults -results 1000000 -results-out DIR; then
// kubestep explore merge DIR/*.
var (
	manyResults = flag.Int64("results", 20_000, "how many results TestManyResults writes")
	resultsOut  = flag.String("results-out", "", "the directory that gets them")
)

// What a result may take, on disk and in memory.
const (
	diskMax   = 100
	memoryMax = 150
)

// TestManyResults writes and merges the results of a large sweep with faults and comparisons, of which every fiftieth run failed
// and every twentieth is an outlier. Most results take little, however much their runs have to tell.
func TestManyResults(t *testing.T) {
	root := *resultsOut
	if root == "" {
		root = t.TempDir()
	}
	const shards = 4
	var dirs []string
	var disk int64
	for shard := range int64(shards) {
		dir := filepath.Join(root, fmt.Sprint(shard))
		dirs = append(dirs, dir)
		writeMany(t, dir, sweep.Seeds{From: 1, Count: *manyResults, Shard: shard, Shards: shards})
		info, err := os.Stat(filepath.Join(dir, sweep.FileName))
		if err != nil {
			t.Fatal(err)
		}
		disk += info.Size()
	}
	before := live()
	results, err := sweep.Merge(dirs, "")
	if err != nil {
		t.Fatal(err)
	}
	memory := int64(live()-before) / *manyResults
	if disk /= *manyResults; disk > diskMax || memory > memoryMax {
		t.Errorf("a result takes %d bytes on disk and %d in memory, at most %d and %d are wanted", disk, memory, diskMax, memoryMax)
	}
	t.Logf("a result takes %d bytes on disk and %d in memory", disk, memory)
	summary := sweep.Summary{Results: results, Missing: results.Missing()}
	summary.Text(io.Discard)
	failing := 0
	for _, group := range results.Groups() {
		failing += len(group.Seeds)
		if group.Smallest != slices.Min(group.Seeds) || group.Message != message(group.Smallest) || len(group.Faults) != 2 || group.Decision == nil {
			t.Errorf("%+v", group)
		}
	}
	if int64(failing) != *manyResults/50 || failing != results.Failing || len(summary.Missing) > 0 {
		t.Errorf("%d failed, and %d are in groups; missing: %v", results.Failing, failing, summary.Missing)
	}
	if outliers := results.Outliers(); len(outliers) != 3 || len(outliers[0].Faults) != 2 || len(outliers[0].Ends) != 1 {
		t.Errorf("%d outliers", len(outliers))
	}
}

// live is what the heap has in use.
func live() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

func message(seed int64) string { return fmt.Sprintf("false at %d.5s: readyReplicas = 4", seed%90) }

// writeMany writes a shard as a sweep does.
func writeMany(t *testing.T, dir string, plan sweep.Seeds) {
	store, err := sweep.Open(dir, sweep.Header{
		Name: "web", File: "web.yaml", Hash: "sha256:1", Spaces: "flaky-api,crash-anywhere", Compared: true, Plan: &plan,
	})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for seed := range plan.All() {
		if err := store.Add(oneOfMany(seed)); err != nil {
			t.Fatal(err)
		}
	}
}

// oneOfMany is a run that has as much to tell as one of the lesson rolling-update with two fault spaces.
func oneOfMany(seed int64) *sweep.Result {
	result := &sweep.Result{
		Seed: seed, Result: runner.Pass, Hash: sweep.Hash(uint64(seed) * 0x9e3779b97f4a7c15),
		Faults: []string{
			fmt.Sprintf("flaky-api: at %d.676s: delete pods of replicaset-controller: 500 InternalError, until 73.676s", seed%60),
			fmt.Sprintf("crash-anywhere: create pods of replicaset-controller: crash after the commit, from match %d, until 4m15s, x2", seed%40),
		},
		Comparison: &child.Comparison{Settled: time.Duration(seed%9) * time.Second},
	}
	switch {
	case seed%50 == 0:
		result.Result, result.End = runner.Fail, fmt.Sprintf("fail pods of kind %d", seed%7)
		result.Failures = []child.Failure{{Name: "enough-available", At: 15587418168, Message: message(seed)}}
		for i := range int64(60) {
			result.Decisions = append(result.Decisions, compare.Decision{
				At: time.Duration(i) * time.Second, Seq: i, Actor: "replicaset-controller", Key: "default/web-758dff96",
				Text: "create pods/web-758dff96-*  image example.com/web:v1", Path: fmt.Sprintf("%016x", seed<<20+i),
			})
		}
	case seed%20 == 1:
		name := fmt.Sprintf("pods/kind-%d-*", seed%3)
		result.Comparison.EndNames = []string{name}
		result.Comparison.Ends = []string{fmt.Sprintf("%s: 8 objects, without the faults %d", name, seed%11)}
		result.Comparison.Excess = int(seed % 100)
	case seed%4 == 2:
		result.Paths = []sweep.Hash{sweep.Hash(seed)}
	}
	return result
}
