package liveness

import (
	"cmp"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	nodetopology "k8s.io/component-helpers/node/topology"
	"k8s.io/kubernetes/pkg/controller/nodelifecycle/config"
	nodeutil "k8s.io/kubernetes/pkg/controller/util/node"

	"github.com/kubestep/kubestep/controllers"
)

// zone are the nodes of a failure domain, which the node lifecycle controller taints with one rate limit.
type zone struct {
	name            string
	ready, notReady int
	// noneReady means that no node of any zone is Ready.
	noneReady bool
	config    config.NodeLifecycleControllerConfiguration
}

// excludeDisruption is the label of nodes that do not count (isNodeExcludedFromDisruptionChecks).
const excludeDisruption = "node.kubernetes.io/exclude-disruption"

// zoneOf counts the nodes in the zone of a node, as monitorNodeHealth does.
func (v *view) zoneOf(of *corev1.Node) zone {
	z := zone{name: zoneName(of), noneReady: true, config: v.nodeLifecycle()}
	for _, object := range v.List(corev1.Resource("nodes"), "") {
		node := object.(*corev1.Node)
		_, condition := nodeutil.GetNodeCondition(&node.Status, corev1.NodeReady)
		if _, excluded := node.Labels[excludeDisruption]; excluded || condition == nil {
			continue
		}
		ready := condition.Status == corev1.ConditionTrue
		z.noneReady = z.noneReady && !ready
		switch {
		case nodetopology.GetZoneKey(node) != nodetopology.GetZoneKey(of):
		case ready:
			z.ready++
		default:
			z.notReady++
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

// partial reports whether so many nodes are not Ready that the network may be the cause (ComputeZoneState).
func (z zone) partial() bool {
	const few = 2
	return z.ready > 0 && z.notReady > few && float32(z.notReady)/float32(z.ready+z.notReady) >= z.config.UnhealthyZoneThreshold
}

// rate is how many nodes of the zone get a taint per second (setLimiterInZone).
func (z zone) rate() float32 {
	switch {
	case z.noneReady:
		return 0
	case !z.partial():
		return z.config.NodeEvictionRate
	case z.ready+z.notReady > int(z.config.LargeClusterSizeThreshold):
		return z.config.SecondaryNodeEvictionRate
	}
	return 0
}

// interval is the time between two taints; 0 if there are none.
func (z zone) interval() time.Duration {
	if z.rate() <= 0 {
		return 0
	}
	return time.Duration(float64(time.Second) / float64(z.rate())).Round(time.Millisecond)
}

// stops says why no node of the zone gets a taint; empty if they do.
func (z zone) stops() string {
	switch {
	case z.rate() > 0:
		return ""
	case z.noneReady:
		return "a node to be Ready: while none is, node-lifecycle-controller adds no taint, and no Pod is evicted"
	case !z.partial():
		return "a higher --node-eviction-rate: it is 0"
	}
	return fmt.Sprintf("%s to recover: %d of %d nodes are not Ready, which is %g%% or more, so node-lifecycle-controller adds no taint",
		z.name, z.notReady, z.ready+z.notReady, float64(int(z.config.UnhealthyZoneThreshold*1000+0.5))/10)
}

// nodeLifecycle is the configuration of the node lifecycle controller.
func (v *view) nodeLifecycle() config.NodeLifecycleControllerConfiguration {
	if configured, ok := v.World.(Configured); ok {
		return configured.Configuration().NodeLifecycleController
	}
	defaults, err := controllers.NewConfig(nil)
	if err != nil {
		panic("liveness: the defaults are invalid: " + err.Error())
	}
	return defaults.NodeLifecycleController
}
