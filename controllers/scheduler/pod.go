//go:build !kubernetes_before_1_36

package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// eventRecorder is what a profile sends its Events with.
type eventRecorder = events.EventRecorderLogger

// scheduled is what upstream's SchedulePod is called for.
type scheduled = framework.QueuedPodInfo

func podOf(of *scheduled) *corev1.Pod { return of.Pod }
