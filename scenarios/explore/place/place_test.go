package place_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/simtest/golden"
	"github.com/kubestep/kubestep/sim/trace"
)

const two = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: two}
spec:
  title: Two Pods
  horizon: 1m
  kubernetes: {controllers: [replicaset-controller]}
  cluster: {nodes: [{count: 1}]}
  steps:
  - create: |
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: web}
      spec:
        replicas: 2
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: c, image: "web:v1"}]}
`

// TestTheTableOfKinds keeps the table in the documentation as the kinds are.
func TestTheTableOfKinds(t *testing.T) {
	var rows []string
	for _, k := range place.Kinds() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", k.Name, k.Applies(), k.Sentence))
	}
	golden.Table(t, "../../../docs/explanation/exploration.md", "| kind | applies to | what goes wrong |", rows)
}

func plan(t *testing.T) (*format.Scenario, *runner.Plan) {
	t.Helper()
	scenario, err := format.Parse("two.yaml", []byte(two), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	return scenario, plan
}

func look(t *testing.T, scenario *format.Scenario, plan *runner.Plan) []place.Place {
	t.Helper()
	look := place.NewLook(scenario)
	if _, err := plan.Run(runner.RunOptions{Sinks: []trace.Sink{look.Note}, Answered: look.Answered}); err != nil {
		t.Fatal(err)
	}
	return look.Places()
}

// TestPlaces lists the places of a small scenario.
func TestPlaces(t *testing.T) {
	var out strings.Builder
	scenario, plan := plan(t)
	for i, p := range look(t, scenario, plan) {
		fmt.Fprintf(&out, "%d %s\n", i+1, strings.Join(p.Lines(), "\n    "))
	}
	golden.Compare(t, "testdata/two.txt", out.String())
}

// TestEachFaultApplies holds that the fault of each place applies at the time of the place, to its object, and once: an outage and a
// silent watch may apply more often, and a restart 5s after an event comes later.
func TestEachFaultApplies(t *testing.T) {
	scenario, plan := plan(t)
	for i, p := range look(t, scenario, plan) {
		var faults []*trace.Record
		note := func(record *trace.Record, _ []byte) {
			if record.Fault != nil && record.Fault.Rule == p.Kind && record.Fault.Verb != "" {
				faults = append(faults, record)
			}
		}
		run := space.Drawn{Rules: p.Rules}.Plan(plan)
		if _, err := run.Run(runner.RunOptions{Sinks: []trace.Sink{note}}); err != nil {
			t.Fatal(err)
		}
		rule, at := p.Rules[0], p.At
		atOnce := rule.Watch != nil && rule.Crash && rule.Nth == 0
		if atOnce {
			at = rule.At.Duration
		}
		switch {
		case len(faults) == 0 || len(faults) > rule.Times && rule.Times > 0:
			t.Errorf("place %d, %s: the fault applies %d times", i+1, p.What, len(faults))
		case faults[0].At != at || rule.Delay != nil && rule.Watch != nil && faults[0].Fault.Object != p.Object:
			t.Errorf("place %d, %s: the fault applies at %s to %v", i+1, p.What, faults[0].At, faults[0].Fault.Object)
		}
	}
}

const minutely = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: minutely}
spec:
  title: A Job each minute
  horizon: 2m30s
  kubernetes: {controllers: [cronjob-controller, job-controller]}
  cluster: {nodes: [{count: 1}]}
  steps:
  - create: |
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: backup}
      spec:
        schedule: "* * * * *"
        jobTemplate:
          spec:
            template:
              spec: {restartPolicy: Never, containers: [{name: c, image: "web:v1"}]}
`

// TestTimers lists the timers of a CronJob and its Jobs. With the fault of one, the sync that sets it ends 5s later, and so does the wait
// for its key begin.
func TestTimers(t *testing.T) {
	scenario, err := format.Parse("minutely.yaml", []byte(minutely), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	plan, err := runner.Prepare(scenario)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, p := range look(t, scenario, plan) {
		if p.Kind != "late-timer" {
			continue
		}
		fmt.Fprintln(&out, strings.Join(p.Lines(), "\n    "))
		var fault *trace.Record
		var held bool
		run := space.Drawn{Rules: p.Rules}.Plan(plan)
		if _, err := run.Run(runner.RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
			switch {
			case record.Fault != nil && record.Fault.Verb == trace.VerbTimer:
				fault = record
			case fault != nil && record.Sync != nil && record.Sync.Start == fault.Cause:
				held = record.At >= p.At+5*time.Second
			}
		}}}); err != nil {
			t.Fatal(err)
		}
		if fault == nil || fault.At != p.At || fault.Actor != p.Actor || fault.Fault.Name != p.Object.Name || !held {
			t.Errorf("%s: the fault applies as %+v, held %t", p.What, fault, held)
		}
	}
	golden.Compare(t, "testdata/timers.txt", out.String())
}

// TestLeases: a write of a deposed leader is in transit for longer than its lease, which kube-scheduler has from its own configuration.
func TestLeases(t *testing.T) {
	for config, want := range map[string]time.Duration{
		"": 25 * time.Second,
		", schedulerConfig: {leaderElection: {leaseDuration: 30s}}":          40 * time.Second,
		", leaderElection: {leaseDuration: 40s}":                             25 * time.Second,
		", schedulerConfig: {leaderElection: {retryPeriod: 1s}}":             25 * time.Second,
		", schedulerConfig: {leaderElection: {leaseDuration: not-a-length}}": 25 * time.Second,
	} {
		text := strings.Replace(two, "kubernetes: {", "kubernetes: {scheduler: kube-scheduler, schedulerReplicas: 2"+config+", ", 1)
		scenario, err := format.Parse("two.yaml", []byte(text), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		look := place.NewLook(scenario)
		look.Note(&trace.Record{
			Kind: trace.KindRequest, Actor: "kube-scheduler@1",
			Request: &trace.Request{Verb: "create", Object: trace.Object{Resource: "pods", Name: "web"}, Subresource: "binding", Code: 201},
		}, nil)
		var found bool
		for _, p := range look.Places() {
			if p.Kind == "deposed-leader" {
				found = true
				if got := p.Rules[0].Delay.Min; got != want {
					t.Errorf("%q: the write is in transit for %s, want %s", config, got, want)
				}
			}
		}
		if !found {
			t.Errorf("%q: no write of a leader", config)
		}
	}
}

// TestACrashBeforeAWrite holds that the write of a process that crashes before it is not executed.
func TestACrashBeforeAWrite(t *testing.T) {
	scenario, plan := plan(t)
	for _, p := range look(t, scenario, plan) {
		if p.Kind != "crash-before-write" {
			continue
		}
		var wrote bool
		note := func(record *trace.Record, _ []byte) {
			wrote = wrote || record.Request != nil && record.At == p.At && record.Actor == p.Actor && len(record.Request.Writes) > 0
		}
		run := space.Drawn{Rules: p.Rules}.Plan(plan)
		outcome, err := run.Run(runner.RunOptions{Sinks: []trace.Sink{note}})
		if err != nil || wrote || outcome.Result != runner.Pass {
			t.Errorf("%s: wrote %t, %v, %v", p.What, wrote, outcome, err)
		}
	}
}

// TestIdentities holds that no two places of a run are the same, and that what the seed draws has no part in it: with another seed, the
// same places come, though at other times and with Pods of other names.
func TestIdentities(t *testing.T) {
	scenario, plan := plan(t)
	of := func(seed int64) map[place.Identity]bool {
		look := place.NewLook(scenario)
		if _, err := plan.Run(runner.RunOptions{Seed: &seed, Sinks: []trace.Sink{look.Note}, Answered: look.Answered}); err != nil {
			t.Fatal(err)
		}
		all := map[place.Identity]bool{}
		for _, p := range look.Places() {
			if all[p.In] {
				t.Errorf("seed %d: %s twice", seed, p.In)
			}
			all[p.In] = true
		}
		return all
	}
	one, other := of(1), of(2)
	const creation = "refused-write at create 2 of pods/web-* by replicaset-controller"
	found := false
	for identity := range one {
		found = found || identity.String() == creation
		if identity.Verb == "create" && !other[identity] {
			t.Errorf("only with seed 1: %s", identity)
		}
	}
	if !found {
		t.Errorf("no place is %s", creation)
	}
}
