package snapshot

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/kubernetes/pkg/api/v1/pod"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/sim/trace"
)

// nodes makes the Nodes that Pods are bound to and the dump does not have. What the rest of the dump tells of such a node is
// kept: it may not be Ready, or not exist any more.
func (s *snapshot) nodes() {
	on := map[string][]*corev1.Pod{}
	for _, p := range s.pods() {
		if name := p.Spec.NodeName; name != "" && s.byTitle["Node "+name] == nil {
			on[name] = append(on[name], p)
		}
	}
	others := slices.ContainsFunc(s.objects, func(o *unstructured.Unstructured) bool { return o.GetKind() == "Node" })
	var made, silent []string
	for _, name := range sortedKeys(on) {
		since, sign := s.silence(name, on[name])
		switch {
		case others && (sign != "" || !slices.ContainsFunc(on[name], func(p *corev1.Pod) bool { return !s.isOverdue(p) })):
			s.report.States = append(s.report.States, fmt.Sprintf(
				"Node %s does not exist: the dump has other Nodes, but not this one, and nobody acts for its Pods: %s", name, podNames(on[name])))
		case sign != "":
			s.add(newNode(name, since))
			silent = append(silent, name)
			s.report.States = append(s.report.States, fmt.Sprintf(
				"Node %s is not Ready since %s, and does not recover: %s", name, since.UTC().Format(time.RFC3339), sign))
		default:
			s.add(newNode(name, time.Time{}))
			made = append(made, name)
		}
	}
	for _, name := range slices.Concat(made, silent) {
		s.invented(name, on[name])
	}
	if len(made) > 0 {
		s.report.Created = append(s.report.Created, "Ready Nodes without labels and taints, for Pods that are bound to them: "+some(made))
	}
	if len(silent) > 0 && len(made) == 0 && !others {
		s.report.Warnings = append(s.report.Warnings, "no Node of the scenario is Ready, so new Pods wait for a node")
	}
	if len(silent) > 0 {
		s.report.Created = append(s.report.Created, "Nodes that are not Ready, for Pods that are bound to them: "+some(silent))
	}
}

// invented notes the objects that a Node which the dump does not have may change: its Pods, and DaemonSets, which want a Pod on
// each node.
func (s *snapshot) invented(node string, pods []*corev1.Pod) {
	if s.report.Invented == nil {
		s.report.Invented = map[trace.Object]string{}
	}
	for _, p := range pods {
		s.report.Invented[trace.Object{Resource: "pods", Namespace: p.Namespace, Name: p.Name}] = node
	}
	for _, o := range s.objects {
		if o.GetKind() == "DaemonSet" {
			s.report.Invented[trace.Object{Resource: s.resourceOf(o), Namespace: o.GetNamespace(), Name: o.GetName()}] = node
		}
	}
}

// silence is the sign that a node is not Ready, and since when; empty if there is none. The node lifecycle controller writes
// Events, and marks the Pods of the node as not Ready, whose containers are still ready (MarkPodsNotReady in
// pkg/controller/util/node/controller_utils.go).
func (s *snapshot) silence(name string, pods []*corev1.Pod) (since time.Time, sign string) {
	lost, back := s.events.last("Node", "", name, "NodeNotReady"), s.events.last("Node", "", name, "NodeReady")
	if lost.After(back) {
		return lost, "Event NodeNotReady of the Node"
	}
	for _, p := range pods {
		if at := s.events.last("Pod", p.Namespace, p.Name, "NodeNotReady"); at.After(back) {
			return at, fmt.Sprintf("Event NodeNotReady of Pod %s/%s", p.Namespace, p.Name)
		}
		c := pod.GetPodReadyCondition(p.Status)
		if c == nil || c.Status == corev1.ConditionTrue || !c.LastTransitionTime.After(back) {
			continue
		}
		switch {
		case p.Status.Reason == "NodeLost":
			return c.LastTransitionTime.Time, fmt.Sprintf("status.reason of Pod %s/%s is NodeLost", p.Namespace, p.Name)
		case p.Status.Phase == corev1.PodRunning && containersReady(p):
			return c.LastTransitionTime.Time, fmt.Sprintf("Pod %s/%s is not Ready, although its containers are", p.Namespace, p.Name)
		}
	}
	return time.Time{}, ""
}

func containersReady(p *corev1.Pod) bool {
	unready := func(c corev1.ContainerStatus) bool { return !c.Ready }
	return len(p.Status.ContainerStatuses) > 0 && !slices.ContainsFunc(p.Status.ContainerStatuses, unready)
}

// newNode is a Node that the dump does not have. It is Ready, unless it has been silent since some time.
func newNode(name string, silent time.Time) *unstructured.Unstructured {
	ready := map[string]any{"type": string(corev1.NodeReady), "status": string(corev1.ConditionTrue), "reason": "KubeletReady"}
	node := &unstructured.Unstructured{Object: map[string]any{"status": map[string]any{
		"allocatable": map[string]any{"pods": fmt.Sprint(format.DefaultNodePods)},
		"capacity":    map[string]any{"pods": fmt.Sprint(format.DefaultNodePods)},
		"conditions":  []any{ready},
	}}}
	node.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Node"))
	node.SetName(name)
	node.SetLabels(map[string]string{corev1.LabelHostname: name})
	if silent.IsZero() {
		return node
	}
	// As the node lifecycle controller leaves it.
	since := silent.UTC().Format(time.RFC3339)
	ready["status"], ready["reason"] = string(corev1.ConditionUnknown), "NodeStatusUnknown"
	ready["message"], ready["lastTransitionTime"] = "Kubelet stopped posting node status.", since
	var taints []any
	for _, effect := range []corev1.TaintEffect{corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute} {
		taints = append(taints, map[string]any{"key": corev1.TaintNodeUnreachable, "effect": string(effect), "timeAdded": since})
	}
	node.Object["spec"] = map[string]any{"taints": taints}
	return node
}

// isReady reports whether the condition Ready of a Node is True.
func isReady(node *unstructured.Unstructured) bool {
	conditions, _, _ := unstructured.NestedSlice(node.Object, "status", "conditions")
	return slices.ContainsFunc(conditions, func(c any) bool {
		fields, _ := c.(map[string]any)
		return fields["type"] == string(corev1.NodeReady) && fields["status"] == string(corev1.ConditionTrue)
	})
}

func podNames(pods []*corev1.Pod) string {
	var names []string
	for _, p := range pods {
		names = append(names, p.Namespace+"/"+p.Name)
	}
	slices.Sort(names)
	return "Pod " + strings.ReplaceAll(some(names), ", ", ", Pod ")
}
