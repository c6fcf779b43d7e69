package autoscaling

import (
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	metricsclient "k8s.io/kubernetes/pkg/controller/podautoscaler/metrics"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/trace"
)

// tolerances are how far a ratio may be below and above 1 without an effect.
func (a *autoscaler) tolerances() (down, up float64) {
	down, up = flags.HorizontalPodAutoscalerTolerance, flags.HorizontalPodAutoscalerTolerance
	if b := a.hpa.Spec.Behavior; b != nil {
		if b.ScaleDown != nil && b.ScaleDown.Tolerance != nil {
			down = b.ScaleDown.Tolerance.AsApproximateFloat64()
		}
		if b.ScaleUp != nil && b.ScaleUp.Tolerance != nil {
			up = b.ScaleUp.Tolerance.AsApproximateFloat64()
		}
	}
	return down, up
}

// isWithin notes and reports whether a ratio changes nothing.
func (a *autoscaler) isWithin(step *arithmetic.Step, ratio float64) bool {
	down, up := a.tolerances()
	is, tolerated := "no", 1-down <= ratio && ratio <= 1+up
	if tolerated {
		is = "yes, nothing changes"
	}
	step.Line("within the tolerance?", fmt.Sprintf("%s to %s", short(1-down), short(1+up)), is)
	return tolerated
}

// compute multiplies the ratio with the number of Pods that have a value. Pods without one, and those that are not ready
// yet, make the result more careful: it is computed again with a value for them that acts against the change.
func (a *autoscaler) compute(m *perPod, pods []*corev1.Pod, failed, problem string) proposal {
	step := m.step
	if len(pods) == 0 {
		problem = "no Pod matches the selector " + a.scale.selector.String()
		step.Line("Pods", problem, 0)
		return proposal{failed: failed, problem: step.Title + ": " + problem}
	}
	g := a.group(pods, m.metrics, m.resource)
	g.note(m, a, pods)
	if len(m.metrics) == 0 {
		problem = "no Pod that counts has a value; Pods may not be ready yet"
	}
	if problem != "" {
		step.Line("no value", problem, nil)
		return proposal{failed: failed, problem: step.Title + ": " + problem}
	}
	d, err := m.divide(m.metrics)
	if err != nil {
		return proposal{failed: failed, problem: step.Title + ": " + err.Error()}
	}
	ratio := d.ratio
	step.Line("average of a Pod", "", d.average)
	step.Line("ratio", d.formula, short(ratio))
	why := fmt.Sprintf("%s = %s", d.formula, short(ratio))
	up := ratio > 1 && len(g.unready) > 0
	if !up && len(g.missing) == 0 {
		if a.isWithin(step, ratio) {
			return proposal{replicas: a.scale.replicas, why: why + ", within the tolerance", tolerated: true}
		}
		return a.proportional(step, ratio, g.ready, why)
	}
	assumed := m.assume(g, ratio)
	d, err = m.divide(m.metrics)
	if err != nil {
		return proposal{failed: failed, problem: step.Title + ": " + err.Error()}
	}
	again := d.ratio
	step.Line("again, with them", d.formula, short(again))
	why += fmt.Sprintf("; with the %d Pods without a value %s", assumed, short(again))
	switch {
	case a.isWithin(step, again):
		return proposal{replicas: a.scale.replicas, why: why + ", within the tolerance", tolerated: true}
	case ratio < 1 && again > 1, ratio > 1 && again < 1:
		step.Line("replicas", "the direction is another one now, so nothing changes", a.scale.replicas)
		return proposal{replicas: a.scale.replicas, why: why + ", the other direction", tolerated: true}
	}
	return a.turned(a.proportional(step, again, len(m.metrics), why), step, again)
}

// assume gives the Pods without a value one that acts against the change, and counts them.
func (m *perPod) assume(g groups, ratio float64) (assumed int) {
	for _, name := range g.missing {
		switch {
		case ratio < 1:
			m.metrics[name] = metricsclient.PodMetric{Value: m.missing(name)}
		case ratio > 1:
			m.metrics[name] = metricsclient.PodMetric{}
		}
	}
	switch {
	case len(g.missing) > 0 && ratio < 1:
		m.step.Line("without a metric", "scaling down, they count as "+m.assumed, len(g.missing))
	case len(g.missing) > 0 && ratio > 1:
		m.step.Line("without a metric", "scaling up, they count as 0", len(g.missing))
	}
	if ratio > 1 && len(g.unready) > 0 {
		for _, name := range g.unready {
			m.metrics[name] = metricsclient.PodMetric{}
		}
		m.step.Line("not ready yet", "scaling up, they count as 0", len(g.unready))
		assumed = len(g.unready)
	}
	return assumed + len(g.missing)
}

// proportional is the ratio times the number of Pods.
func (a *autoscaler) proportional(step *arithmetic.Step, ratio float64, pods int, why string) proposal {
	exact := ratio * float64(pods)
	wanted := int32(math.Ceil(exact))
	count := trace.Count(pods, "Pod")
	step.Line("replicas", fmt.Sprintf("%s x %s = %s", short(ratio), count, short(exact)), rounded(exact))
	if int32(pods) != a.scale.replicas {
		count += fmt.Sprintf(" (spec.replicas is %d)", a.scale.replicas)
	}
	return proposal{replicas: wanted, why: fmt.Sprintf("%s, x %s = %s", why, count, upTo(exact))}
}

// rounded is a number of replicas, with a note if it was rounded up.
func rounded(exact float64) string {
	if text := fmt.Sprint(math.Ceil(exact)); text == short(exact) {
		return text
	}
	return fmt.Sprintf("%.0f, rounded up", math.Ceil(exact))
}

// upTo is like "17.6, rounded up 18".
func upTo(exact float64) string {
	if text := short(exact); text == fmt.Sprint(math.Ceil(exact)) {
		return text
	}
	return fmt.Sprintf("%s, rounded up %.0f", short(exact), math.Ceil(exact))
}

// turned takes back a change in the wrong direction: more Pods may have counted than the target has.
func (a *autoscaler) turned(p proposal, step *arithmetic.Step, ratio float64) proposal {
	if ratio < 1 && p.replicas > a.scale.replicas || ratio > 1 && p.replicas < a.scale.replicas {
		step.Line("replicas", "the direction is another one than that of the ratio, so nothing changes", a.scale.replicas)
		return proposal{replicas: a.scale.replicas, why: p.why + ", the other direction", tolerated: true}
	}
	return p
}
