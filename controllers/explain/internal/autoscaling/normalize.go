package autoscaling

import (
	"fmt"
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"

	"github.com/kubestep/kubestep/sim/recording"
)

// limits are what keeps the size from what the metrics want.
type limits struct {
	least, most int32
	// leastWhy and mostWhy are the reasons of the condition ScalingLimited, with the words for it.
	leastWhy, mostWhy reason
}

// reason is a reason of a condition, and what it means.
type reason struct{ name, text string }

var (
	tooMany = reason{"TooManyReplicas", "maxReplicas"}
	tooFew  = reason{"TooFewReplicas", "minReplicas"}
)

// apply keeps a number within the limits.
func (a *autoscaler) apply(l limits, wanted int32) (size int32, why string) {
	switch {
	case wanted < l.least:
		a.condition(autoscalingv2.ScalingLimited, l.leastWhy.name)
		return l.least, fmt.Sprintf("%s allows no fewer than %d", l.leastWhy.text, l.least)
	case wanted > l.most:
		a.condition(autoscalingv2.ScalingLimited, l.mostWhy.name)
		return l.most, fmt.Sprintf("%s allows no more than %d", l.mostWhy.text, l.most)
	}
	a.condition(autoscalingv2.ScalingLimited, "DesiredWithinRange")
	return wanted, ""
}

// normalize is the size without a spec.behavior: for scaling down the highest recommendation of the last five minutes counts, and one
// step up may double the size.
func (a *autoscaler) normalize(wanted int32) (size int32, why string) {
	window := a.downWindow()
	step := a.out.Step("the highest of the last "+window.String(), horizontalFile, "stabilizeRecommendation")
	highest := recommendation{replicas: wanted, at: a.at}
	for _, r := range a.recommendations(window) {
		if r.at >= a.at-window && (r.replicas > highest.replicas || r.replicas == highest.replicas && r.at > highest.at) {
			highest = r
		}
	}
	stable := highest.replicas
	step.Line("now", "", wanted)
	step.Line("highest", a.which(highest), stable)
	a.stabilized(stable != wanted, "ScaleDownStabilized")
	if stable != wanted {
		why = a.counts(highest, window)
	}
	const factor, minimum = 2, 4
	upTo := int32(math.Max(factor*float64(a.scale.replicas), minimum))
	l := limits{a.least(), a.hpa.Spec.MaxReplicas, tooFew, tooMany}
	if upTo < l.most {
		l.most, l.mostWhy = upTo, reason{"ScaleUpLimit", "one step up"}
	}
	step = a.out.Step("limits", horizontalFile, "convertDesiredReplicasWithRules")
	step.Line("one step up", fmt.Sprintf("max(%d x %d, %d)", factor, a.scale.replicas, minimum), upTo)
	step.Line("minReplicas, maxReplicas", "", fmt.Sprintf("%d, %d", a.least(), a.hpa.Spec.MaxReplicas))
	size, limited := a.apply(l, stable)
	step.Line("size", fmt.Sprintf("%d within %d to %d", stable, l.least, l.most), size)
	return size, joined(why, limited)
}

// stabilized notes whether an earlier recommendation counts.
func (a *autoscaler) stabilized(is bool, reason string) {
	if !is {
		reason = "ReadyForNewScale"
	}
	a.condition(autoscalingv2.AbleToScale, reason)
}

// which is the name of a recommendation.
func (a *autoscaler) which(r recommendation) string {
	if r.at == a.at {
		return "the current one"
	}
	return r.String()
}

// counts says that an earlier recommendation counts, and how long it will.
func (a *autoscaler) counts(r recommendation, window time.Duration) string {
	return fmt.Sprintf("%d counts for %s, %s", r.replicas, recording.Short(r.at+window-a.at), r)
}

func joined(why, limited string) string {
	switch {
	case why == "":
		return limited
	case limited == "":
		return why
	}
	return why + ", and " + limited
}
