package liveness

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"

	"github.com/kubestep/kubestep/controllers/placement"
)

var evictions = Goal{
	Resource: corev1.Resource("pods"), Controller: "taint-eviction-controller",
	Sentence: "A Pod on a node with a NoExecute taint is deleted, unless it tolerates the taint. If it tolerates the taint for a " +
		"limited time, it is deleted after that time.",
	Upstream: "processPodOnNode in k8s.io/kubernetes/pkg/controller/tainteviction/taint_eviction.go",
	lack: func(v *view, object runtime.Object) *Lack {
		p := object.(*corev1.Pod)
		if p.Spec.NodeName == "" || p.DeletionTimestamp != nil || pod.IsPodTerminal(p) {
			return nil
		}
		node := v.node(p.Spec.NodeName)
		if node == nil {
			return nil
		}
		e := v.evictionOf(p, node)
		switch {
		case e.taint == "":
			return nil
		case !e.tolerated:
			return &Lack{Missing: fmt.Sprintf("it does not tolerate the taint %s of node %s, but is not deleted", e.taint, node.Name)}
		case e.at.IsZero() || v.Date().Sub(e.at) <= rest:
			return nil
		}
		return &Lack{Since: e.at, Missing: fmt.Sprintf("it tolerates the taint %s of node %s for %d s, but is not deleted",
			e.taint, node.Name, e.seconds)}
	},
}

// rest is the time that a controller has to act before an object counts as forgotten.
const rest = time.Minute

// eviction is what the taints of a node mean for a Pod.
type eviction struct {
	// taint is the key of the first taint with the effect NoExecute; empty for none.
	taint string
	// tolerated means that the Pod may stay, and limited that it may for seconds only; at is the end, zero if it is unknown.
	tolerated, limited bool
	seconds            int64
	at                 time.Time
}

func (v *view) evictionOf(p *corev1.Pod, node *corev1.Node) eviction {
	var e eviction
	var taints []corev1.Taint
	var since time.Time
	for _, taint := range node.Spec.Taints {
		if taint.Effect != corev1.TaintEffectNoExecute {
			continue
		}
		taints = append(taints, taint)
		if taint.TimeAdded != nil && taint.TimeAdded.After(since) {
			since = taint.TimeAdded.Time
		}
	}
	if len(taints) == 0 {
		return e
	}
	e.taint = taints[0].Key
	var tolerations []corev1.Toleration
	e.tolerated, tolerations = placement.Tolerations(taints, p.Spec.Tolerations)
	if dated, ok := v.World.(Dated); ok && since.IsZero() {
		since = dated.Tainted(node.Name)
	}
	if e.seconds, e.limited = shortest(tolerations); e.limited && !since.IsZero() {
		e.at = since.Add(time.Duration(e.seconds) * time.Second)
	}
	return e
}

// shortest is the least tolerationSeconds, if a toleration has any.
func shortest(tolerations []corev1.Toleration) (seconds int64, limited bool) {
	for _, t := range tolerations {
		if t.TolerationSeconds != nil && (!limited || *t.TolerationSeconds < seconds) {
			seconds, limited = max(0, *t.TolerationSeconds), true
		}
	}
	return seconds, limited
}

// Remains says how long a Pod remains on a node that is not Ready, and why; empty if its node is Ready.
func Remains(world World, p *corev1.Pod) string {
	v := newView(world)
	if node := v.brokenNode(p); node != nil {
		return v.remains(p, node)
	}
	return ""
}

// brokenNode is the node of a Pod if it is not Ready, or nil.
func (v *view) brokenNode(p *corev1.Pod) *corev1.Node {
	node := v.node(p.Spec.NodeName)
	if node == nil {
		return nil
	}
	_, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
	if ready == nil || ready.Status == corev1.ConditionTrue {
		return nil
	}
	return node
}

// whyItStays says why a Pod stays on a node that is not Ready, as a clause that follows "is not Ready"; empty if its node is Ready.
func (v *view) whyItStays(p *corev1.Pod) string {
	node := v.brokenNode(p)
	if node == nil {
		return ""
	}
	text := ", like its node " + node.Name
	if reason := v.remains(p, node); reason != "" {
		text += ": " + reason
	}
	return text
}

// remains says how long a Pod remains on a node that is not Ready.
func (v *view) remains(p *corev1.Pod, node *corev1.Node) string {
	e := v.evictionOf(p, node)
	switch {
	case e.taint == "" && !v.works(nodeTaints.Controller):
		return "nothing evicts it, because " + nodeTaints.Controller + " does not run"
	case e.taint == "":
		if lack := nodeTaints.lack(v, node); lack != nil && lack.For != "" {
			return "nothing evicts it before the node has a taint, and that waits for " + lack.For
		}
		return "nothing evicts it before the node has a taint"
	case !v.works(evictions.Controller):
		return "nothing evicts it, because " + evictions.Controller + " does not run"
	case e.tolerated && !e.limited:
		return "it tolerates the taint " + e.taint + " without a limit"
	case e.tolerated && e.at.After(v.Date()):
		return fmt.Sprintf("it tolerates the taint %s for %d s, and is deleted in %s", e.taint, e.seconds,
			e.at.Sub(v.Date()).Round(time.Second))
	}
	return ""
}
