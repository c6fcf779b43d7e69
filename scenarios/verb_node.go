package scenarios

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/scenarios/spelling"
)

// zonePrefix stands before the name of a zone, in the place of a node.
const zonePrefix = "zone/"

// does says what happens to which node or zone.
func (n *NodeFault) does() (verb, target string) {
	for _, field := range []struct{ verb, target string }{
		{"fail", n.Fail}, {"partition", n.Partition}, {"recover", n.Recover}, {"skew", n.Skew},
	} {
		if field.target != "" {
			return field.verb, field.target
		}
	}
	return "", ""
}

// nodeFault makes something happen to a node, or to all nodes of a zone.
func nodeFault(_ context.Context, r *run, _ int, st Step) error {
	verb, target := st.Node.does()
	names := nodesOf(r.scenario, target)
	switch verb {
	case "fail":
		r.kubelets.Fail(names...)
	case "partition":
		r.kubelets.Partition(names...)
	case "recover":
		r.kubelets.Recover(names...)
	case "skew":
		r.kubelets.Skew(st.Node.skew(), names...)
	}
	return nil
}

// skew is how much the clock of a node is ahead.
func (n *NodeFault) skew() time.Duration {
	switch {
	case n.Ahead != nil:
		return n.Ahead.Duration
	case n.Behind != nil:
		return -n.Behind.Duration
	}
	return 0
}

func nodeText(n *NodeFault) string {
	verb, target := n.does()
	switch {
	case n.Ahead != nil:
		return verb + " " + target + " " + n.Ahead.String() + " ahead"
	case n.Behind != nil:
		return verb + " " + target + " " + n.Behind.String() + " behind"
	}
	return verb + " " + target
}

// nodesOf are the nodes that a name stands for; none if there is neither such a node nor such a zone.
func nodesOf(s *Scenario, target string) []string {
	zone, isZone := strings.CutPrefix(target, zonePrefix)
	var names []string
	for _, spec := range nodeSpecs(s.Spec.Cluster.Nodes) {
		if isZone && zone != "" && spec.Labels[corev1.LabelTopologyZone] == zone || !isZone && spec.Name == target {
			names = append(names, spec.Name)
		}
	}
	return names
}

// node wants the name of a node or of a zone that the scenario has.
func (v *validator) node(path string, n NodeFault) {
	v.one(path, reflect.TypeFor[NodeFault](), "node", "name", "{fail: node-1}, or partition, recover or skew")
	verb, target := n.does()
	if target != "" && len(nodesOf(v.scenario, target)) == 0 {
		var known []string
		for _, spec := range nodeSpecs(v.scenario.Spec.Cluster.Nodes) {
			known = append(known, spec.Name)
			if zone := spec.Labels[corev1.LabelTopologyZone]; zone != "" && !slices.Contains(known, zonePrefix+zone) {
				known = append(known, zonePrefix+zone)
			}
		}
		v.fail(joinPath(path, verb), cmp.Or(spelling.Nearest(target, known), "one of "+strings.Join(known, ", ")),
			"there is no node %q", target)
	}
	switch hasSkew := n.Ahead != nil || n.Behind != nil; {
	case n.Skew != "" && !hasSkew:
		v.fail(path, "ahead: 1m", "skew needs ahead or behind")
	case n.Ahead != nil && n.Behind != nil:
		v.fail(path+".behind", "remove one of them", "a clock is ahead or behind, not both")
	case n.Skew == "" && hasSkew && target != "":
		v.fail(path, "skew: "+target, "ahead and behind need skew")
	}
}
