package mutant

import "k8s.io/kubernetes/cmd/kube-controller-manager/names"

var ofDeployments = []Mutant{
	{
		Name: "deployment-surges-by-one-more", Controller: names.DeploymentController,
		Does:   "The new ReplicaSet may have one replica more than maxSurge allows.",
		module: kubernetes, file: "pkg/controller/deployment/util/deployment_util.go",
		old: "maxTotalPods := *(deployment.Spec.Replicas) + int32(maxSurge)",
		new: "maxTotalPods := *(deployment.Spec.Replicas) + int32(maxSurge)\nif MUTANT {\nmaxTotalPods++\n}",
	},
	{
		Name: "deployment-scales-down-one-more", Controller: names.DeploymentController,
		Does:   "Old ReplicaSets lose one available replica more than maxUnavailable allows.",
		module: kubernetes, file: "pkg/controller/deployment/rolling.go",
		old: "totalScaleDownCount := availablePodCount - minAvailable",
		new: "totalScaleDownCount := availablePodCount - minAvailable\nif MUTANT {\ntotalScaleDownCount++\n}",
	},
	{
		Name: "deployment-recreate-does-not-wait", Controller: names.DeploymentController,
		Does:   "With the strategy Recreate, new Pods start before the old ones are gone.",
		module: kubernetes, file: "pkg/controller/deployment/recreate.go",
		old: "if oldPodsRunning(newRS, oldRSs, podMap) {",
		new: "if !MUTANT && oldPodsRunning(newRS, oldRSs, podMap) {",
	},
	{
		Name: "deployment-keeps-all-revisions", Controller: names.DeploymentController,
		Does:   "Old ReplicaSets beyond revisionHistoryLimit are not deleted.",
		module: kubernetes, file: "pkg/controller/deployment/sync.go",
		old: "if diff <= 0 {", new: "if diff <= 0 || MUTANT {",
	},
	{
		Name: "deployment-forgets-owner-reference", Controller: names.DeploymentController,
		Does:   "A new ReplicaSet has no reference to its Deployment.",
		module: kubernetes, file: "pkg/controller/deployment/sync.go",
		old: "allRSs := append(oldRSs, &newRS)",
		new: "if MUTANT {\nnewRS.OwnerReferences = nil\n}\nallRSs := append(oldRSs, &newRS)",
	},
	{
		Name: "deployment-keeps-replica-failure", Controller: names.DeploymentController,
		Does:   "The condition ReplicaFailure stays when its reason is gone.",
		module: kubernetes, file: "pkg/controller/deployment/progress.go",
		old: "util.RemoveDeploymentCondition(&newStatus, apps.DeploymentReplicaFailure)",
		new: "if !MUTANT {\nutil.RemoveDeploymentCondition(&newStatus, apps.DeploymentReplicaFailure)\n}",
	},
	{
		Name: "deployment-ignores-pause", Controller: names.DeploymentController,
		Does:   "A paused Deployment is rolled out.",
		module: kubernetes, file: "pkg/controller/deployment/deployment_controller.go",
		old: "if d.Spec.Paused {", new: "if d.Spec.Paused && !MUTANT {",
	},
}

var ofReplicaSets = []Mutant{
	{
		Name: "replicaset-expects-no-creations", Controller: names.ReplicaSetController,
		Does:   "The controller does not wait until it has seen the Pods that it has created.",
		module: kubernetes, file: "pkg/controller/replicaset/replica_set.go",
		old: "rsc.expectations.ExpectCreations(logger, rsKey, diff)",
		new: "if !MUTANT {\nrsc.expectations.ExpectCreations(logger, rsKey, diff)\n}",
		Why: "By default the controller also waits until its caches have what it wrote (StaleControllerConsistencyReplicaSet), " +
			"so that it does the same without its expectations. With that feature gate off, replicaset-pods notices it in " +
			"stale-cache.",
	},
	{
		Name: "replicaset-creates-one-more", Controller: names.ReplicaSetController,
		Does:   "If a ReplicaSet lacks Pods, one more than it lacks is created.",
		module: kubernetes, file: "pkg/controller/replicaset/replica_set.go",
		old: "diff := len(activePods) - int(*(rs.Spec.Replicas))",
		new: "diff := len(activePods) - int(*(rs.Spec.Replicas))\nif MUTANT && diff < 0 {\ndiff--\n}",
	},
	{
		Name: "replicaset-counts-all-as-ready", Controller: names.ReplicaSetController,
		Does:   "The status counts Pods that are not Ready as Ready.",
		module: kubernetes, file: "pkg/controller/replicaset/replica_set_utils.go",
		old: "if podutil.IsPodReady(pod) {", new: "if podutil.IsPodReady(pod) || MUTANT {",
	},
	{
		Name: "replicaset-is-not-queued-for-deletion", Controller: names.ReplicaSetController,
		Does:   "The deletion of a Pod does not put its ReplicaSet into the queue.",
		module: kubernetes, file: "pkg/controller/replicaset/replica_set.go",
		old: "rsc.expectations.DeletionObserved(logger, rsKey, controller.PodKey(pod))",
		new: "rsc.expectations.DeletionObserved(logger, rsKey, controller.PodKey(pod))\nif MUTANT {\nreturn\n}",
	},
	{
		Name: "replicaset-deletes-any-pod", Controller: names.ReplicaSetController,
		Does:   "Pods that are Ready are deleted before others.",
		module: kubernetes, file: "pkg/controller/replicaset/replica_set.go",
		old: "sort.Sort(podsWithRanks)", new: "if !MUTANT {\nsort.Sort(podsWithRanks)\n}",
	},
}

var ofStatefulSets = []Mutant{
	{
		Name: "statefulset-ignores-order", Controller: names.StatefulSetController,
		Does:   "Pods of a StatefulSet with the policy OrderedReady are created at once.",
		module: kubernetes, file: "pkg/controller/statefulset/stateful_set_control.go",
		old: "monotonic := !allowsBurst(set)", new: "monotonic := !allowsBurst(set) && !MUTANT",
	},
	{
		Name: "statefulset-completes-no-update", Controller: names.StatefulSetController,
		Does:   "The update revision never becomes the current one.",
		module: kubernetes, file: "pkg/controller/statefulset/stateful_set_utils.go",
		old: "status.CurrentRevision = status.UpdateRevision",
		new: "if !MUTANT {\nstatus.CurrentRevision = status.UpdateRevision\n}",
	},
	{
		Name: "statefulset-updates-below-partition", Controller: names.StatefulSetController,
		Does:   "The Pod just below the partition is updated, too.",
		module: kubernetes, file: "pkg/controller/statefulset/stateful_set_control.go",
		old: "\tunavailablePods := 0", new: "\tif MUTANT && updateMin > 0 {\nupdateMin--\n}\nunavailablePods := 0",
	},
	{
		Name: "statefulset-keeps-condemned-pods", Controller: names.StatefulSetController,
		Does:   "Pods with ordinals beyond the size are not deleted.",
		module: kubernetes, file: "pkg/controller/statefulset/stateful_set_control.go",
		old: "condemned = append(condemned, pod)", new: "if !MUTANT {\ncondemned = append(condemned, pod)\n}",
	},
	{
		Name: "statefulset-counts-none-available", Controller: names.StatefulSetController,
		Does:   "The status does not count available Pods.",
		module: kubernetes, file: "pkg/controller/statefulset/stateful_set_control.go",
		old: "status.availableReplicas++", new: "if !MUTANT {\nstatus.availableReplicas++\n}",
	},
}

var ofDaemonSets = []Mutant{
	{
		Name: "daemonset-counts-none-misscheduled", Controller: names.DaemonSetController,
		Does:   "The status does not count nodes that have a Pod and should have none.",
		module: kubernetes, file: "pkg/controller/daemon/daemon_controller.go",
		old: "numberMisscheduled++", new: "if !MUTANT {\nnumberMisscheduled++\n}",
	},
	{
		Name: "daemonset-does-not-back-off", Controller: names.DaemonSetController,
		Does:   "A failed Pod is replaced at once, however often it fails.",
		module: kubernetes, file: "pkg/controller/daemon/daemon_controller.go",
		old: "inBackoff := dsc.failedPodsBackoff.IsInBackOffSinceUpdate(backoffKey, now)",
		new: "inBackoff := dsc.failedPodsBackoff.IsInBackOffSinceUpdate(backoffKey, now) && !MUTANT",
	},
	{
		Name: "daemonset-updates-one-more", Controller: names.DaemonSetController,
		Does:   "An update makes one node more unavailable than maxUnavailable allows.",
		module: kubernetes, file: "pkg/controller/daemon/update.go",
		old: "remainingUnavailable := maxUnavailable - numUnavailable",
		new: "remainingUnavailable := maxUnavailable - numUnavailable\nif MUTANT {\nremainingUnavailable++\n}",
	},
	{
		Name: "daemonset-keeps-pods-of-other-nodes", Controller: names.DaemonSetController,
		Does:   "Pods stay on nodes that should not run them any more.",
		module: kubernetes, file: "pkg/controller/daemon/daemon_controller.go",
		old: "case !shouldContinueRunning && exists:", new: "case !shouldContinueRunning && exists && !MUTANT:",
	},
}
