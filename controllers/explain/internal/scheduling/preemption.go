package scheduling

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	corev1helpers "k8s.io/component-helpers/scheduling/corev1"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/attempt"
)

// mostSpared is how many Pods with an exhausted budget an explanation names.
const mostSpared = 3

// preempt adds what became of the search for Pods to delete.
func preempt(e *arithmetic.Explanation, s observed.Sync, a *attempt.Attempt) {
	if a.Feasible > 0 || a.Preemption == "" && a.Nominated == "" {
		return
	}
	step := e.Step("look for Pods of lower priority to delete", preemptionFile, "Preempt")
	if a.Nominated != "" {
		step.Line("nominated node", "deleting Pods makes room", a.Nominated)
		victims(step, s, a)
		return
	}
	step.Line("none", strings.TrimPrefix(a.Preemption, "preemption: "), nil)
}

// room adds the earlier attempt that deleted Pods from the node that this one chose.
func room(e *arithmetic.Explanation, s observed.Sync, a *attempt.Attempt) {
	if a.Node == "" || a.Number < 2 {
		return
	}
	for earlier := range s.Earlier() {
		if earlier.End == nil || earlier.End.Sync.Attempt == nil || earlier.End.Sync.Attempt.Nominated == "" {
			continue
		}
		before := earlier.End.Sync.Attempt
		if before.Nominated != a.Node || len(deleted(earlier)) == 0 {
			return
		}
		title := fmt.Sprintf("make room: attempt %d, %s, record %d", before.Number, trace.Seconds(earlier.Start.At), earlier.Start.Seq)
		victims(e.Step(title, preemptionFile, "Preempt"), earlier, before)
		return
	}
}

// victims adds the Pods that an attempt deleted, and those that it spared.
func victims(step *arithmetic.Step, s observed.Sync, a *attempt.Attempt) {
	all := pods(s)
	for _, o := range deleted(s) {
		text := trace.ObjectName(o)
		if p := find(all, o.Namespace, o.Name); p != nil {
			text += fmt.Sprintf(", priority %d", corev1helpers.PodPriority(p))
			if budget := exhausted(s, p); budget != nil {
				text += fmt.Sprintf(", although its PodDisruptionBudget %s allows no disruption", budget.Name)
			}
		}
		step.Line("victim", text, nil)
	}
	if preemptor := find(all, s.Namespace, s.Name); preemptor != nil {
		spared(step, s, a.Nominated, corev1helpers.PodPriority(preemptor))
	}
}

// spared adds Pods of lower priority on other nodes whose PodDisruptionBudget allows no disruption: preemption prefers the node with
// the fewest victims against a budget (pickOneNodeForPreemption).
func spared(step *arithmetic.Step, s observed.Sync, nominated string, priority int32) {
	told := 0
	for _, p := range pods(s) {
		elsewhere := p.Spec.NodeName != "" && p.Spec.NodeName != nominated
		if !elsewhere || p.DeletionTimestamp != nil || corev1helpers.PodPriority(p) >= priority {
			continue
		}
		budget := exhausted(s, p)
		if budget == nil {
			continue
		}
		if told++; told > mostSpared {
			return
		}
		name := trace.ObjectName(trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name})
		text := fmt.Sprintf("%s on %s: its PodDisruptionBudget %s allows no disruption", name, p.Spec.NodeName, budget.Name)
		step.Line("spared", text, nil)
	}
}

// find is the Pod of a name; nil for none.
func find(all []*corev1.Pod, namespace, name string) *corev1.Pod {
	i := slices.IndexFunc(all, func(p *corev1.Pod) bool { return p.Namespace == namespace && p.Name == name })
	if i < 0 {
		return nil
	}
	return all[i]
}

// deleted are the Pods that an attempt deleted to make room.
func deleted(s observed.Sync) []trace.Object {
	var out []trace.Object
	for _, r := range s.Requests {
		if q := r.Request; q.Verb == "delete" && q.Resource == "pods" && q.Code < http.StatusMultipleChoices {
			out = append(out, q.Object)
		}
	}
	return out
}

// pods are the Pods of all namespaces in the cache.
func pods(s observed.Sync) []*corev1.Pod {
	var all []*corev1.Pod
	for _, o := range s.Objects(s.Cache("pods"), "") {
		p := &corev1.Pod{}
		if object := s.Cached(o); object != nil && observed.Convert(object, p) == nil {
			all = append(all, p)
		}
	}
	return all
}

// exhausted is a PodDisruptionBudget of a Pod that allows no disruption, as filterPodsWithPDBViolation finds it; nil for none.
func exhausted(s observed.Sync, p *corev1.Pod) *policyv1.PodDisruptionBudget {
	for _, o := range s.Objects(s.Cache("poddisruptionbudgets.policy"), p.Namespace) {
		budget := &policyv1.PodDisruptionBudget{}
		object := s.Cached(o)
		if object == nil || observed.Convert(object, budget) != nil || budget.Status.DisruptionsAllowed > 0 {
			continue
		}
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		_, disrupted := budget.Status.DisruptedPods[p.Name]
		if err == nil && !selector.Empty() && !disrupted && selector.Matches(labels.Set(p.Labels)) {
			return budget
		}
	}
	return nil
}
