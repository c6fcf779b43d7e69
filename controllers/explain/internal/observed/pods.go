package observed

import corev1 "k8s.io/api/core/v1"

// Pods are the Pods of the namespace in the cache.
func (s Sync) Pods() []*corev1.Pod {
	var all []*corev1.Pod
	for _, object := range s.List("pods") {
		p := &corev1.Pod{}
		if Convert(object, p) == nil {
			all = append(all, p)
		}
	}
	return all
}

// Names are the names of Pods, in their order.
func Names(all []*corev1.Pod) []string {
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return names
}
