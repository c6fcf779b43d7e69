//go:build linux

package kubelet

import (
	"cmp"
	"slices"
	"time"
	_ "unsafe" // for linkname

	corev1 "k8s.io/api/core/v1"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
)

// ShutdownPhase is a part of the graceful shutdown of a node: the kubelet stops the Pods of a range of priorities, and waits for them.
type ShutdownPhase struct {
	kubeletconfig.ShutdownGracePeriodByPodPriority
	Pods []*corev1.Pod
}

// Period is how long the phase takes at most.
func (p ShutdownPhase) Period() time.Duration {
	return time.Duration(p.ShutdownGracePeriodSeconds) * time.Second
}

// groupByPriority is upstream's rule for the phase of each Pod.
//
//go:linkname groupByPriority k8s.io/kubernetes/pkg/kubelet/nodeshutdown.groupByPriority
func groupByPriority(periods []kubeletconfig.ShutdownGracePeriodByPodPriority, pods []*corev1.Pod) []ShutdownPhase

// migrateConfig is upstream's rule for a configuration with one period for all Pods, and one for critical Pods.
//
//go:linkname migrateConfig k8s.io/kubernetes/pkg/kubelet/nodeshutdown.migrateConfig
func migrateConfig(requested, critical time.Duration) []kubeletconfig.ShutdownGracePeriodByPodPriority

// periods are those of the phases of a shutdown; none if the kubelet does not delay one.
func periods(c *Configuration) []kubeletconfig.ShutdownGracePeriodByPodPriority {
	if len(c.ShutdownGracePeriodByPodPriority) > 0 {
		return slices.SortedStableFunc(slices.Values(c.ShutdownGracePeriodByPodPriority),
			func(a, b kubeletconfig.ShutdownGracePeriodByPodPriority) int {
				return cmp.Compare(a.Priority, b.Priority)
			})
	}
	return migrateConfig(c.ShutdownGracePeriod.Duration, c.ShutdownGracePeriodCriticalPods.Duration)
}

// ShutdownPhases are the phases of a shutdown, in their order, that have Pods. The kubelet skips the others.
func ShutdownPhases(c *Configuration, pods []*corev1.Pod) (phases []ShutdownPhase) {
	for _, phase := range groupByPriority(periods(c), pods) {
		if len(phase.Pods) > 0 {
			phases = append(phases, phase)
		}
	}
	return phases
}
