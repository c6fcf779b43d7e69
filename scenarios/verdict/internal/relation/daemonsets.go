package relation

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/placement"
)

var ofDaemonSets = []Relation{
	{
		Name: "daemonset-counts-nodes", Of: of(daemonSets, names.DaemonSetController),
		Sentence: "The status of a DaemonSet counts the nodes that should run one of its Pods, those of them that have one, and the " +
			"other nodes that have one.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/apps/daemon-set-v1/#DaemonSetStatus",
		broken:    miscountsNodes,
	},
	{
		Name: "daemonset-pods-have-nodes", Of: of(daemonSets, names.DaemonSetController),
		Sentence:  "A DaemonSet has no Pod for a node that does not exist.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/daemonset/#how-daemon-pods-are-scheduled",
		broken: func(v *View, object runtime.Object) *Breach {
			set := object.(*appsv1.DaemonSet)
			for _, child := range v.controlledBy(pods, set.Namespace, string(set.UID)) {
				p := child.(*corev1.Pod)
				node, err := util.GetTargetNodeName(p)
				if err != nil || !lives(p) || set.DeletionTimestamp != nil {
					continue
				}
				if _, exists := v.Get(nodes, "", node); !exists {
					return broken("it has Pod %s for node %s, which does not exist", p.Name, node)
				}
			}
			return nil
		},
	},
}

func miscountsNodes(v *View, object runtime.Object) *Breach {
	set := object.(*appsv1.DaemonSet)
	if set.DeletionTimestamp != nil || set.Status.ObservedGeneration < set.Generation {
		return nil
	}
	has := map[string]bool{}
	for _, child := range v.controlledBy(pods, set.Namespace, string(set.UID)) {
		if node, err := util.GetTargetNodeName(child.(*corev1.Pod)); err == nil {
			has[node] = true
		}
	}
	var desired, current, misscheduled int32
	for _, object := range v.in(nodes, "") {
		node := object.(*corev1.Node)
		should, _ := placement.RunsDaemonPod(node, set)
		switch {
		case should && has[node.Name]:
			current++
			desired++
		case should:
			desired++
		case has[node.Name]:
			misscheduled++
		}
	}
	for _, number := range []struct {
		name     string
		says, is int32
	}{
		{"desiredNumberScheduled", set.Status.DesiredNumberScheduled, desired},
		{"currentNumberScheduled", set.Status.CurrentNumberScheduled, current},
		{"numberMisscheduled", set.Status.NumberMisscheduled, misscheduled},
	} {
		if number.says != number.is {
			return broken("status.%s is %d, but it should be %d", number.name, number.says, number.is)
		}
	}
	return nil
}
