package runner

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
)

// longScenario is an hourly CronJob whose Jobs have dependents for the garbage collector.
const longScenario = `apiVersion: kubestep.dev/v1alpha1
kind: Scenario
metadata: {name: long}
spec:
  title: An hourly CronJob
  horizon: %s
  kubernetes: {controllers: [cronjob-controller, job-controller, garbage-collector-controller]}
  cluster: {pods: [{ready: 1s, complete: 10s}]}
  steps:
  - create: |
      apiVersion: batch/v1
      kind: CronJob
      metadata: {name: hourly}
      spec:
        schedule: "0 * * * *"
        successfulJobsHistoryLimit: 1
        jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "job:v1"}]}}}}
  - {at: 5h30m, expect: {that: "now > duration('5h')"}}
`

// TestALongRunLeavesOutWhatNobodyObserves compares the first hours of a run of a week with a run of these hours only, which
// leaves nothing out: apart from heartbeats and what is in the background, the same happens at the same times.
func TestALongRunLeavesOutWhatNobodyObserves(t *testing.T) {
	var runs [2][]string
	var said []string
	for i, horizon := range []string{"6h", "168h"} {
		note := func(record *trace.Record, _ []byte) {
			if i == 1 && record.Log != nil && strings.Contains(record.Log.Message, "left out") {
				said = append(said, record.Log.Message)
			}
			heartbeat := record.Watch != nil && record.Watch.Resource == "nodes"
			if heartbeat || record.Background || record.At > 5*time.Hour+30*time.Minute {
				return
			}
			runs[i] = append(runs[i], happened(record))
		}
		scenario, err := format.Parse("long.yaml", fmt.Appendf(nil, longScenario, horizon), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		outcome, err := Run(scenario, RunOptions{Sinks: []trace.Sink{note}})
		if err != nil || outcome.Result != Pass {
			t.Fatalf("%v, %v", outcome, err)
		}
	}
	if len(runs[0]) < 100 || len(said) != 2 {
		t.Errorf("%d records; said %q", len(runs[0]), said)
	}
	if difference := cmp.Diff(runs[0], runs[1]); difference != "" {
		t.Errorf("what happens in 5 hours (-of a run of 6h, +of a run of a week):\n%s", difference)
	}
}

// TestALargeClusterLeavesOutHeartbeats looks for renewals of leases in twelve seconds, in which each node renews its lease once or twice:
// with 500 nodes, there are none, unless somebody watches them or a check reads them.
func TestALargeClusterLeavesOutHeartbeats(t *testing.T) {
	for _, test := range []struct {
		nodes int
		beats bool
		more  string
	}{
		{499, true, ""}, {500, false, ""}, {500, true, "  kubernetes: {controllers: [node-lifecycle-controller]}\n"},
		{500, true, "  checks: [{name: renewed, at-end: \"exists('lease/node-1') || true\"}]\n"},
	} {
		const text = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: large}\nspec:\n  title: Large\n" +
			"  horizon: 12s\n  cluster: {nodes: [{count: %d}]}\n%s"
		scenario, err := format.Parse("large.yaml", fmt.Appendf(nil, text, test.nodes, test.more), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		renewals := 0
		_, err = Run(scenario, RunOptions{Sinks: []trace.Sink{func(record *trace.Record, _ []byte) {
			if q := record.Request; q != nil && record.At > 0 && q.Verb == "update" && strings.HasPrefix(q.Resource, "leases.") {
				renewals++
			}
		}}})
		if err != nil {
			t.Fatal(err)
		}
		if test.beats != (renewals >= test.nodes) || !test.beats && renewals > 0 {
			t.Errorf("%d nodes%s: %d renewals, want some: %v", test.nodes, test.more, renewals, test.beats)
		}
	}
}

// happened is a record without its number, its cause and resourceVersions, which count what is left out.
func happened(record *trace.Record) string {
	text := fmt.Sprint(record.At, " ", record.Actor, " ", record.Kind)
	switch {
	case record.Request != nil:
		text += fmt.Sprint(" ", record.Request.Verb, " ", record.Request.Object, " ", record.Request.Code)
		for _, write := range record.Request.Writes {
			text += fmt.Sprint(" ", write.Op, " ", write.Object, " ", paths(write.Changes))
		}
	case record.Watch != nil:
		text += fmt.Sprint(" ", record.Watch.Type, " ", record.Watch.Object)
	case record.Sync != nil:
		text += fmt.Sprint(" ", record.Sync.Phase, " ", record.Sync.Key, " ", record.Sync.Writes, " ", record.Sync.Requeued)
	}
	return text
}

func paths(changes []diff.Change) []string {
	var all []string
	for _, change := range changes {
		if change.Path != "metadata.resourceVersion" {
			all = append(all, change.Path)
		}
	}
	slices.Sort(all)
	return all
}

// TestForgetsRecords holds who makes a run keep its records: conditions that ask what happened, and those who can bring such conditions.
func TestForgetsRecords(t *testing.T) {
	for _, test := range []struct {
		check   string
		options RunOptions
		forgets bool
	}{
		{check: "size(pods()) == 0", forgets: exact.Enabled()},
		{check: "size(pods()) == 0 && requests('kubelet').all(r, r.code == 200)"},
		{check: "[1].all(n, size(events('Killing')) < n)"},
		{check: "syncs().size() == 0"},
		{check: "changes('pods', 'status').size() == 0"},
		{check: "true", options: RunOptions{Become: func(time.Duration) (*Plan, time.Duration) { return nil, 0 }}},
	} {
		const text = "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: s}\nspec:\n  title: S\n" +
			"  checks: [{name: one, at-end: \"%s\"}]\n"
		scenario, err := format.Parse("s.yaml", fmt.Appendf(nil, text, test.check), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := Compile(scenario)
		if err != nil {
			t.Fatal(err)
		}
		if forgets := (&run{conditions: plan.fresh()}).mayForget(test.options); forgets != test.forgets {
			t.Errorf("%s: forgets %v, want %v", test.check, forgets, test.forgets)
		}
	}
}
