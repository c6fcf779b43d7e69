package child_test

import (
	"cmp"
	"flag"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

var everyPlace = flag.Bool("every-place", false, "TestReturning makes the runs of all places of a scenario, for some minutes")

// rollout is a rollout of three Pods.
const rollout = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: rollout}
spec:
  title: A rollout of three Pods
  horizon: 5m
  cluster: {nodes: [{count: 2}], pods: [{ready: 1s..3s, terminate: 1s}]}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
  - wait: {for: rollout deployment/web, timeout: 60s}
  - after: 1s
    set-image: {target: deployment/web, container: c, image: "web:v2"}
  - wait: {for: rollout deployment/web, timeout: 60s}
  checks:
  - {name: three, at-end: "deployment('web').status.availableReplicas == 3"}
`

// late makes runs of the scenario, with the faults at its places.
type late struct {
	t      *testing.T
	family *child.Worker
	other  *child.Worker
	places []place.Place
}

func newLate(t *testing.T) *late {
	t.Helper()
	if !exact.CanFork() {
		t.Skip("a process cannot be copied")
	}
	l := &late{t: t, family: &child.Worker{Env: []string{"CHILD_TEST=kubestep"}}, other: &child.Worker{Env: []string{"CHILD_TEST=kubestep"}}}
	t.Cleanup(l.family.Close)
	t.Cleanup(l.other.Close)
	report := l.do(l.other, child.Job{Places: true})
	if len(report.Places) == 0 {
		t.Fatalf("%+v", report)
	}
	l.places = report.Places
	// As a sweep does.
	slices.SortStableFunc(l.places, func(a, b place.Place) int { return cmp.Compare(place.Begin(a.Late), place.Begin(b.Late)) })
	return l
}

func (l *late) do(worker *child.Worker, job child.Job) *child.Report {
	l.t.Helper()
	job.File, job.Text, job.Seed, job.EndEarly = "rollout.yaml", rollout, 1, true
	report, err := worker.Do(l.t.Context(), job)
	if err != nil || report.Halt != nil {
		l.t.Fatal(report, err)
	}
	return report
}

// at is the job of a place.
func (l *late) at(p *place.Place) child.Job {
	return child.Job{Faults: p.Rules, Late: p.Late, Compare: true, SameEnd: true}
}

// TestLateFaults makes runs with the faults at places in copies of the run without faults, and from their starts.
func TestLateFaults(t *testing.T) {
	l := newLate(t)
	tried := map[string]bool{}
	for i := range l.places {
		p := &l.places[i]
		if tried[p.Kind] && i%23 > 0 {
			continue
		}
		tried[p.Kind] = true
		job := l.at(p)
		got := l.do(l.family, job)
		job.Alone = true
		want := l.do(l.other, job)
		if diff := gocmp.Diff(want, got, cmpopts.IgnoreFields(child.Report{}, "Spent")); diff != "" {
			t.Errorf("%s %s: the run from its start and that of a copy (-start, +copy):\n%s", p.Kind, p.What, diff)
		}
	}
	if len(tried) < 10 {
		t.Errorf("%d kinds of faults were tried", len(tried))
	}
}

// TestReturning makes the runs that end when they are as the run without faults again to their ends, too: they have the same verdict, the
// same failures and the same group. From its start, a run returns with the same trace as in a copy.
func TestReturning(t *testing.T) {
	l := newLate(t)
	returned, failed, runs := 0, 0, 0
	for i := range l.places {
		p := &l.places[i]
		if !*everyPlace && i%7 > 0 {
			continue
		}
		job := l.at(p)
		job.Return = true
		got := l.do(l.family, job)
		job.Alone, job.Return = true, false
		want := l.do(l.other, job)
		runs++
		switch {
		case got.Returned == 0:
			if diff := gocmp.Diff(want, got, cmpopts.IgnoreFields(child.Report{}, "Spent")); diff != "" {
				t.Errorf("%s %s does not return (-start, +copy):\n%s", p.Kind, p.What, diff)
			}
		case want.Result != got.Result || want.End != got.End || !gocmp.Equal(want.Failures, got.Failures):
			t.Errorf("%s %s returns at %s with %s %+v, and its run ends as %s: %+v",
				p.Kind, p.What, got.Returned, got.Result, got.Failures, want.Result, want.Failures)
		default:
			returned++
			if got.Result == "fail" {
				failed++
				l.again(p, got)
			}
		}
	}
	t.Logf("%d of %d runs return, %d of them after a failure", returned, runs, failed)
	if returned < runs/2 || failed == 0 {
		t.Error("these are few")
	}
}

// again makes a run that returned after a failure from its start, as a sweep does to confirm it.
func (l *late) again(p *place.Place, want *child.Report) {
	l.t.Helper()
	job := l.at(p)
	job.Return, job.Alone = true, true
	if got := l.do(l.other, job); got.Returned != want.Returned || got.Hash != want.Hash || want.Hash == "" {
		l.t.Errorf("%s %s returns at %s with %s, and from its start at %s with %s",
			p.Kind, p.What, want.Returned, want.Hash, got.Returned, got.Hash)
	}
}
