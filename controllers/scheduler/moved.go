//go:build !kubernetes_before_1_35

package scheduler

import fwk "k8s.io/kube-scheduler/framework"

// Types of upstream's that moved to another package in Kubernetes 1.35.
type (
	preFilterResult  = fwk.PreFilterResult
	postFilterResult = fwk.PostFilterResult
	nodePluginScores = fwk.NodePluginScores
	nodeToStatus     = fwk.NodeToStatusReader
	nominatingInfo   = fwk.NominatingInfo
)
