package relation

import (
	"cmp"
	"fmt"
	"net/netip"
	"slices"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/apis/config"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"
	taintutils "k8s.io/kubernetes/pkg/util/taints"
)

var nodes = corev1.Resource("nodes")

var ofNodes = []Relation{
	{
		Name: "ready-node-renews-lease", Of: of(nodes, names.NodeLifecycleController),
		Sentence: "A node whose condition Ready is True has renewed its Lease, or reported its status, within " +
			"--node-monitor-grace-period.",
		Reference: "https://kubernetes.io/docs/concepts/architecture/nodes/#node-heartbeats",
		broken:    readyAndSilent,
	},
	{
		Name: "node-conditions-as-taints", Of: of(nodes, names.NodeLifecycleController),
		Sentence: "A node has a taint with the effect NoSchedule for each condition that keeps Pods away, and for spec.unschedulable, " +
			"and none of these taints without its condition.",
		Reference: "https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/#taint-nodes-by-condition",
		broken:    conditionsAsTaints,
	},
	{
		Name: "pod-cidr-used-once", Of: of(nodes, names.NodeIpamController),
		Sentence:  "The ranges of spec.podCIDRs of two nodes do not overlap.",
		Reference: "https://kubernetes.io/docs/concepts/cluster-administration/networking/",
		broken:    overlappingCIDRs,
	},
}

// configured are Objects that know how kube-controller-manager is configured.
type configured interface {
	Configuration() *config.KubeControllerManagerConfiguration
}

func readyAndSilent(v *View, object runtime.Object) *Breach {
	node := object.(*corev1.Node)
	_, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
	if ready == nil || ready.Status != corev1.ConditionTrue || node.DeletionTimestamp != nil {
		return nil
	}
	known, ok := v.Objects.(configured)
	lease, found := v.Get(coordinationv1.Resource("leases"), corev1.NamespaceNodeLease, node.Name)
	if !ok || !found || lease.(*coordinationv1.Lease).Spec.RenewTime == nil {
		return nil
	}
	last := lease.(*coordinationv1.Lease).Spec.RenewTime.Time
	if ready.LastHeartbeatTime.After(last) {
		last = ready.LastHeartbeatTime.Time
	}
	grace := known.Configuration().NodeLifecycleController.NodeMonitorGracePeriod.Duration
	if due := last.Add(grace + slack); v.Date().After(due) {
		return &Breach{Since: due, Text: fmt.Sprintf("it is Ready, but it reported %s ago for the last time, and the grace period is %s",
			v.Date().Sub(last).Truncate(slack/60), grace)}
	}
	return nil
}

// taintOf says which taint a condition of a node brings.
type taintOf struct {
	key       string
	condition corev1.NodeConditionType
	status    corev1.ConditionStatus
}

// taintsByCondition are those of nodeConditionToTaintKeyStatusMap in
// k8s.io/kubernetes/pkg/controller/nodelifecycle/node_lifecycle_controller.go, which is not exported.
var taintsByCondition = []taintOf{
	{corev1.TaintNodeNotReady, corev1.NodeReady, corev1.ConditionFalse},
	{corev1.TaintNodeUnreachable, corev1.NodeReady, corev1.ConditionUnknown},
	{corev1.TaintNodeMemoryPressure, corev1.NodeMemoryPressure, corev1.ConditionTrue},
	{corev1.TaintNodeDiskPressure, corev1.NodeDiskPressure, corev1.ConditionTrue},
	{corev1.TaintNodeNetworkUnavailable, corev1.NodeNetworkUnavailable, corev1.ConditionTrue},
	{corev1.TaintNodePIDPressure, corev1.NodePIDPressure, corev1.ConditionTrue},
}

func conditionsAsTaints(_ *View, object runtime.Object) *Breach {
	node := object.(*corev1.Node)
	if node.DeletionTimestamp != nil {
		return nil
	}
	for _, t := range taintsByCondition {
		_, condition := nodeutil.GetNodeCondition(&node.Status, t.condition)
		is := condition != nil && condition.Status == t.status
		text := fmt.Sprintf("its condition %s is", t.condition)
		if breach := tainted(node, t.key, is, text+" "+string(t.status), text+" not "+string(t.status)); breach != nil {
			return breach
		}
	}
	return tainted(node, corev1.TaintNodeUnschedulable, node.Spec.Unschedulable, "spec.unschedulable is true",
		"spec.unschedulable is false")
}

// tainted compares whether a node has a taint with whether it should. The texts say why it should, and why not.
func tainted(node *corev1.Node, key string, should bool, why, whyNot string) *Breach {
	has := taintutils.TaintExists(node.Spec.Taints, &corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
	switch {
	case should && !has:
		return broken("%s, but it does not have the taint %s with the effect NoSchedule", why, key)
	case has && !should:
		return broken("it has the taint %s with the effect NoSchedule, but %s", key, whyNot)
	}
	return nil
}

func overlappingCIDRs(v *View, object runtime.Object) *Breach {
	if v.overlaps == nil {
		v.overlaps = overlaps(v.in(nodes, ""))
	}
	if text := v.overlaps[object.(*corev1.Node).Name]; text != "" {
		return &Breach{Text: text}
	}
	return nil
}

// overlaps says of each node with which other one its Pod CIDRs overlap. Ranges are disjoint or nested. In the order of their first
// addresses, the larger one first, a range that contains others is followed by one of them: 10.0.0.0/8, 10.1.0.0/16, 10.2.0.0/16.
func overlaps(all []runtime.Object) map[string]string {
	type cidr struct {
		netip.Prefix
		node string
	}
	var ranges []cidr
	for _, object := range all {
		node := object.(*corev1.Node)
		for _, text := range node.Spec.PodCIDRs {
			if prefix, err := netip.ParsePrefix(text); err == nil {
				ranges = append(ranges, cidr{prefix.Masked(), node.Name})
			}
		}
	}
	slices.SortStableFunc(ranges, func(a, b cidr) int {
		return cmp.Or(a.Addr().Compare(b.Addr()), a.Bits()-b.Bits())
	})
	found := map[string]string{}
	for i := 1; i < len(ranges); i++ {
		a, b := ranges[i-1], ranges[i]
		if a.node == b.node || !a.Overlaps(b.Prefix) {
			continue
		}
		const text = "its Pod CIDR %s overlaps %s of node %s"
		found[a.node] = cmp.Or(found[a.node], fmt.Sprintf(text, a.Prefix, b.Prefix, b.node))
		found[b.node] = cmp.Or(found[b.node], fmt.Sprintf(text, b.Prefix, a.Prefix, a.node))
	}
	return found
}
