package liveness

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// podSelections are what Pods choose for their scheduling. What they require, and no node has, keeps them Pending with a message of the
// scheduler; this is about what has no effect, silently.
var podSelections = []Selection{
	{
		Resource: corev1.Resource("pods"), reads: workloads[:4],
		Sentence: "The labelSelector of a topology spread constraint matches Pods of the namespace, and mostly the Pod itself: the " +
			"constraint spreads those that it matches.",
		Reference: "https://kubernetes.io/docs/concepts/scheduling-eviction/topology-spread-constraints/#spread-constraint-definition",
		nothing: func(v *view, object runtime.Object) string {
			p := object.(*corev1.Pod)
			for i, c := range p.Spec.TopologySpreadConstraints {
				if text := v.unmatchedBy([]string{p.Namespace}, c.LabelSelector, "so it spreads none"); text != "" {
					return fmt.Sprintf("spec.topologySpreadConstraints[%d]: %s", i, text)
				}
			}
			return ""
		},
	},
	{
		Resource: corev1.Resource("pods"), reads: workloads[:4],
		Sentence: "The labelSelector of a term of podAffinity or podAntiAffinity matches Pods, which the Pod should be close to, or away " +
			"from.",
		Reference: "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#inter-pod-affinity-and-anti-affinity",
		nothing:   closeToNone,
	},
	{
		Resource: corev1.Resource("pods"), reads: []schema.GroupResource{corev1.Resource("nodes")},
		Sentence:  "Some node matches a term that the nodeAffinity of a Pod prefers.",
		Reference: "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#node-affinity",
		nothing:   prefersNoNode,
	},
}

// affinityTerm is a term of podAffinity or podAntiAffinity: where it stands, and what follows if it matches no Pod.
type affinityTerm struct {
	at, so string
	corev1.PodAffinityTerm
}

// affinityTerms are those of a Pod.
func affinityTerms(affinity *corev1.Affinity) (terms []affinityTerm) {
	const required, preferred = "requiredDuringSchedulingIgnoredDuringExecution", "preferredDuringSchedulingIgnoredDuringExecution"
	add := func(field, so string, must []corev1.PodAffinityTerm, prefer []corev1.WeightedPodAffinityTerm) {
		for i, term := range must {
			terms = append(terms, affinityTerm{fmt.Sprintf("spec.affinity.%s.%s[%d]", field, required, i), so, term})
		}
		for i, term := range prefer {
			terms = append(terms, affinityTerm{fmt.Sprintf("spec.affinity.%s.%s[%d]", field, preferred, i), so, term.PodAffinityTerm})
		}
	}
	if of := affinity.PodAffinity; of != nil {
		add("podAffinity", "so there is none to be close to",
			of.RequiredDuringSchedulingIgnoredDuringExecution, of.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if of := affinity.PodAntiAffinity; of != nil {
		add("podAntiAffinity", "so it keeps the Pod away from none",
			of.RequiredDuringSchedulingIgnoredDuringExecution, of.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return terms
}

// closeToNone names a term of podAffinity or podAntiAffinity that matches no Pod; empty if there is none. A term that chooses its
// namespaces by a selector looks at all of them.
func closeToNone(v *view, object runtime.Object) string {
	p := object.(*corev1.Pod)
	if p.Spec.Affinity == nil {
		return ""
	}
	for _, term := range affinityTerms(p.Spec.Affinity) {
		namespaces := term.Namespaces
		switch {
		case term.NamespaceSelector != nil:
			namespaces = []string{""}
		case len(namespaces) == 0:
			namespaces = []string{p.Namespace}
		}
		if text := v.unmatchedBy(namespaces, term.LabelSelector, term.so); text != "" {
			return term.at + ": " + text
		}
	}
	return ""
}

// prefersNoNode names a term of nodeAffinity that a Pod prefers and that no node matches; empty if there is none, or if there are no nodes.
func prefersNoNode(v *view, object runtime.Object) string {
	p := object.(*corev1.Pod)
	if p.Spec.Affinity == nil || p.Spec.Affinity.NodeAffinity == nil {
		return ""
	}
	nodes := v.List(corev1.Resource("nodes"), "")
	for i, term := range p.Spec.Affinity.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution {
		terms, err := nodeaffinity.NewPreferredSchedulingTerms([]corev1.PreferredSchedulingTerm{term})
		if err != nil || len(nodes) == 0 {
			return ""
		}
		if !slices.ContainsFunc(nodes, func(node runtime.Object) bool { return terms.Score(node.(*corev1.Node)) > 0 }) {
			return fmt.Sprintf("spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[%d]: no node matches it, "+
				"so it has no effect", i)
		}
	}
	return ""
}
