package liveness

import (
	"fmt"

	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"
)

var disruptionBudgets = Goal{
	Resource: policyv1.Resource("poddisruptionbudgets"), Controller: "disruption-controller",
	Sentence: "The status of a PodDisruptionBudget counts the healthy Pods that its selector matches, and allows disruptions " +
		"accordingly.",
	Upstream: "countHealthyPods and updatePdbStatus in k8s.io/kubernetes/pkg/controller/disruption/disruption.go",
	lack: func(v *view, object runtime.Object) *Lack {
		budget := object.(*policyv1.PodDisruptionBudget)
		if budget.DeletionTimestamp != nil {
			return nil
		}
		failed := meta.FindStatusCondition(budget.Status.Conditions, policyv1.DisruptionAllowedCondition)
		if failed != nil && failed.Reason == policyv1.SyncFailedReason {
			return &Lack{Missing: "its controller cannot compute its status", For: "this error to be resolved: " + failed.Message}
		}
		if lack := unobserved(budget.Generation, budget.Status.ObservedGeneration); lack != nil {
			return lack
		}
		selector, err := metav1.LabelSelectorAsSelector(budget.Spec.Selector)
		if err != nil || len(budget.Status.DisruptedPods) > 0 {
			return nil
		}
		status := budget.Status
		var healthy int32
		for _, p := range v.podsIn(budget.Namespace) {
			if selector.Matches(labels.Set(p.Labels)) && p.DeletionTimestamp == nil && pod.IsPodReady(p) {
				healthy++
			}
		}
		if status.CurrentHealthy != healthy {
			return &Lack{Missing: fmt.Sprintf("status.currentHealthy is %d, but %d Pods are healthy", status.CurrentHealthy, healthy)}
		}
		allowed := max(0, healthy-status.DesiredHealthy)
		if status.ExpectedPods <= 0 {
			allowed = 0
		}
		if status.DisruptionsAllowed != allowed {
			return &Lack{Missing: fmt.Sprintf("status.disruptionsAllowed is %d, but %d of %d desired Pods are healthy",
				status.DisruptionsAllowed, healthy, status.DesiredHealthy)}
		}
		return nil
	},
}
