package nodes

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	taintutils "k8s.io/kubernetes/pkg/util/taints"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/controllers/placement"
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
	t := v.timer(record.Request.Object, pod.Spec.NodeName)
	if t == nil {
		return nil
	}
	e := &arithmetic.Explanation{
		Start: record.Seq, At: record.At, Due: t.fires, Controller: names.TaintEvictionController,
		Key: pod.Namespace + "/" + pod.Name, Branch: "eviction",
	}
	step := e.Step("the taints NoExecute of node "+pod.Spec.NodeName, evictionFile, "handleNodeUpdate")
	for _, taint := range t.taints {
		step.Line(taint.Key, "known with the Pod since", trace.Seconds(t.created))
	}
	wait := t.fires - t.created
	step = e.Step("the tolerations of Pod "+pod.Name, evictionFile, "getMinTolerationTime")
	step.Line("tolerates them", t.text, wait)
	if now, _, _ := tolerates(pod, t.taints); now != wait {
		step.Line("tolerationSeconds now", "a timer that runs is not changed", now)
	}
	e.Step("the timer", evictionFile, "processPodOnNode").
		Line("deleted at", trace.Seconds(t.created)+" + "+wait.String(), trace.Seconds(t.fires))
	e.Act("delete", "pods", 1, pod.Name)
	e.Verdict = fmt.Sprintf("it deletes Pod %s, which tolerates the taint %s of node %s for %s: from %s to %s", pod.Name, t.taints[0].Key,
		pod.Spec.NodeName, wait, trace.Seconds(t.created), trace.Seconds(t.fires))
	e.Why = e.Verdict
	return e
}

// timer is what deletes a Pod.
type timer struct {
	created, fires time.Duration
	taints         []corev1.Taint
	text           string
}

// timer is the last one that the controller has set for a Pod on a node, nil for none. It is set when the taints of the node or the
// tolerations of the Pod change, and a timer that runs is only changed by a taint that is not tolerated at all.
func (v view) timer(pod trace.Object, node string) *timer {
	var last *timer
	var taints []corev1.Taint
	var tolerations []corev1.Toleration
	nodes, pods := v.rec.Caches.Read(v.actor, "nodes"), v.rec.Caches.Read(v.actor, "pods")
	of := trace.Object{Resource: "nodes", Name: node}
	for _, seq := range v.changes(nodes, of, pods, pod) {
		p := v.podVersion(pod, pods.Version(pod, seq))
		if p == nil || p.Spec.NodeName != node {
			last, taints = nil, nil
			continue
		}
		now := noExecuteTaints(v.node(node, nodes.Version(of, seq)))
		if equality.Semantic.DeepEqual(now, taints) && equality.Semantic.DeepEqual(p.Spec.Tolerations, tolerations) {
			continue
		}
		taints, tolerations = now, p.Spec.Tolerations
		at := v.rec.At(seq)
		wait, text, limited := tolerates(p, taints)
		switch runs := last != nil && last.fires > at; {
		case len(taints) == 0 || !limited:
			last = nil
		case wait > 0 && runs:
		default:
			last = &timer{at, at + wait, taints, text}
		}
	}
	return last
}

// changes are the records with which a node or a Pod changed in the caches since the process started, in order.
func (v view) changes(nodes *recording.Informer, node trace.Object, pods *recording.Informer, pod trace.Object) []int64 {
	filled := int64(0)
	if v.begun > 0 {
		filled = max(nodes.FirstAfter(v.begun), pods.FirstAfter(v.begun))
	}
	changes := []int64{filled}
	for seq := range nodes.History(node, v.seq) {
		changes = append(changes, max(seq, filled))
	}
	for seq := range pods.History(pod, v.seq) {
		changes = append(changes, max(seq, filled))
	}
	slices.Sort(changes)
	return slices.Compact(changes)
}

// tolerates is how long a Pod tolerates taints, 0 if it does not tolerate all; the text says which toleration decides. It is not
// limited if the Pod tolerates them without an end.
func tolerates(pod *corev1.Pod, taints []corev1.Taint) (wait time.Duration, text string, limited bool) {
	all, used := placement.Tolerations(taints, pod.Spec.Tolerations)
	if !all {
		return 0, "not all are tolerated", true
	}
	least := int64(-1)
	for _, t := range used {
		if t.TolerationSeconds != nil && (least < 0 || *t.TolerationSeconds < least) {
			least = max(0, *t.TolerationSeconds)
		}
	}
	if least < 0 {
		return 0, "no toleration has a limit", false
	}
	return time.Duration(least) * time.Second, fmt.Sprintf("least tolerationSeconds of %d that match", len(used)), true
}

// noExecuteTaints are the taints of a node with the effect NoExecute.
func noExecuteTaints(node *corev1.Node) []corev1.Taint {
	if node == nil {
		return nil
	}
	return taintutils.TaintSetFilter(node.Spec.Taints, func(t *corev1.Taint) bool { return t.Effect == corev1.TaintEffectNoExecute })
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
