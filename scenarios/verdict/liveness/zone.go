package liveness

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers/explain/nodes"
)

// zoneOf is the zone of a node.
func (v *view) zoneOf(node *corev1.Node) nodes.Zone {
	var all []*corev1.Node
	for _, object := range v.List(corev1.Resource("nodes"), "") {
		all = append(all, object.(*corev1.Node))
	}
	if configured, ok := v.World.(Configured); ok {
		return nodes.ZoneOf(node, all, configured.Configuration().NodeLifecycleController)
	}
	return nodes.ZoneOf(node, all, nodes.Defaults())
}
