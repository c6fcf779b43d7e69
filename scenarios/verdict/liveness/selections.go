package liveness

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	autoscalingv2 "k8s.io/api/autoscaling/v2"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/controllers/placement"
	"github.com/kubestep/kubestep/sim/trace"
)

// Selection is how objects of a resource choose others. One that chooses nothing has what it wants, and its controller has nothing to do:
// no goal finds that, though its user mostly means something.
type Selection struct {
	Resource schema.GroupResource
	// Sentence says what an object mostly chooses, and Reference is the page of the documentation about it.
	Sentence, Reference string
	// reads are the resources without which nothing can be said.
	reads []schema.GroupResource
	// nothing says what an object does not choose; empty if it chooses something.
	nothing func(*view, runtime.Object) string
}

// Selections lists them.
func Selections() []Selection { return slices.Concat(selections, podSelections) }

// workloads are the resources with templates of Pods: a selector that matches a template matches its Pods as soon as there are any.
var workloads = []schema.GroupResource{
	corev1.Resource("pods"), appsv1.Resource("deployments"), appsv1.Resource("replicasets"), appsv1.Resource("statefulsets"),
	appsv1.Resource("daemonsets"), corev1.Resource("replicationcontrollers"), batchv1.Resource("jobs"), batchv1.Resource("cronjobs"),
}

// scaled are the resources of the workloads that an autoscaler mostly scales, by their kinds.
var scaled = map[string]string{"Deployment": "deployments", "ReplicaSet": "replicasets", "StatefulSet": "statefulsets"}

var selections = []Selection{
	{
		Resource: corev1.Resource("services"), reads: workloads[:4],
		Sentence:  "The selector of a Service matches Pods of its namespace, which become its endpoints.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/service/#services-without-selectors",
		nothing: func(v *view, object runtime.Object) string {
			service := object.(*corev1.Service)
			if len(service.Spec.Selector) == 0 || service.Spec.Type == corev1.ServiceTypeExternalName {
				return ""
			}
			return v.unmatched([]string{service.Namespace}, labels.SelectorFromSet(service.Spec.Selector), "so it has no endpoints")
		},
	},
	{
		Resource: policyv1.Resource("poddisruptionbudgets"), reads: workloads[:4],
		Sentence:  "The selector of a PodDisruptionBudget matches Pods of its namespace, whose evictions it limits.",
		Reference: "https://kubernetes.io/docs/tasks/run-application/configure-pdb/#specifying-a-poddisruptionbudget",
		nothing: func(v *view, object runtime.Object) string {
			budget := object.(*policyv1.PodDisruptionBudget)
			return v.unmatchedBy([]string{budget.Namespace}, budget.Spec.Selector, "so it protects none from eviction")
		},
	},
	{
		Resource: networkingv1.Resource("networkpolicies"), reads: workloads[:4],
		Sentence:  "The podSelector of a NetworkPolicy matches Pods of its namespace, whose connections it limits.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/network-policies/#networkpolicy-resource",
		nothing: func(v *view, object runtime.Object) string {
			policy := object.(*networkingv1.NetworkPolicy)
			return v.unmatchedBy([]string{policy.Namespace}, &policy.Spec.PodSelector, "so it applies to none")
		},
	},
	{
		Resource: appsv1.Resource("daemonsets"), reads: []schema.GroupResource{corev1.Resource("nodes")},
		Sentence:  "Some node matches the nodeSelector and the affinity of a DaemonSet, and has only taints that it tolerates.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#running-pods-on-select-nodes",
		nothing:   runsNowhere,
	},
	{
		Resource: autoscalingv2.Resource("horizontalpodautoscalers"), reads: workloads[1:4],
		Sentence:  "The scaleTargetRef of a HorizontalPodAutoscaler names a workload that exists.",
		Reference: "https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#how-does-a-horizontalpodautoscaler-work",
		nothing: func(v *view, object runtime.Object) string {
			scaler, ok := object.(*autoscalingv2.HorizontalPodAutoscaler)
			if !ok {
				return ""
			}
			target := scaler.Spec.ScaleTargetRef
			resource := scaled[target.Kind]
			if _, found := v.Get(appsv1.Resource(resource), scaler.Namespace, target.Name); found || resource == "" {
				return ""
			}
			return fmt.Sprintf("it scales %s %s, which does not exist", target.Kind, target.Name)
		},
	},
}

// Unselected says what an object should choose and does not, and which page is about it; empty if it chooses something, or if the World
// lacks kinds that tell.
func Unselected(world World, o trace.Object) (text, reference string) {
	resource := schema.ParseGroupResource(o.Resource)
	lacks := func(r schema.GroupResource) bool { return !world.(Partial).Has(r) }
	for _, s := range Selections() {
		if _, ok := world.(Partial); s.Resource != resource || ok && slices.ContainsFunc(s.reads, lacks) {
			continue
		}
		object, found := world.Get(resource, o.Namespace, o.Name)
		if !found {
			return "", ""
		}
		if text = s.nothing(newView(world), object); text != "" {
			return text, s.Reference
		}
	}
	return "", ""
}

// unmatchedBy is unmatched for a selector of an object; one that is missing matches nothing.
func (v *view) unmatchedBy(namespaces []string, of *metav1.LabelSelector, so string) string {
	selector, err := metav1.LabelSelectorAsSelector(of)
	switch {
	case err != nil || selector.Empty():
		return ""
	case of == nil:
		return "it has no selector, which matches no Pod, " + so
	}
	return v.unmatched(namespaces, selector, so)
}

// unmatched says that a selector matches neither a Pod of some namespaces nor the Pods of a workload there, and what follows; empty if it
// does. The namespace "" means all of them.
func (v *view) unmatched(namespaces []string, selector labels.Selector, so string) string {
	var others []labels.Set
	for _, namespace := range namespaces {
		for _, resource := range workloads {
			for _, object := range v.List(resource, namespace) {
				of := podLabels(object)
				if selector.Matches(of) {
					return ""
				}
				others = withLabels(others, of)
			}
		}
	}
	text := fmt.Sprintf("its selector %s matches no Pod, %s", selector, so)
	var have []string
	for _, of := range others[:min(len(others), 2)] {
		have = append(have, of.String())
	}
	if len(have) > 0 {
		text += "; Pods there have " + strings.Join(have, ", or ")
	}
	return text
}

// withLabels adds labels to others. Those of Pods that have more labels than their template, such as its hash, say nothing more than it, so
// it takes their place.
func withLabels(others []labels.Set, of labels.Set) []labels.Set {
	has := func(all, some labels.Set) bool { return labels.SelectorFromSet(some).Matches(all) }
	if len(of) == 0 || slices.ContainsFunc(others, func(other labels.Set) bool { return has(of, other) }) {
		return others
	}
	hasMore := func(other labels.Set) bool { return has(other, of) }
	others = append(others, of)
	first := slices.IndexFunc(others, hasMore)
	others[first] = of
	rest := slices.DeleteFunc(others[first+1:], hasMore)
	return others[:first+1+len(rest)]
}

// podLabels are those of a Pod, or of the Pods of a workload.
func podLabels(object runtime.Object) labels.Set {
	switch of := object.(type) {
	case *corev1.Pod:
		return of.Labels
	case *appsv1.Deployment:
		return of.Spec.Template.Labels
	case *appsv1.ReplicaSet:
		return of.Spec.Template.Labels
	case *appsv1.StatefulSet:
		return of.Spec.Template.Labels
	case *appsv1.DaemonSet:
		return of.Spec.Template.Labels
	case *batchv1.Job:
		return of.Spec.Template.Labels
	case *batchv1.CronJob:
		return of.Spec.JobTemplate.Spec.Template.Labels
	case *corev1.ReplicationController:
		if of.Spec.Template != nil {
			return of.Spec.Template.Labels
		}
	}
	return nil
}

// runsNowhere says that no node should run a Pod of a DaemonSet; empty if there are no nodes.
func runsNowhere(v *view, object runtime.Object) string {
	set := object.(*appsv1.DaemonSet)
	all := v.List(corev1.Resource("nodes"), "")
	if len(all) == 0 || set.DeletionTimestamp != nil {
		return ""
	}
	for _, node := range all {
		if run, _ := placement.RunsDaemonPod(node.(*corev1.Node), set); run {
			return ""
		}
	}
	text := "none of " + trace.Count(len(all), "node") + " should run its Pod"
	if selector := set.Spec.Template.Spec.NodeSelector; len(selector) > 0 {
		text += ": its nodeSelector is " + labels.Set(selector).String()
	}
	return text
}
