package touch_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestARelease holds that the branch in which somebody releases what a fault holds is the run until then, that the fault ends there, and that
// what it held arrives.
func TestARelease(t *testing.T) {
	for fault, rule := range map[string]string{
		`{name: late, request: {actor: replicaset-controller, verb: create, resource: pods}, hold: true, for: 30s}`: "late",
		`{request: {actor: replicaset-controller, verb: create, resource: pods}, hold: true, for: 30s}`:             "spec.faults[0]",
		`{name: stale, watch: {actor: shared-informers, resource: replicasets}, hold: true, for: 30s}`:              "stale",
	} {
		scenario, err := format.Parse("two.yaml", []byte(strings.Replace(two, "  steps:", "  faults:\n  - "+fault+"\n  steps:", 1)), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		rec := record(t, plan(t, scenario), nil)
		const at = 10 * time.Second
		run := touch.Run{Scenario: scenario, Beat: scene.New(rec).At(rec.Find(at), at)}
		command := "release " + rule
		offered := func(run touch.Run, thing touch.Thing) bool {
			for _, o := range run.Offers(thing) {
				if o.Command == command {
					return true
				}
			}
			return false
		}
		for r := range rec.Of(trace.KindFault) {
			if r.Fault.Has(trace.EffectHold) && !offered(run, touch.Thing{Message: r.Seq}) {
				t.Errorf("%s: the message of record %d does not offer to release it", fault, r.Seq)
			}
		}
		if program := (touch.Thing{Program: "replicaset-controller"}); !offered(run, program) {
			t.Errorf("%s: the controller does not offer to release it: %v", fault, run.Offers(program))
		}
		over := touch.Run{Scenario: scenario, Beat: scene.New(rec).At(rec.Len(), rec.At(rec.Len()))}
		if offered(over, touch.Thing{Program: "replicaset-controller"}) {
			t.Errorf("%s: it is offered after the end of the fault", fault)
		}
		added, err := run.Parse(command)
		if err != nil {
			t.Fatal(err)
		}
		branched, err := branch.Add(scenario, rec, added.At, added.Steps...)
		if err != nil {
			t.Fatal(err)
		}
		got := record(t, plan(t, branched), nil)
		var released, pods []time.Duration
		for r := range got.All() {
			switch {
			case r.Fault != nil && r.Fault.Effect == trace.EffectRelease:
				released = append(released, r.At)
			case r.Request != nil && r.Request.Verb == "create" && r.Request.Resource == "pods" && r.Request.Subresource == "" && len(r.Request.Writes) > 0:
				pods = append(pods, r.At)
			}
		}
		if len(released) != 1 || released[0] != at || len(pods) != 2 || pods[0] < at || pods[1] > at+time.Second {
			t.Errorf("%s: released at %v, Pods created at %v", fault, released, pods)
		}
		if parent, own := branch.Divergence(rec, got); parent == 0 || got.At(own) != at {
			t.Errorf("%s: the runs diverge at records %d and %d", fault, parent, own)
		}
		for line, want := range map[string]string{
			"release": "release needs FAULT", "release x": `no fault "x" holds anything at 10.000s: ` + rule,
		} {
			if _, err := run.Parse(line); err == nil || err.Error() != want {
				t.Errorf("%s: error %v, want %s", line, err, want)
			}
		}
		if _, err := over.Parse(command); err == nil || !strings.Contains(err.Error(), "no fault holds anything") {
			t.Errorf("after the end: %v", err)
		}
	}
}

// TestALostEventIsNotReleased holds that a watch event is not offered for release after its watch has ended with its process, and that a
// request is, since it stays in transit.
func TestALostEventIsNotReleased(t *testing.T) {
	const event = `{name: late, watch: {actor: shared-informers, resource: pods}, hold: true, for: 30s}`
	const request = `{name: late, request: {actor: replicaset-controller, verb: create, resource: pods}, hold: true, for: 30s}`
	for _, test := range []struct {
		fault, operation string
		at               time.Duration
		offered          bool
	}{
		{event, "restart", 4 * time.Second, true}, {event, "restart", 6 * time.Second, false}, {event, "restart", 40 * time.Second, false},
		{event, "crash", 4 * time.Second, true}, {event, "crash", 6 * time.Second, false}, {event, "crash", 40 * time.Second, false},
		{request, "restart", 6 * time.Second, true}, {request, "restart", 40 * time.Second, false},
		{request, "crash", 6 * time.Second, true}, {request, "crash", 40 * time.Second, false},
	} {
		text := strings.Replace(two, "  steps:", "  faults:\n  - "+test.fault+"\n  steps:", 1) +
			"  - {at: 5s, controller: {" + test.operation + ": kube-controller-manager}}\n"
		scenario, err := format.Parse("two.yaml", []byte(text), verb.All)
		if err != nil {
			t.Fatal(err)
		}
		rec := record(t, plan(t, scenario), nil)
		run := touch.Run{Scenario: scenario, Beat: scene.New(rec).At(rec.Find(test.at), test.at)}
		var first touch.Thing
		for r := range rec.Of(trace.KindFault) {
			if r.Fault.Has(trace.EffectHold) && first.Message == 0 {
				first.Message = r.Seq
			}
		}
		offered := false
		for _, o := range run.Offers(first) {
			offered = offered || o.Command == "release late"
		}
		if offered != test.offered {
			t.Errorf("%s, %s at 5s: at %s, its release is offered: %v", test.fault, test.operation, test.at, offered)
		}
	}
}
