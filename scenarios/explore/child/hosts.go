package child

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"

	"github.com/kubestep/kubestep/sim"
)

// lostHosts counts, for each node that is not Ready at the end, the Pods that were on it before. A fault may change where the scheduler
// puts a Pod, and then, without any mistake, the Pod is lost with the node in one of two runs only. A Pod that comes to such a node later
// does not count: nothing should put it there.
func lostHosts(state *sim.State) map[string]int {
	lost, hosts := map[string]time.Time{}, map[string]int{}
	for _, object := range state.List(corev1.Resource("nodes"), "") {
		node := object.(*corev1.Node)
		if _, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady); ready != nil && ready.Status != corev1.ConditionTrue {
			lost[node.Name], hosts[node.Name] = ready.LastTransitionTime.Time, 0
		}
	}
	for _, object := range state.List(corev1.Resource("pods"), "") {
		pod := object.(*corev1.Pod)
		if since, isLost := lost[pod.Spec.NodeName]; isLost && pod.CreationTimestamp.Time.Before(since) {
			hosts[pod.Spec.NodeName]++
		}
	}
	return hosts
}
