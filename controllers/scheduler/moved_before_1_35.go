//go:build kubernetes_before_1_35

package scheduler

import "k8s.io/kubernetes/pkg/scheduler/framework"

// Types of upstream's that moved to another package in Kubernetes 1.35.
type (
	preFilterResult  = framework.PreFilterResult
	postFilterResult = framework.PostFilterResult
	nodePluginScores = framework.NodePluginScores
	nodeToStatus     = framework.NodeToStatusReader
	nominatingInfo   = framework.NominatingInfo
)
