// Package policy computes a sync of disruption-controller again: how many Pods a PodDisruptionBudget expects, how many of them have to be
// healthy, how many are, and how many may therefore be evicted. The eviction API only reads the result.
package policy

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apimeta "k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/intstr"
	pdbhelper "k8s.io/component-helpers/apps/poddisruptionbudget"
	podutil "k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/disruption"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	disruptionFile = "pkg/controller/disruption/disruption.go"
	budgets        = "poddisruptionbudgets.policy"
	// queue has the keys of budgets; those of the other queues of the controller are Pods.
	queue = "disruption"
)

// budget is one sync of a PodDisruptionBudget.
type budget struct {
	observed.Sync
	out  *arithmetic.Explanation
	pdb  *policyv1.PodDisruptionBudget
	pods []*corev1.Pod
	now  time.Time
}

// PodDisruptionBudget explains a sync of a PodDisruptionBudget, as trySync decides.
func PodDisruptionBudget(s observed.Sync) *arithmetic.Explanation {
	if s.Start.Sync.Queue != queue {
		return nil
	}
	pdb := &policyv1.PodDisruptionBudget{}
	e, ok := s.Begin(budgets, "PodDisruptionBudget", pdb)
	if !ok {
		return e
	}
	selector, err := metav1.LabelSelectorAsSelector(pdb.Spec.Selector)
	if err != nil {
		return nil
	}
	b := &budget{Sync: s, out: e, pdb: pdb, now: s.ClockRead(budgets)}
	for _, p := range s.Pods() {
		if selector.Matches(labels.Set(p.Labels)) {
			b.pods = append(b.pods, p)
		}
	}
	expected, desired, problem := b.expected()
	if problem != "" {
		b.fail(problem)
	} else {
		disrupted := b.disrupted()
		b.conclude(expected, desired, b.healthy(disrupted), disrupted)
	}
	e.Why = e.Verdict
	return s.Finish(e)
}

// expected is how many Pods there should be, and how many of them have to be healthy (getExpectedPodCount).
func (b *budget) expected() (expected, desired int32, problem string) {
	step := b.out.Step("expected Pods", disruptionFile, "getExpectedPodCount")
	step.Line("Pods", "selector "+metav1.FormatLabelSelector(b.pdb.Spec.Selector), len(b.pods))
	most, least := b.pdb.Spec.MaxUnavailable, b.pdb.Spec.MinAvailable
	if most == nil && least == nil {
		return 0, 0, ""
	}
	if most == nil && least.Type == intstr.Int {
		step.Line("expected", "minAvailable is a number, so the Pods that exist", len(b.pods))
		step.Line("desired healthy", "minAvailable", least.IntVal)
		return int32(len(b.pods)), least.IntVal, ""
	}
	if expected, problem = b.scale(step); problem != "" {
		step.Line("expected", problem, "unknown")
		return 0, 0, problem
	}
	limit, name := least, "minAvailable"
	if most != nil {
		limit, name = most, "maxUnavailable"
	}
	count, err := intstr.GetScaledValueFromIntOrPercent(limit, int(expected), true)
	if err != nil {
		return 0, 0, err.Error()
	}
	desired = int32(count)
	formula := fmt.Sprintf("%s %s", name, limit)
	if limit.Type == intstr.String {
		formula = fmt.Sprintf("%s %s of %d, rounded up %d", name, limit, expected, count)
	}
	if most != nil {
		desired = max(0, expected-int32(count))
		formula = fmt.Sprintf("%d - %s", expected, formula)
	}
	step.Line("desired healthy", formula, desired)
	return expected, desired, ""
}

// disrupted are the evicted Pods of the status that are not terminating yet: they count as gone for two minutes
// (buildDisruptedPodMap).
func (b *budget) disrupted() map[string]metav1.Time {
	left := map[string]metav1.Time{}
	if len(b.pdb.Status.DisruptedPods) == 0 {
		return left
	}
	step := b.out.Step("evicted Pods that are not terminating yet", disruptionFile, "buildDisruptedPodMap")
	for _, p := range b.pods {
		since, evicted := b.pdb.Status.DisruptedPods[p.Name]
		switch age := b.now.Sub(since.Time); {
		case !evicted:
		case p.DeletionTimestamp != nil:
			step.Line(p.Name, "is terminating, so it leaves the list", nil)
		case age > disruption.DeletionTimeout:
			step.Line(p.Name, fmt.Sprintf("evicted %s ago and still there, so it counts again", recording.Short(age)), nil)
		default:
			step.Line(p.Name, fmt.Sprintf("evicted %s ago, counts as gone for %s", recording.Short(age), disruption.DeletionTimeout), nil)
			left[p.Name] = since
		}
	}
	return left
}

// healthy counts the Pods that are Ready and stay (countHealthyPods).
func (b *budget) healthy(disrupted map[string]metav1.Time) (healthy int32) {
	var terminating, evicted, unready []string
	for _, p := range b.pods {
		since, listed := disrupted[p.Name]
		switch {
		case p.DeletionTimestamp != nil:
			terminating = append(terminating, p.Name)
		case listed && since.Add(disruption.DeletionTimeout).After(b.now):
			evicted = append(evicted, p.Name)
		case !podutil.IsPodReady(p):
			unready = append(unready, p.Name)
		default:
			healthy++
		}
	}
	step := b.out.Step("healthy Pods", disruptionFile, "countHealthyPods")
	for _, of := range []struct {
		label string
		names []string
	}{{"terminating", terminating}, {"evicted", evicted}, {"not Ready", unready}} {
		if len(of.names) > 0 {
			step.Line(of.label, arithmetic.Few(of.names), len(of.names))
		}
	}
	step.Line("Ready, and they stay", fmt.Sprintf("of %d", len(b.pods)), healthy)
	return healthy
}

// conclude compares the result with the status, and says what is written (updatePdbStatus).
func (b *budget) conclude(expected, desired, healthy int32, disrupted map[string]metav1.Time) {
	allowed, e := max(0, healthy-desired), b.out
	formula := fmt.Sprintf("max(0, %d healthy - %d desired)", healthy, desired)
	if expected <= 0 {
		allowed, formula = 0, "no Pod is expected"
	}
	e.Step("disruptions allowed", disruptionFile, "updatePdbStatus").Line("disruptionsAllowed", formula, allowed)
	status := policyv1.PodDisruptionBudgetStatus{
		ObservedGeneration: b.pdb.Generation, DisruptedPods: disrupted, DisruptionsAllowed: allowed, CurrentHealthy: healthy,
		DesiredHealthy: desired, ExpectedPods: expected, Conditions: b.pdb.Status.Conditions,
	}
	same := apiequality.Semantic.DeepEqual(b.pdb.Status, status) && pdbhelper.ConditionsAreUpToDate(b.pdb)
	after := b.pdb.DeepCopy()
	after.Status = status
	pdbhelper.UpdateDisruptionAllowedCondition(after)
	b.leaves(&after.Status)
	result := fmt.Sprintf("%s allowed: %d healthy - %d desired, %d expected",
		trace.Count(int(allowed), "disruption"), healthy, desired, expected)
	switch {
	case expected <= 0:
		result = "no disruption is allowed: no Pod is expected"
	case healthy < desired:
		result = fmt.Sprintf("no disruption is allowed: %d healthy, fewer than the desired %d", healthy, desired)
	}
	if same {
		e.Verdict = "nothing: " + result
		return
	}
	e.Act("update", "poddisruptionbudgets/status", 1, b.Name)
	e.Verdict = "it writes the status: " + result
}

// fail is what happens when the number of expected Pods is unknown: nothing may be evicted (failSafe).
func (b *budget) fail(problem string) {
	status := b.pdb.Status.DeepCopy()
	status.DisruptionsAllowed = 0
	apimeta.SetStatusCondition(&status.Conditions, metav1.Condition{
		Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse, Reason: policyv1.SyncFailedReason,
	})
	b.leaves(status)
	b.out.Act("update", "poddisruptionbudgets/status", 1, b.Name)
	b.out.Step("fail safe", disruptionFile, "failSafe").Line("disruptionsAllowed", "what cannot be counted must not be evicted", 0)
	b.out.Verdict = "it allows no disruption: " + problem
}

// leaves notes the status that the sync leaves.
func (b *budget) leaves(status *policyv1.PodDisruptionBudgetStatus) {
	for path, value := range map[string]int32{
		"expectedPods": status.ExpectedPods, "currentHealthy": status.CurrentHealthy, "desiredHealthy": status.DesiredHealthy,
		"disruptionsAllowed": status.DisruptionsAllowed,
	} {
		b.out.Leave(path, value)
	}
	if c := apimeta.FindStatusCondition(status.Conditions, policyv1.DisruptionAllowedCondition); c != nil {
		b.out.Leave("conditions[type="+c.Type+"].reason", c.Reason)
	}
	if len(status.DisruptedPods) > 0 {
		disrupted := map[string]any{}
		for name, since := range status.DisruptedPods {
			disrupted[name] = since.UTC().Format(time.RFC3339)
		}
		b.out.Leave("disruptedPods", disrupted)
	}
}
