//go:build kubernetes_before_1_37

package scheduler

import "k8s.io/kubernetes/pkg/scheduler/framework"

// keepSpreadCounts leaves the plugin PodTopologySpread as it is: it counts all Pods for each Pod that it scores.
func keepSpreadCounts(framework.Framework) {}

// CheckSpread does nothing: there are no kept counts to compare.
func CheckSpread(func(difference string)) (restore func()) { return func() {} }
