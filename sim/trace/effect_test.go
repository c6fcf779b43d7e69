package trace_test

import (
	"testing"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestEffectsOfOneFault: a fault may have several effects, and one that draws has none yet.
func TestEffectsOfOneFault(t *testing.T) {
	both := &trace.Fault{Effect: trace.JoinEffects([]string{"delay", trace.EffectCrash})}
	if !both.Has(trace.EffectCrash) || both.Has(trace.EffectHold) || both.IsDrawn() {
		t.Errorf("%q: %t %t %t", both.Effect, both.Has(trace.EffectCrash), both.Has(trace.EffectHold), both.IsDrawn())
	}
	drawn := &trace.Fault{Effect: trace.DrawnEffect("hold")}
	if drawn.Has(trace.EffectHold) || !drawn.IsDrawn() {
		t.Errorf("%q: %t %t", drawn.Effect, drawn.Has(trace.EffectHold), drawn.IsDrawn())
	}
}

// TestFaultsOfEvents tells faults of watch events from those of requests: the requests of informers have no cause, either.
func TestFaultsOfEvents(t *testing.T) {
	for verb, want := range map[string]bool{
		"ADDED": true, "DELETED": true, "BOOKMARK": true, "list": false, "watch": false, "create": false, trace.VerbTimer: false,
		trace.VerbAdmit: false, "": false,
	} {
		if got := (&trace.Fault{Verb: verb}).IsOfEvent(); got != want {
			t.Errorf("%q: %t, want %t", verb, got, want)
		}
	}
}
