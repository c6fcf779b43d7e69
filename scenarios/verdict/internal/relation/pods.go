package relation

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"
)

var pods = corev1.Resource("pods")

var ofPods = []Relation{
	{
		Name: "ready-pod-on-reporting-node", Of: of(pods, names.NodeLifecycleController),
		Sentence: "A Pod that is Ready is on a node whose condition Ready is not Unknown.",
		// "the node controller ... marks Pods": the page says so of nodes that become unreachable.
		Reference: "https://kubernetes.io/docs/concepts/architecture/nodes/#node-controller",
		broken:    readyOnSilentNode,
	},
	{
		Name: "ready-pod-with-ready-containers", Of: of(pods, ""),
		Sentence: "A Pod that is Ready has the condition ContainersReady, and each condition of its spec.readinessGates. Its conditions " +
			"Initialized and PodScheduled are not False.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-readiness-status",
		broken:    readyWithoutContainers,
	},
	{
		Name: "finished-pod-not-ready", Of: of(pods, ""),
		Sentence:  "A Pod whose phase is Succeeded or Failed is not Ready.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-phase",
		broken: func(_ *View, object runtime.Object) *Breach {
			if p := object.(*corev1.Pod); pod.IsPodTerminal(p) && pod.IsPodReady(p) && p.DeletionTimestamp == nil {
				return broken("its phase is %s, but it is Ready", p.Status.Phase)
			}
			return nil
		},
	},
	{
		Name: "bound-pod-scheduled", Of: of(pods, ""),
		Sentence:  "A Pod with spec.nodeName does not have the condition PodScheduled with the status False.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-conditions",
		broken: func(_ *View, object runtime.Object) *Breach {
			p := object.(*corev1.Pod)
			_, scheduled := pod.GetPodCondition(&p.Status, corev1.PodScheduled)
			if p.Spec.NodeName == "" || p.DeletionTimestamp != nil || !runs(p) || scheduled == nil ||
				scheduled.Status != corev1.ConditionFalse {
				return nil
			}
			return broken("it runs on node %s, but its condition PodScheduled is False", p.Spec.NodeName)
		},
	},
	{
		Name: "pod-ip-used-once", Of: of(pods, ""),
		Sentence:  "Two Pods that run, and do not use the network of their node, do not have the same IP address.",
		Reference: "https://kubernetes.io/docs/concepts/services-networking/#the-kubernetes-network-model",
		broken:    sharedPodIP,
	},
}

func readyOnSilentNode(v *View, object runtime.Object) *Breach {
	p := object.(*corev1.Pod)
	if p.Spec.NodeName == "" || pod.IsPodTerminal(p) || !pod.IsPodReady(p) {
		return nil
	}
	node, found := v.Get(nodes, "", p.Spec.NodeName)
	if !found {
		return nil // pod-garbage-collector-controller deletes it: that is a goal of its own
	}
	_, ready := nodeutil.GetNodeCondition(&node.(*corev1.Node).Status, corev1.NodeReady)
	if ready == nil || ready.Status != corev1.ConditionUnknown {
		return nil
	}
	return broken("it is Ready, but its node %s does not report: the condition Ready of the node is Unknown",
		p.Spec.NodeName)
}

func readyWithoutContainers(_ *View, object runtime.Object) *Breach {
	p := object.(*corev1.Pod)
	if !pod.IsPodReady(p) {
		return nil
	}
	needs := []corev1.PodConditionType{corev1.ContainersReady, corev1.PodInitialized, corev1.PodScheduled}
	own := len(needs)
	for _, gate := range p.Spec.ReadinessGates {
		needs = append(needs, gate.ConditionType)
	}
	for i, need := range needs {
		_, condition := pod.GetPodCondition(&p.Status, need)
		switch {
		case condition == nil && i >= own:
			return broken("it is Ready, but does not have the condition %s of its readiness gates", need)
		case condition != nil && condition.Status != corev1.ConditionTrue:
			return broken("it is Ready, but its condition %s is %s", need, condition.Status)
		}
	}
	return nil
}

func sharedPodIP(v *View, object runtime.Object) *Breach {
	p := object.(*corev1.Pod)
	if !hasOwnIP(p) {
		return nil
	}
	others := v.others("pod-ip-used-once", p.Status.PodIP, keyOf(p), func(use func(value, name string)) {
		for _, object := range v.in(pods, "") {
			if other := object.(*corev1.Pod); hasOwnIP(other) {
				use(other.Status.PodIP, keyOf(other))
			}
		}
	})
	if len(others) == 0 {
		return nil
	}
	slices.Sort(others)
	return broken("it has the IP address %s, and so does Pod %s", p.Status.PodIP, others[0])
}

// hasOwnIP reports whether a Pod runs and has an IP address that is not the one of its node.
func hasOwnIP(p *corev1.Pod) bool { return !p.Spec.HostNetwork && p.Status.PodIP != "" && runs(p) }

// runs reports whether the phase of a Pod is Running.
func runs(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning }
