package child_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
)

// TestFutures makes futures of one past in one worker, and each of them from its start in another one. Where a process can be copied, the
// first worker copies itself for all jobs of one past that follow each other.
func TestFutures(t *testing.T) {
	family, other := &child.Worker{Env: []string{"CHILD_TEST=kubestep"}}, &child.Worker{Env: []string{"CHILD_TEST=kubestep"}}
	defer family.Close()
	defer other.Close()
	do := func(worker *child.Worker, job child.Job) *child.Report {
		t.Helper()
		report, err := worker.Do(t.Context(), job)
		if err != nil {
			t.Fatal(err)
		}
		if report.Result != "pass" {
			t.Errorf("%+v: %+v", job, report)
		}
		return report
	}
	hashes := map[string]child.Job{}
	early, late := child.Past{Seed: 1, Until: "6s"}, child.Past{Seed: 1, Until: "15s"}
	never := child.Past{Seed: 2, Until: "25m"}
	half := child.Past{Seed: 1, Until: "deployment('web').status.updatedReplicas == 5"}
	for _, job := range []child.Job{
		{Seed: 10, Past: early}, {Seed: 11, Past: early}, {Seed: 12, Past: early},
		{Seed: 10, Past: late}, {Seed: 11, Past: late},
		{Seed: 10, Past: half}, {Seed: 11, Past: half},
		{Seed: 3},
		{Seed: 2, Past: never, EndEarly: true},
		{Seed: 11, Past: late, EndEarly: true}, {Seed: 12, Past: late, EndEarly: true},
	} {
		job.File = "rolling-update"
		got := do(family, job)
		job.Alone = true
		if want := do(other, job); got.Hash != want.Hash || got.Seed != job.Seed || want.Seed != job.Seed {
			t.Errorf("%+v: seed %d and hash %s, from the start seed %d and hash %s", job, got.Seed, got.Hash, want.Seed, want.Hash)
		}
		if same, seen := hashes[got.Hash]; seen {
			t.Errorf("%+v has the hash of %+v", job, same)
		}
		hashes[got.Hash] = job
	}
}
