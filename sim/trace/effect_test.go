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
