package metrics

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/metrics/pkg/apis/metrics"
)

var nodeResource = corev1.SchemeGroupVersion.WithResource("nodes").GroupResource()

// NodeMetrics implements aggregated.Source. A node uses what its Pods use: the kubelet and the system of a simulated node use
// nothing. A node has a value for each of cpu and memory that is measured or that a load is about, and none when its kubelet does not
// answer.
func (m *Server) NodeMetrics() (found []metrics.NodeMetrics) {
	if m.at.IsZero() {
		return nil
	}
	for _, object := range m.sim.State.List(nodeResource, "") {
		if node := object.(*corev1.Node); m.reachable(node.Name) {
			found = append(found, metrics.NodeMetrics{
				ObjectMeta: metav1.ObjectMeta{Name: node.Name, Labels: node.Labels, CreationTimestamp: metav1.NewTime(m.sim.Engine.Date())},
				Timestamp:  metav1.NewTime(m.at), Window: metav1.Duration{Duration: m.options.Resolution}, Usage: m.usedOn(node.Name),
			})
		}
	}
	return found
}

// usedOn is what the Pods of a node used at the last sampling.
func (m *Server) usedOn(node string) corev1.ResourceList {
	used := corev1.ResourceList{}
	if m.options.Measured != nil {
		used[corev1.ResourceCPU], used[corev1.ResourceMemory] = resource.Quantity{}, *resource.NewQuantity(0, resource.BinarySI)
	}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		for _, load := range m.loads {
			if load.Metric == string(name) && load.Pods != nil && m.options.Measured == nil {
				used[name] = resource.Quantity{}
			}
		}
	}
	for _, s := range m.samples {
		if s.pod.Spec.NodeName != node {
			continue
		}
		for _, container := range s.containers() {
			for name, quantity := range used {
				quantity.Add(container.Usage[name])
				used[name] = quantity
			}
		}
	}
	return used
}
