//go:build linux

package kubelet

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
)

// reserved is what Pods cannot have of a node's capacity: systemReserved, kubeReserved, and what hard eviction keeps free, as
// GetNodeAllocatableReservation in pkg/kubelet/cm/node_container_manager_linux.go computes it. A node with 4Gi of memory and the default
// memory.available<100Mi has 3996Mi for Pods. allocatable is capacity
// without the first two, as GetNodeAllocatableAbsolute computes it. An error is a *ConfigError.
func reserved(config *Configuration, capacity corev1.ResourceList) (out, allocatable corev1.ResourceList, err error) {
	out = corev1.ResourceList{}
	add := func(name corev1.ResourceName, amount resource.Quantity) {
		sum := out[name]
		sum.Add(amount)
		out[name] = sum
	}
	for _, amounts := range []map[string]string{config.SystemReserved, config.KubeReserved} {
		for name, text := range amounts {
			amount, err := resource.ParseQuantity(text)
			if err != nil {
				return nil, nil, &ConfigError{Problem: fmt.Sprintf("%s: %v", name, err)}
			}
			add(corev1.ResourceName(name), amount)
		}
	}
	allocatable = capacity.DeepCopy()
	for name, amount := range out {
		if has, found := allocatable[name]; found {
			has.Sub(amount)
			allocatable[name] = has
		}
	}
	thresholds, err := eviction.ParseThresholdConfig(nil, config.EvictionHard, nil, nil, nil)
	if err != nil {
		return nil, nil, &ConfigError{Problem: err.Error()}
	}
	for _, t := range thresholds {
		name := map[evictionapi.Signal]corev1.ResourceName{
			evictionapi.SignalMemoryAvailable: corev1.ResourceMemory, evictionapi.SignalNodeFsAvailable: corev1.ResourceEphemeralStorage,
		}[t.Signal]
		if has, found := capacity[name]; found && t.Operator == evictionapi.OpLessThan {
			add(name, *evictionapi.GetThresholdQuantity(t.Value, &has))
		}
	}
	for name, amount := range out {
		if has, found := capacity[name]; found && has.Cmp(amount) < 0 {
			problem := fmt.Sprintf("a node with %s of %s cannot reserve %s", has.String(), name, amount.String())
			return nil, nil, &ConfigError{Problem: problem}
		}
	}
	return out, allocatable, nil
}
