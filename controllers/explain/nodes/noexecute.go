package nodes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodetopology "k8s.io/component-helpers/node/topology"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"
	taintutils "k8s.io/kubernetes/pkg/util/taints"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// NoExecute explains a request with which the node lifecycle controller adds a taint NoExecute: the state and the rate of its zone,
// and when the one before was added (doNoExecuteTaintingPass). It is nil for all other requests.
func NoExecute(rec *recording.Recording, record *trace.Record) *arithmetic.Explanation {
	v := viewOf(rec, record)
	node, taint := v.tainted(record)
	if node == nil {
		return nil
	}
	e := &arithmetic.Explanation{
		Start: record.Seq, At: record.At, Controller: names.NodeLifecycleController, Key: node.Name, Branch: "NoExecute",
	}
	o := trace.Object{Resource: "nodes", Name: node.Name}
	broken := v.since(o, func(rv uint64) bool {
		version := v.node(node.Name, rv)
		return version != nil && notReady(version) != ""
	})
	e.Step("the condition Ready of "+node.Name, lifecycleFile, "processTaintBaseEviction").
		Line(notReady(node), "since "+trace.Seconds(broken), taint)
	zone := ZoneOf(node, v.nodes(), Defaults())
	zone.explain(e)
	e.Due = broken
	step := e.Step("its turn", lifecycleFile, "doNoExecuteTaintingPass")
	if before, at := v.before(record, node); before != "" && at+zone.Interval() > broken {
		e.Due = at + zone.Interval()
		step.Line("the taint of "+before, trace.Seconds(at)+" + "+zone.Interval().String(), trace.Seconds(e.Due))
	} else {
		step.Line("no other taint", "in the time before", trace.Seconds(e.Due))
	}
	e.Act("patch", "nodes", 1, node.Name)
	rate := "no node at all"
	if zone.Interval() > 0 {
		rate = "one node in " + zone.Interval().String()
	}
	e.Verdict = fmt.Sprintf("it adds the taint %s to %s; %s has the state %s: %s", taint, node.Name, zone.Name, zone.State(), rate)
	e.Why = e.Verdict
	return e
}

// Turn is when a node that is not Ready gets its taint NoExecute at the earliest, as it is after record seq, and which node got one
// before it; false if it does not wait for its turn.
func Turn(rec *recording.Recording, actor string, name string, seq int64) (at time.Duration, before string, ok bool) {
	now := &trace.Record{Seq: seq + 1, Actor: actor}
	v := view{rec, actor, seq, observed.Begun(rec, now)}
	node := v.node(name, rec.Caches.Read(actor, "nodes").Version(trace.Object{Resource: "nodes", Name: name}, seq))
	if node == nil || notReady(node) == "" {
		return 0, "", false
	}
	zone := ZoneOf(node, v.nodes(), Defaults())
	before, sent := v.before(now, node)
	return sent + zone.Interval(), before, before != "" && zone.Interval() > 0
}

// notReady is the condition Ready as a text, empty if the node is Ready.
func notReady(node *corev1.Node) string {
	_, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
	if ready == nil || ready.Status == corev1.ConditionTrue {
		return ""
	}
	return "Ready is " + string(ready.Status)
}

// tainted is the node to which a request adds a taint NoExecute of the controller, and the key of the taint.
func (v view) tainted(record *trace.Record) (*corev1.Node, string) {
	q := record.Request
	if q == nil || q.Verb != "patch" || q.Resource != "nodes" || len(q.Writes) == 0 {
		return nil, ""
	}
	w := q.Writes[0]
	after, before := v.node(w.Name, w.RV), v.node(w.Name, w.Before)
	if after == nil || before == nil {
		return nil, ""
	}
	for _, taint := range after.Spec.Taints {
		own := taint.Key == corev1.TaintNodeNotReady || taint.Key == corev1.TaintNodeUnreachable
		if own && taint.Effect == corev1.TaintEffectNoExecute && !taintutils.TaintExists(before.Spec.Taints, &taint) {
			return after, taint.Key
		}
	}
	return nil, ""
}

// before is the node that got the taint before another one in the same zone, and when; empty for none since the process started.
func (v view) before(record *trace.Record, node *corev1.Node) (name string, at time.Duration) {
	for _, seq := range slices.Backward(v.rec.OfActor(v.actor)) {
		other := v.rec.Record(seq)
		if seq <= v.begun {
			break
		}
		if seq >= record.Seq || other.Request == nil || strings.HasPrefix(other.Request.Resource, "events") {
			continue
		}
		if tainted, _ := v.tainted(other); tainted != nil && nodetopology.GetZoneKey(tainted) == nodetopology.GetZoneKey(node) {
			return tainted.Name, other.Request.Sent
		}
	}
	return "", 0
}
