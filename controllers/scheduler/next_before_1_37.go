//go:build kubernetes_before_1_37

package scheduler

import (
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// watchQueue records the attempts that begin when a Pod leaves the scheduling queue.
func (o *observer) watchQueue(s *scheduler.Scheduler) {
	next := s.NextPod
	s.NextPod = func(logger klog.Logger) (*framework.QueuedPodInfo, error) {
		o.rest()
		pod, err := next(logger)
		if pod != nil && pod.Pod != nil {
			o.begin(pod)
		}
		return pod, err
	}
}
