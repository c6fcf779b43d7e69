//go:build !kubernetes_before_1_37

package scheduler

import (
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework"
)

// watchQueue records the attempts that begin when a Pod leaves the scheduling queue. What leaves it may be a group of Pods; that
// is recorded as an attempt for its first one, as with 1.36, whose queue has Pods only.
func (o *observer) watchQueue(s *scheduler.Scheduler) {
	next := s.NextEntity
	s.NextEntity = func(logger klog.Logger) (framework.QueuedEntityInfo, error) {
		o.rest()
		entity, err := next(logger)
		if entity != nil {
			entity.ForEachPodInfo(func(pod *framework.QueuedPodInfo) bool {
				if pod != nil && pod.Pod != nil {
					o.begin(pod)
				}
				return false
			})
		}
		return entity, err
	}
}
