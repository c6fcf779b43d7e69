//go:build kubernetes_before_1_37

package scheduler

import "k8s.io/kubernetes/pkg/scheduler"

// keepPlaces leaves the cache as it is: it goes through all Pods of a node for each change of one.
func keepPlaces(*scheduler.Scheduler) {}
