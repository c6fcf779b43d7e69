//go:build kubernetes_before_1_36

package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"
)

// eventRecorder is what a profile sends its Events with.
type eventRecorder = events.EventRecorder

// scheduled is what upstream's SchedulePod is called for.
type scheduled = corev1.Pod

func podOf(of *scheduled) *corev1.Pod { return of }
