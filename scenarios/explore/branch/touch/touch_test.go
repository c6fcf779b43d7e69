package touch_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
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

// record runs a plan.
func record(t *testing.T, plan *runner.Plan, answered func(int64, time.Duration), sinks ...trace.Sink) *recording.Recording {
	t.Helper()
	builder := recording.NewBuilder()
	outcome, err := plan.Run(runner.RunOptions{Sinks: append(sinks, builder.Sink), Answered: answered})
	if err = errors.Join(err, builder.Err()); outcome == nil && err != nil {
		t.Fatal(err)
	}
	return builder.Done(recording.Origin{}, "")
}

// plan prepares a scenario.
func plan(t *testing.T, s *format.Scenario) *runner.Plan {
	t.Helper()
	plan, err := runner.Prepare(s)
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestATouchOfAMessageIsAPlace makes both for messages of a run: the run with the fault at the place that explore --every knows, and the
// branch from the record of the message. They differ in nothing but the steps that say so.
func TestATouchOfAMessageIsAPlace(t *testing.T) {
	scenario, err := format.Parse("two.yaml", []byte(two), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	quiet, look := plan(t, scenario), place.NewLook(scenario)
	rec := record(t, quiet, look.Answered, look.Note)
	places := map[place.Identity]place.Place{}
	for _, p := range look.Places() {
		places[p.In] = p
	}
	at := touch.Run{Scenario: scenario, Beat: scene.New(rec).At(rec.Len(), 0)}
	// One of each kind, and some more: each takes two runs.
	const every = 9
	tried, kinds := 0, map[string]bool{}
	for seq := int64(1); seq <= rec.Len(); seq++ {
		for n, p := range place.At(scenario, rec.All(), seq) {
			known, ok := places[p.In]
			if !ok {
				t.Errorf("record %d: explore --every does not know %s %s", seq, p.Kind, p.What)
			}
			if kinds[p.Kind] && (int(seq)+n)%every > 0 {
				continue
			}
			tried, kinds[p.Kind] = tried+1, true
			added, err := at.Parse(fmt.Sprintf("fault %s %d", p.Kind, seq))
			if err != nil {
				t.Fatal(err)
			}
			branched, err := branch.Add(scenario, rec, added.At, added.Steps...)
			if err != nil {
				t.Fatal(err)
			}
			want := record(t, space.Drawn{Rules: known.Rules}.Plan(quiet), nil)
			got := record(t, plan(t, branched), nil)
			// explore --every gives a run more time, in which it can recover.
			a, b := branch.Effect(want, got)
			if late := b == 0 && a != 0 && want.At(a) > scenario.Spec.Horizon.Duration; (a != 0 || b != 0) && !late {
				t.Errorf("%s %s: the run with its rules differs from the branch at records %d and %d", p.Kind, p.What, a, b)
			}
			if a, b := branch.Effect(rec, got); a == 0 && b == 0 && p.Kind == "refused-write" {
				t.Errorf("%s %s: the branch is the run without the fault", p.Kind, p.What)
			}
		}
	}
	if tried < 20 || len(kinds) < 10 {
		t.Errorf("%d places of %d kinds tried", tried, len(kinds))
	}
}

// TestOffers lists what may be done to the things of two lessons.
func TestOffers(t *testing.T) {
	var out strings.Builder
	for _, name := range []string{"create", "leader-election"} {
		scenario, err := library.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		rec := record(t, plan(t, scenario), nil)
		scenes := scene.New(rec)
		var write, event int64
		for r := range rec.All() {
			if r.At < time.Second && r.Request != nil && r.Actor == "replicaset-controller" && r.Request.Verb == "create" && write == 0 {
				write = r.Seq
			}
			if write != 0 && event == 0 && r.Watch != nil && r.Watch.Resource == "pods" {
				event = r.Seq
			}
		}
		list := func(what string, seq int64, thing touch.Thing) {
			fmt.Fprintf(&out, "%s, %s:\n", name, what)
			for _, o := range (touch.Run{Scenario: scenario, Beat: scenes.At(seq, rec.At(seq))}).Offers(thing) {
				fmt.Fprintf(&out, "  %-60s %s\n", o.Command, o.About)
			}
		}
		end := rec.Len()
		list("kubectl", end, touch.Thing{Program: "kubectl"})
		list("kube-scheduler", end, touch.Thing{Program: "kube-scheduler"})
		list("replicaset-controller", end/2, touch.Thing{Program: "replicaset-controller"})
		list("deployment-controller at the beginning", 1, touch.Thing{Program: "deployment-controller"})
		list("a node", end, touch.Thing{Object: trace.Object{Resource: "nodes", Name: "node-1"}})
		if write != 0 {
			list("the creation of a Pod", write, touch.Thing{Message: write})
			list("the event of that", event, touch.Thing{Message: event})
			list("the first message of kubectl", 1, touch.Thing{Message: 1})
		}
	}
	golden.Compare(t, "testdata/offers.txt", out.String())
}

// TestParse says what is wrong with a command.
func TestParse(t *testing.T) {
	scenario, err := library.Load("create")
	if err != nil {
		t.Fatal(err)
	}
	rec := record(t, plan(t, scenario), nil)
	run := touch.Run{Scenario: scenario, Beat: scene.New(rec).At(1, 0)}
	for line, want := range map[string]string{
		"fault":                  "fault needs KIND RECORD",
		"fault conflict":         "fault needs KIND RECORD",
		"fault conflict 99999":   `"99999" is not the number of a record`,
		"fault conflict x":       `"x" is not the number of a record`,
		"fault conflict 1":       "no fault applies to record 1",
		"branch":                 "branch needs N",
		"branch 9":               `the scenario prepares 3 branches: "9" is none of them`,
		"scale":                  "scale needs KIND/NAME N",
		"hold-watch a pods long": `"long" is not a duration`,
	} {
		if _, err := run.Parse(line); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %s", line, err, want)
		}
	}
	added, err := run.Parse("branch 1")
	if err != nil || added.At != 20*time.Millisecond || len(added.Steps) != 1 || added.Text != "The scheduler does not run" {
		t.Errorf("branch 1 is %+v, %v", added, err)
	}
}
