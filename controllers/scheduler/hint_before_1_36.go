//go:build kubernetes_before_1_36 && !kubernetes_before_1_35

package scheduler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	fwk "k8s.io/kube-scheduler/framework"
)

// GetNodeHint implements framework.Framework.
func (f *observedFramework) GetNodeHint(
	ctx context.Context, pod *corev1.Pod, state fwk.CycleState, cycle int64,
) (string, fwk.PodSignature) {
	hint, signature := f.Framework.GetNodeHint(ctx, pod, state, cycle)
	f.hinted(pod, hint)
	return hint, signature
}
