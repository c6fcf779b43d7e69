package nodes

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	v1helper "k8s.io/kubernetes/pkg/apis/core/v1/helper"
	taintutils "k8s.io/kubernetes/pkg/util/taints"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

const evictionFile = "pkg/controller/tainteviction/taint_eviction.go"

// Eviction explains a request with which the taint eviction controller deletes a Pod: which taints its node has, for how long the
// Pod tolerates them, and since when the controller has known of both (processPodOnNode). It is nil for all other requests.
func Eviction(rec *recording.Recording, record *trace.Record) *arithmetic.Explanation {
	if record.Request.Resource != "pods" {
		return nil
	}
	v := viewOf(rec, record)
	pod := v.pod(record.Request.Object)
	if pod == nil || pod.Spec.NodeName == "" {
		return nil
	}
	e := &arithmetic.Explanation{
		Start: record.Seq, At: record.At, Controller: names.TaintEvictionController,
		Key: pod.Namespace + "/" + pod.Name, Branch: "eviction",
	}
	node := trace.Object{Resource: "nodes", Name: pod.Spec.NodeName}
	tainted := v.since(node, func(rv uint64) bool { return len(noExecuteTaints(v.node(node.Name, rv))) > 0 })
	bound := v.since(record.Request.Object, func(rv uint64) bool {
		version := v.podVersion(record.Request.Object, rv)
		return version != nil && version.Spec.NodeName != ""
	})
	start := max(tainted, bound)
	taints := v.taintsAt(node, start)
	if len(taints) == 0 {
		return nil
	}
	step := e.Step("the taints NoExecute of node "+node.Name, evictionFile, "handleNodeUpdate")
	for _, taint := range taints {
		step.Line(taint.Key, "known since", trace.Seconds(tainted))
	}
	if bound > tainted {
		step.Line("the Pod", "on the node since", trace.Seconds(bound))
	}
	then := pod
	if version := v.podVersion(record.Request.Object, v.rec.Caches.Read(v.actor, "pods").Version(record.Request.Object, v.rec.Find(start))); version != nil {
		then = version
	}
	wait, text := tolerates(then, taints)
	e.Due = start + wait
	step = e.Step("the tolerations of Pod "+pod.Name, evictionFile, "getMinTolerationTime")
	step.Line("tolerates them", text, wait)
	if now, _ := tolerates(pod, taints); now != wait {
		step.Line("tolerationSeconds now", "a timer that runs is not changed", now)
	}
	e.Step("the timer", evictionFile, "processPodOnNode").
		Line("deleted at", trace.Seconds(start)+" + "+wait.String(), trace.Seconds(e.Due))
	e.Act("delete", "pods", 1, pod.Name)
	e.Verdict = fmt.Sprintf("it deletes Pod %s, which tolerates the taint %s of node %s for %s: from %s to %s", pod.Name, taints[0].Key,
		node.Name, wait, trace.Seconds(start), trace.Seconds(e.Due))
	e.Why = e.Verdict
	return e
}

// tolerates is how long a Pod tolerates taints, 0 if it does not tolerate all; the text says which toleration decides.
func tolerates(pod *corev1.Pod, taints []corev1.Taint) (time.Duration, string) {
	all, used := v1helper.GetMatchingTolerations(klog.Background(), taints, pod.Spec.Tolerations)
	if !all {
		return 0, "not all are tolerated"
	}
	least := int64(-1)
	for _, t := range used {
		if t.TolerationSeconds != nil && (least < 0 || *t.TolerationSeconds < least) {
			least = max(0, *t.TolerationSeconds)
		}
	}
	if least < 0 {
		return 0, "no toleration has a limit"
	}
	return time.Duration(least) * time.Second, fmt.Sprintf("least tolerationSeconds of %d that match", len(used))
}

// noExecuteTaints are the taints of a node with the effect NoExecute.
func noExecuteTaints(node *corev1.Node) []corev1.Taint {
	if node == nil {
		return nil
	}
	return taintutils.TaintSetFilter(node.Spec.Taints, func(t *corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoExecute })
}

// taintsAt are the taints NoExecute of a node in the cache at a time.
func (v view) taintsAt(node trace.Object, at time.Duration) []corev1.Taint {
	cache := v.rec.Caches.Read(v.actor, "nodes")
	return noExecuteTaints(v.node(node.Name, cache.Version(node, v.rec.Find(at))))
}

// pod is a Pod in the cache, or else in the store.
func (v view) pod(o trace.Object) *corev1.Pod {
	if pod := v.podVersion(o, v.rec.Caches.Read(v.actor, "pods").Version(o, v.seq)); pod != nil {
		return pod
	}
	pod := &corev1.Pod{}
	if object := v.rec.Replay.ObjectAt(o, v.seq); object != nil && observed.Convert(object, pod) == nil {
		return pod
	}
	return nil
}

func (v view) podVersion(o trace.Object, rv uint64) *corev1.Pod {
	pod := &corev1.Pod{}
	if object := v.rec.Replay.ObjectVersion(o, rv); object == nil || observed.Convert(object, pod) != nil {
		return nil
	}
	return pod
}
