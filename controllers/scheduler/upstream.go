//go:build !kubernetes_before_1_36

package scheduler

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// eventRecorder is what a profile sends its Events with.
type eventRecorder = events.EventRecorderLogger

// scheduled is what upstream's SchedulePod is called for.
type scheduled = framework.QueuedPodInfo

func podOf(of *scheduled) *corev1.Pod { return of.Pod }

// GetNodeHint implements framework.Framework.
func (f *observedFramework) GetNodeHint(
	ctx context.Context, pod *corev1.Pod, signature fwk.PodSignature, state fwk.CycleState, cycle int64,
) string {
	hint := f.Framework.GetNodeHint(ctx, pod, signature, state, cycle)
	f.hinted(pod, hint)
	return hint
}
