//go:build !kubernetes_before_1_37

package scheduler

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// spreadDiffers is the function of CheckSpread.
var spreadDiffers func(difference string)

// CheckSpread makes all schedulers of the process compare each count and each score of the plugin PodTopologySpread with what upstream's
// plugin finds, until restore is called. It is for tests, which call it while nothing runs.
func CheckSpread(differs func(difference string)) (restore func()) {
	spreadDiffers = differs
	return func() { spreadDiffers = nil }
}

// comparePreScore compares the counts for a Pod with those of upstream's plugin.
func (s *spread) comparePreScore(
	ctx context.Context, state fwk.CycleState, pod *corev1.Pod, filtered []fwk.NodeInfo, differs func(string),
) {
	kept, _, _ := constraintsOf(state)
	other := state.Clone()
	if status := s.upstream.PreScore(ctx, other, pod, filtered); !status.IsSuccess() {
		differs(fmt.Sprintf("%s/%s: upstream's plugin: %v", pod.Namespace, pod.Name, status))
		return
	}
	wanted, _, err := constraintsOf(other)
	if got, want := spreadText(kept), spreadText(wanted); err != nil || got != want {
		differs(fmt.Sprintf("%s/%s: the counts are %s, and by upstream's plugin %s", pod.Namespace, pod.Name, got, want))
	}
}

// spreadText writes constraints with their counts.
func spreadText(constraints []spreadConstraint) (text string) {
	for _, c := range constraints {
		counts := map[string]int64{}
		for value, count := range c.counts {
			counts[value] = *count
		}
		text += fmt.Sprintf("%s %s %d %v %v; ", c.key, c.selector, c.maxSkew, c.weight, counts)
	}
	return text
}
