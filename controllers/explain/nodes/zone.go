// Package nodes explains the controllers that evict Pods from broken nodes: which taints a node gets and when
// (node-lifecycle-controller), and when its Pods are deleted because of them (taint-eviction-controller).
//
// Both decide only in part in syncs of a key. The node lifecycle controller adds the taints NoExecute from a queue with a rate limit,
// one for each zone, and the taint eviction controller has a timer for each Pod. Their requests are explained one by one.
package nodes

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodetopology "k8s.io/component-helpers/node/topology"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle/config"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

const lifecycleFile = "pkg/controller/nodelifecycle/node_lifecycle_controller.go"

// excludeDisruption is the label of nodes that do not count (isNodeExcludedFromDisruptionChecks).
const excludeDisruption = "node.kubernetes.io/exclude-disruption"

// Zone counts the nodes of a failure domain, which the node lifecycle controller taints with one rate limit.
type Zone struct {
	// Name is for people: "zone a", or "the cluster" if nodes have no zone.
	Name            string
	Ready, NotReady int
	// NoneReady means that no node of any zone is Ready.
	NoneReady bool
	Config    config.NodeLifecycleControllerConfiguration
}

// ZoneOf counts the nodes in the zone of a node, as monitorNodeHealth does.
func ZoneOf(of *corev1.Node, all []*corev1.Node, config config.NodeLifecycleControllerConfiguration) Zone {
	z := Zone{Name: zoneName(of), NoneReady: true, Config: config}
	for _, node := range all {
		_, condition := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
		if _, excluded := node.Labels[excludeDisruption]; excluded || condition == nil {
			continue
		}
		ready := condition.Status == corev1.ConditionTrue
		z.NoneReady = z.NoneReady && !ready
		switch {
		case nodetopology.GetZoneKey(node) != nodetopology.GetZoneKey(of):
		case ready:
			z.Ready++
		default:
			z.NotReady++
		}
	}
	return z
}

func zoneName(node *corev1.Node) string {
	if name := cmp.Or(node.Labels[corev1.LabelTopologyZone], node.Labels[corev1.LabelTopologyRegion]); name != "" {
		return "zone " + name
	}
	return "the cluster"
}

// State is upstream's word for the state of the zone (ComputeZoneState).
func (z Zone) State() string {
	const few = 2
	switch {
	case z.Ready == 0 && z.NotReady > 0:
		return "FullDisruption"
	case z.NotReady > few && float32(z.NotReady)/float32(z.Ready+z.NotReady) >= z.Config.UnhealthyZoneThreshold:
		return "PartialDisruption"
	}
	return "Normal"
}

// Rate is how many nodes of the zone get a taint NoExecute per second (setLimiterInZone).
func (z Zone) Rate() float32 {
	switch {
	case z.NoneReady:
		return 0
	case z.State() != "PartialDisruption":
		return z.Config.NodeEvictionRate
	case z.Ready+z.NotReady > int(z.Config.LargeClusterSizeThreshold):
		return z.Config.SecondaryNodeEvictionRate
	}
	return 0
}

// Interval is the time between two taints; 0 if there are none.
func (z Zone) Interval() time.Duration {
	if z.Rate() <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / float64(z.Rate())).Round(time.Millisecond)
}

// Stops says what the next taint NoExecute waits for if no node of the zone gets one; empty if they do.
func (z Zone) Stops() string {
	switch {
	case z.Rate() > 0:
		return ""
	case z.NoneReady:
		return "a node to be Ready: while none is, node-lifecycle-controller adds no taint, and no Pod is evicted"
	case z.State() != "PartialDisruption":
		return "a higher --node-eviction-rate: it is 0"
	}
	return fmt.Sprintf("%s to recover: %d of %d nodes are not Ready, which is %s or more, so node-lifecycle-controller adds no taint",
		z.Name, z.NotReady, z.Ready+z.NotReady, z.threshold())
}

// threshold is --unhealthy-zone-threshold as a percentage.
func (z Zone) threshold() string {
	return fmt.Sprintf("%.3g%%", float64(z.Config.UnhealthyZoneThreshold)*100)
}

// explain adds the arithmetic of the zone.
func (z Zone) explain(e *arithmetic.Explanation) {
	step := e.Step("the state of "+z.Name, lifecycleFile, "ComputeZoneState")
	all := z.Ready + z.NotReady
	if all == 0 {
		step.Line("nodes", "none has the condition Ready", nil)
		return
	}
	step.Line("not Ready", fmt.Sprintf("%d of %d", z.NotReady, all), fmt.Sprintf("%.3g%%", 100*float64(z.NotReady)/float64(all)))
	step.Line("PartialDisruption", "more than 2 nodes and at least --unhealthy-zone-threshold", z.threshold())
	step.Line("state", "", z.State())
	step = e.Step("the rate of taints NoExecute", lifecycleFile, "setLimiterInZone")
	switch {
	case z.NoneReady:
		step.Line("rate", "no node of the cluster is Ready", 0)
	case z.Rate() == z.Config.NodeEvictionRate:
		step.Line("rate", "--node-eviction-rate", z.Rate())
	case z.Rate() > 0:
		step.Line("rate", fmt.Sprintf("--secondary-node-eviction-rate, %d > %d nodes", all, z.Config.LargeClusterSizeThreshold), z.Rate())
	default:
		few := fmt.Sprintf("%d nodes are not more than --large-cluster-size-threshold %d", all, z.Config.LargeClusterSizeThreshold)
		step.Line("rate", few, 0)
	}
	if z.Interval() > 0 {
		step.Line("one taint in", fmt.Sprintf("1 / %g", z.Rate()), z.Interval())
	}
}

// Defaults is the configuration of a node lifecycle controller without flags. A recording does not have the flags of its run.
var Defaults = sync.OnceValue(func() config.NodeLifecycleControllerConfiguration {
	defaults, err := controllers.NewConfig(nil)
	if err != nil {
		panic("nodes: the defaults are invalid: " + err.Error())
	}
	return defaults.NodeLifecycleController
})
