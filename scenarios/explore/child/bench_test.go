package child_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// benchmarkSweep makes the runs of a sweep over a rollout of ten replicas, as one worker does.
func benchmarkSweep(b *testing.B, compare bool, spaces ...string) {
	b.ReportAllocs()
	scenario, err := library.Load("rolling-update")
	if err != nil {
		b.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		b.Fatal(err)
	}
	maker := child.Maker{Scenario: scenario, Plan: plan, Run: (*runner.Plan).Run}
	seed := int64(0)
	for b.Loop() {
		seed++
		if _, err := maker.Report(child.Job{Seed: seed, Spaces: spaces, Compare: compare, EndEarly: true}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "seeds/s")
}

func BenchmarkSweep(b *testing.B)         { benchmarkSweep(b, false) }
func BenchmarkSweepFaults(b *testing.B)   { benchmarkSweep(b, false, "flaky-api", "crash-anywhere") }
func BenchmarkSweepCompared(b *testing.B) { benchmarkSweep(b, true, "flaky-api", "crash-anywhere") }
