package nodes

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	kubeletapis "k8s.io/kubelet/pkg/apis"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"
	taintutils "k8s.io/kubernetes/pkg/util/taints"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

// nodeQueue is the queue of the node lifecycle controller whose keys are nodes.
const nodeQueue = "node_lifecycle_controller"

// Lifecycle explains a sync of a node: which taints NoSchedule follow from its conditions (doNoScheduleTaintingPass), and what its
// zone says about the taint NoExecute, which another goroutine adds. Syncs of Pods have no explanation.
func Lifecycle(s observed.Sync) *arithmetic.Explanation {
	if s.Start.Sync.Queue != nodeQueue {
		return nil
	}
	node := &corev1.Node{}
	e, ok := s.Begin("nodes", "Node", node)
	if !ok {
		return e
	}
	var changes []string
	step := e.Step("taints NoSchedule", lifecycleFile, "doNoScheduleTaintingPass")
	wanted := fromConditions(step, node)
	has := taintutils.TaintSetFilter(node.Spec.Taints, func(t *corev1.Taint) bool { return followsFromConditions(t) })
	add, remove := taintutils.TaintSetDiff(wanted, has)
	// The cache may be older than the node that it then reads from the API server.
	current := newest(s, node)
	if slices.ContainsFunc(add, func(t *corev1.Taint) bool { return !taintutils.TaintExists(current.Spec.Taints, t) }) {
		changes = append(changes, "adds "+keys(add))
	}
	if slices.ContainsFunc(remove, func(t *corev1.Taint) bool { return taintutils.TaintExists(current.Spec.Taints, t) }) {
		changes = append(changes, "removes "+keys(remove))
	}
	if labels := labelsToUpdate(node); labels != "" {
		e.Step("labels", lifecycleFile, "reconcileNodeLabels").Line(labels, "the stable label counts", nil)
		changes = append(changes, "sets the label "+labels)
	}
	e.Act("patch", "nodes", len(changes), slices.Repeat([]string{node.Name}, len(changes))...)
	zone := ZoneOf(node, list(s), Defaults())
	zone.explain(e)
	e.Verdict = "nothing: its taints NoSchedule follow from its conditions"
	if len(changes) > 0 {
		e.Verdict = "it " + strings.Join(changes, " and ")
	}
	e.Why = e.Verdict
	e.Verdict += noExecute(node, zone)
	return s.Finish(e)
}

// conditionTaints are the taints of conditions, by the status with which they come (nodeConditionToTaintKeyStatusMap).
var conditionTaints = map[corev1.NodeConditionType]map[corev1.ConditionStatus]string{
	corev1.NodeReady: {
		corev1.ConditionFalse: corev1.TaintNodeNotReady, corev1.ConditionUnknown: corev1.TaintNodeUnreachable,
	},
	corev1.NodeMemoryPressure:     {corev1.ConditionTrue: corev1.TaintNodeMemoryPressure},
	corev1.NodeDiskPressure:       {corev1.ConditionTrue: corev1.TaintNodeDiskPressure},
	corev1.NodeNetworkUnavailable: {corev1.ConditionTrue: corev1.TaintNodeNetworkUnavailable},
	corev1.NodePIDPressure:        {corev1.ConditionTrue: corev1.TaintNodePIDPressure},
}

// fromConditions are the taints NoSchedule that a node should have.
func fromConditions(step *arithmetic.Step, node *corev1.Node) []corev1.Taint {
	var taints []corev1.Taint
	for _, condition := range node.Status.Conditions {
		if key, found := conditionTaints[condition.Type][condition.Status]; found {
			step.Line(string(condition.Type), string(condition.Status), key)
			taints = append(taints, corev1.Taint{Key: key, Effect: corev1.TaintEffectNoSchedule})
		}
	}
	if node.Spec.Unschedulable {
		step.Line("spec.unschedulable", "true", corev1.TaintNodeUnschedulable)
		taints = append(taints, corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule})
	}
	if len(taints) == 0 {
		step.Line("no taint", "every condition is as it should be", nil)
	}
	return taints
}

// followsFromConditions reports whether a taint is one of those that follow from conditions.
func followsFromConditions(t *corev1.Taint) bool {
	if t.Effect != corev1.TaintEffectNoSchedule {
		return false
	}
	for _, taints := range conditionTaints {
		for _, key := range taints {
			if key == t.Key {
				return true
			}
		}
	}
	return t.Key == corev1.TaintNodeUnschedulable
}

func keys(taints []*corev1.Taint) string {
	var names []string
	for _, t := range taints {
		names = append(names, t.Key)
	}
	return fmt.Sprintf("the taint %s with the effect %s", strings.Join(names, ", "), taints[0].Effect)
}

// labelsToUpdate are the beta labels that do not have the value of the stable ones (labelReconcileInfo).
func labelsToUpdate(node *corev1.Node) string {
	var names []string
	for _, pair := range [][2]string{{corev1.LabelOSStable, kubeletapis.LabelOS}, {corev1.LabelArchStable, kubeletapis.LabelArch}} {
		value, exists := node.Labels[pair[0]]
		if second, has := node.Labels[pair[1]]; exists && (!has || second != value) {
			names = append(names, pair[1])
		}
	}
	return strings.Join(names, ", ")
}

// newest is the node that a sync read from the API server before it wrote; that of its cache if it read none.
func newest(s observed.Sync, cached *corev1.Node) *corev1.Node {
	o := trace.Object{Resource: "nodes", Name: cached.Name}
	for _, r := range s.Requests {
		node := &corev1.Node{}
		if r.Request.Verb == "get" && r.Request.Object == o &&
			observed.Convert(s.Rec.Replay.ObjectVersion(o, observed.Number(r.Request.RV)), node) == nil {
			return node
		}
	}
	return cached
}

// list are the nodes in the cache.
func list(s observed.Sync) []*corev1.Node {
	var all []*corev1.Node
	for _, object := range s.List("nodes") {
		node := &corev1.Node{}
		if observed.Convert(object, node) == nil {
			all = append(all, node)
		}
	}
	return all
}

// noExecute says what becomes of the taint NoExecute of a node that is not Ready, as a clause; empty if it is Ready.
func noExecute(node *corev1.Node, zone Zone) string {
	_, ready := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
	if ready == nil || ready.Status == corev1.ConditionTrue {
		return ""
	}
	taint := &corev1.Taint{Key: conditionTaints[corev1.NodeReady][ready.Status], Effect: corev1.TaintEffectNoExecute}
	switch {
	case taintutils.TaintExists(node.Spec.Taints, taint):
		return "; it has the taint NoExecute"
	case zone.Stops() != "":
		return "; the taint NoExecute waits for " + zone.Stops()
	}
	return fmt.Sprintf("; the taint NoExecute follows, for one node of %s in %s", zone.Name, zone.Interval())
}
