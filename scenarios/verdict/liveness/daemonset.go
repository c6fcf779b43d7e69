package liveness

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/placement"
)

var daemonSets = Goal{
	Resource: appsv1.Resource("daemonsets"), Controller: "daemonset-controller",
	Sentence: "A DaemonSet has one Pod on each node that should run it, and none on other nodes. With RollingUpdate, all Pods have the " +
		"newest revision.",
	Upstream: "NodeShouldRunDaemonPod and rollingUpdate in k8s.io/kubernetes/pkg/controller/daemon",
	lack: func(v *view, object runtime.Object) *Lack {
		set := object.(*appsv1.DaemonSet)
		if set.DeletionTimestamp != nil {
			return nil
		}
		if lack := unobserved(set.Generation, set.Status.ObservedGeneration); lack != nil {
			return lack
		}
		pods := v.controlledBy(set.UID)
		lack := unplaced(v, set, pods)
		if lack == nil && set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType {
			lack = outdated(v, set, pods)
		}
		if lack == nil {
			count, _ := counts(pods)
			least, most := readyNodes(v, set, pods)
			said := set.Status.NumberReady
			if lack = differ("numberReady", said, min(max(said, least), most)); lack == nil {
				lack = v.notAllReady(pods, count)
			}
			return lack
		}
		v.awaitPod(lack, pods, set.Spec.MinReadySeconds)
		return lack
	},
	note: func(v *view, object runtime.Object) string {
		set := object.(*appsv1.DaemonSet)
		if set.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType {
			return ""
		}
		if lack := outdated(v, set, v.controlledBy(set.UID)); lack != nil {
			return lack.Missing + onDelete
		}
		return ""
	},
}

// unplaced compares the nodes that have a Pod with those that should.
func unplaced(v *view, set *appsv1.DaemonSet, pods []*corev1.Pod) *Lack {
	has := map[string]bool{}
	for _, p := range pods {
		if !pod.IsPodTerminal(p) {
			has[nodeOf(p)] = true
		}
	}
	for _, object := range v.List(corev1.Resource("nodes"), "") {
		node := object.(*corev1.Node)
		run, stay := placement.RunsDaemonPod(node, set)
		switch {
		case run && !has[node.Name]:
			return &Lack{Missing: "node " + node.Name + " should run one of its Pods, but does not"}
		case !stay && has[node.Name]:
			return &Lack{Missing: "node " + node.Name + " should not run one of its Pods, but does"}
		}
	}
	return nil
}

// readyNodes are the least and the most nodes that a status may count as ready. The controller counts a node that should run a Pod if the
// oldest one there is Ready, also while it is terminating, and does not count again when a taint lets the node run none any more.
func readyNodes(v *view, set *appsv1.DaemonSet, pods []*corev1.Pod) (least, most int32) {
	some, all := map[string]bool{}, map[string]bool{}
	for _, p := range pods {
		if pod.IsPodTerminal(p) && p.DeletionTimestamp != nil {
			continue
		}
		node, ready := nodeOf(p), pod.IsPodReady(p)
		before, known := all[node]
		some[node], all[node] = some[node] || ready, ready && (before || !known)
	}
	for _, object := range v.List(corev1.Resource("nodes"), "") {
		node := object.(*corev1.Node)
		run, _ := placement.RunsDaemonPod(node, set)
		if some[node.Name] {
			most++
		}
		if all[node.Name] && run {
			least++
		}
	}
	return least, most
}

// nodeOf is the node that a Pod of a DaemonSet is for: its controller chooses it by an affinity, and kube-scheduler binds
// it there. It is empty if the Pod is for no certain node.
func nodeOf(p *corev1.Pod) string {
	node, err := util.GetTargetNodeName(p)
	if err != nil {
		return ""
	}
	return node
}

// outdated compares the Pods of a set with its newest revision.
func outdated(v *view, set *appsv1.DaemonSet, pods []*corev1.Pod) *Lack {
	var newest *appsv1.ControllerRevision
	for _, object := range v.List(appsv1.Resource("controllerrevisions"), set.Namespace) {
		revision := object.(*appsv1.ControllerRevision)
		if metav1.IsControlledBy(revision, set) && (newest == nil || revision.Revision > newest.Revision) {
			newest = revision
		}
	}
	if newest == nil {
		return &Lack{Missing: "it has no ControllerRevision"}
	}
	hash := newest.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
	for _, p := range pods {
		if p.Labels[appsv1.DefaultDaemonSetUniqueLabelKey] != hash {
			return &Lack{Missing: fmt.Sprintf("Pod %s does not have the newest revision %s", p.Name, newest.Name)}
		}
	}
	return nil
}
