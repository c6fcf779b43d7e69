package autoscaling

import (
	"fmt"
	"math"
	"time"

	autoscalingv2 "k8s.io/api/autoscaling/v2"
)

// normalizeWithBehavior is the size with a spec.behavior: both directions have a stabilization window, and policies that limit the change
// within a period.
func (a *autoscaler) normalizeWithBehavior(wanted int32) (size int32, why string) {
	stable, why := a.stabilize(wanted)
	current, b := a.scale.replicas, a.hpa.Spec.Behavior
	l := limits{a.least(), a.hpa.Spec.MaxReplicas, tooFew, tooMany}
	switch {
	case stable > current:
		step := a.out.Step("behavior: scale up", horizontalFile, "calculateScaleUpLimitWithScalingRules")
		upTo := max(current, a.policies(step.Line, b.ScaleUp, 1))
		if upTo < l.most {
			l.most, l.mostWhy = upTo, reason{"ScaleUpLimit", "behavior.scaleUp"}
		}
		l.least = math.MinInt32
	case stable < current:
		step := a.out.Step("behavior: scale down", horizontalFile, "calculateScaleDownLimitWithBehaviors")
		downTo := min(current, a.policies(step.Line, b.ScaleDown, -1))
		if downTo > l.least {
			l.least, l.leastWhy = downTo, reason{"ScaleDownLimit", "behavior.scaleDown"}
		}
		l.most = math.MaxInt32
	default:
		l.least, l.most = math.MinInt32, math.MaxInt32
	}
	size, limited := a.apply(l, stable)
	step := a.out.Step("limits", horizontalFile, "convertDesiredReplicasWithBehaviorRate")
	step.Line("minReplicas, maxReplicas", "", fmt.Sprintf("%d, %d", a.least(), a.hpa.Spec.MaxReplicas))
	step.Line("size", limited, size)
	return size, joined(why, limited)
}

// stabilize takes the lowest recommendation of the window for scaling up, and the highest of that for scaling down: the size
// leaves this range only as far as it must.
func (a *autoscaler) stabilize(wanted int32) (stable int32, why string) {
	up := time.Duration(*a.hpa.Spec.Behavior.ScaleUp.StabilizationWindowSeconds) * time.Second
	down := a.downWindow()
	lowest := recommendation{replicas: wanted, at: a.at}
	highest := lowest
	for _, r := range a.recommendations(max(up, down)) {
		if r.at > a.at-up && (r.replicas < lowest.replicas || r.replicas == lowest.replicas && r.at > lowest.at) {
			lowest = r
		}
		if r.at > a.at-down && (r.replicas > highest.replicas || r.replicas == highest.replicas && r.at > highest.at) {
			highest = r
		}
	}
	current := a.scale.replicas
	stable = min(max(current, lowest.replicas), highest.replicas)
	step := a.out.Step("stabilization windows", horizontalFile, "stabilizeRecommendationWithBehaviors")
	step.Line("now", "", wanted)
	step.Line("lowest", fmt.Sprintf("of the last %s for scaling up, %s", up, a.which(lowest)), lowest.replicas)
	step.Line("highest", fmt.Sprintf("of the last %s for scaling down, %s", down, a.which(highest)), highest.replicas)
	step.Line("stabilized", fmt.Sprintf("the current %d, at least %d, at most %d", current, lowest.replicas, highest.replicas), stable)
	reason := "ScaleUpStabilized"
	if wanted < current {
		reason = "ScaleDownStabilized"
	}
	a.stabilized(stable != wanted, reason)
	switch {
	case stable < wanted:
		why = a.counts(lowest, up)
	case stable > wanted:
		why = a.counts(highest, down)
	}
	return stable, why
}

// policies is the size to which the policies let it go; sign is 1 for up and -1 for down. A policy counts from the size at the
// beginning of its period, so changes within the period use it up.
func (a *autoscaler) policies(line func(label, formula string, value any), rules *autoscalingv2.HPAScalingRules, sign int32) int32 {
	current, result := a.scale.replicas, int32(0)
	selection := autoscalingv2.MaxChangePolicySelect
	if rules.SelectPolicy != nil {
		selection = *rules.SelectPolicy
	}
	if selection == autoscalingv2.DisabledPolicySelect {
		line("selectPolicy", "Disabled", current)
		return current
	}
	for i, policy := range rules.Policies {
		period := time.Duration(policy.PeriodSeconds) * time.Second
		added, removed := a.changed(period)
		start := current - added + removed
		proposed := start + sign*policy.Value
		formula := fmt.Sprintf("%d %+d", start, sign*policy.Value)
		if policy.Type == autoscalingv2.PercentScalingPolicy {
			exact := float64(start) * (1 + float64(sign)*float64(policy.Value)/100)
			proposed, formula = int32(exact), fmt.Sprintf("%d %+d%% = %s, rounded down", start, sign*policy.Value, short(exact))
			if sign > 0 {
				proposed, formula = int32(math.Ceil(exact)), fmt.Sprintf("%d %+d%% = %s, rounded up", start, policy.Value, short(exact))
			}
		}
		label := fmt.Sprintf("%s %d in %s", policy.Type, policy.Value, period)
		if added+removed > 0 {
			formula += fmt.Sprintf("; %d at the beginning of the period, since then +%d -%d", start, added, removed)
		}
		line(label, formula, proposed)
		larger := (proposed > result) == (sign > 0)
		if i == 0 || larger == (selection == autoscalingv2.MaxChangePolicySelect) {
			result = proposed
		}
	}
	if len(rules.Policies) > 1 {
		line("selectPolicy", string(selection)+" change", result)
	}
	return result
}
