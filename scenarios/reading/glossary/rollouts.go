package glossary

const ofDeployment = docs + "concepts/workloads/controllers/deployment/"

// rollouts are the terms of updates.
var rollouts = Section{Title: "Rollouts", Terms: []Term{
	{
		Name:    "rollout",
		Meaning: "The update of a workload from one Pod template to another.",
		Link:    ofDeployment + "#updating-a-deployment", View: "rollout", Not: []string{"release"},
	},
	{
		Name: "rolling update", Aliases: []string{"RollingUpdate"},
		Meaning: "A rollout that replaces the Pods a few at a time, so that the application stays available. It is the default " +
			"strategy.",
		Link: ofDeployment + "#rolling-update-deployment", View: "rollout",
	},
	{
		Name: "Recreate",
		Meaning: "A strategy: all old Pods are stopped before new ones are created. Two versions never run at the same time, but there " +
			"is downtime.",
		Link: ofDeployment + "#recreate-deployment", View: "rollout",
	},
	{
		Name: "maxSurge", Aliases: []string{"surge"},
		Meaning: "How many Pods a rolling update may add beyond the desired number. A percentage is rounded up.",
		Link:    ofDeployment + "#max-surge", View: "rollout", Not: []string{"room"},
	},
	{
		Name:    "maxUnavailable",
		Meaning: "How many Pods may be unavailable during a rolling update. A percentage is rounded down.",
		Link:    ofDeployment + "#max-unavailable", View: "rollout", Not: []string{"gap"},
	},
	{
		Name:    "ready",
		Meaning: "Said of a Pod whose containers answer their readiness probes, so that it can serve requests.",
		Link:    docs + "concepts/workloads/pods/pod-lifecycle/#pod-conditions", View: "rollout",
	},
	{
		Name: "probe", Aliases: []string{"readiness probe"},
		Meaning: "A check that the kubelet makes regularly. A readiness probe says whether a container can serve requests.",
		Link:    docs + "concepts/workloads/pods/pod-lifecycle/#container-probes",
	},
	{
		Name: "available", Aliases: []string{"avail", "unavailable", "availability"},
		Meaning: "Said of a Pod that has been ready for minReadySeconds, which is 0 by default. Such Pods count for maxUnavailable.",
		Link:    ofDeployment + "#deployment-status", View: "rollout", Not: []string{"up", "there"},
	},
	{
		Name: "updated", Aliases: []string{"updatedReplicas", "up-to-date"},
		Meaning: "Said of a Pod of the newest version of its workload. A rollout is complete when all Pods are updated and available.",
		Link:    ofDeployment + "#complete-deployment", View: "rollout",
	},
	{
		Name:    "minReadySeconds",
		Meaning: "For how long a new Pod must be ready before it counts as available.",
		Link:    ofDeployment + "#min-ready-seconds",
	},
	{
		Name: "revision", Aliases: []string{"rev"},
		Meaning: "The number of a version of a Deployment, in an annotation of its ReplicaSet. Every rollout, a rollback too, has a " +
			"new number.",
		Link: ofDeployment + "#rolling-back-a-deployment", View: "rollout",
	},
	{
		Name: "ControllerRevision",
		Meaning: "An object that stores a version of the template of a StatefulSet or a DaemonSet. It does what old ReplicaSets do for " +
			"a Deployment.",
		Link: docs + "concepts/workloads/controllers/statefulset/#revision-history", View: "objects",
	},
	{
		Name: "rollback", Aliases: []string{"roll back", "undo"},
		Meaning: "To return to an earlier version: kubectl rollout undo copies its template back into the Deployment.",
		Link:    ofDeployment + "#rolling-back-a-deployment", View: "rollout",
	},
	{
		Name:    "rollover",
		Meaning: "A new version arrives while a rollout is still in progress. The Deployment does not finish the rollout first.",
		Link:    ofDeployment + "#rollover-aka-multiple-updates-in-flight", View: "rollout",
	},
	{
		Name: "paused", Aliases: []string{"pause", "resume"},
		Meaning: "Said of a Deployment that accepts changes of its template but does not roll them out until it is resumed. It still " +
			"scales.",
		Link: ofDeployment + "#pausing-and-resuming-a-deployment", View: "rollout",
	},
	{
		Name: "scale", Aliases: []string{"scaling"},
		Meaning: "To change the number of replicas.",
		Link:    ofDeployment + "#scaling-a-deployment", View: "rollout",
	},
	{
		Name: "proportional scaling", Aliases: []string{"in proportion"},
		Meaning: "How a Deployment scales in the middle of a rollout: each ReplicaSet gets a share that fits its size.",
		Link:    ofDeployment + "#proportional-scaling", View: "rollout",
	},
	{
		Name: "progressDeadlineSeconds", Aliases: []string{"ProgressDeadlineExceeded", "progress deadline"},
		Meaning: "For how long a rollout may make no progress before the Deployment reports it in its status. Nothing is rolled back.",
		Link:    ofDeployment + "#progress-deadline-seconds", View: "rollout",
	},
	{
		Name:    "downtime",
		Meaning: "A time in which no Pod of an application is available.",
		Link:    docs + "tutorials/kubernetes-basics/update/update-intro/", View: "rollout",
	},
}}

// lifetime is about how Pods live and how objects end.
var lifetime = Section{Title: "How Pods run, and how objects end", Terms: []Term{
	{
		Name: "phase", Aliases: []string{"Pod phase"},
		Meaning: "Where a Pod is in its life, in one word: Pending, Running, Succeeded, Failed or Unknown.",
		Link:    docs + "concepts/workloads/pods/pod-lifecycle/#pod-phase", View: "objects",
	},
	{
		Name:    "restartPolicy",
		Meaning: "Whether the kubelet starts a container again when it ends: Always, OnFailure or Never.",
		Link:    docs + "concepts/workloads/pods/pod-lifecycle/#restart-policy",
	},
	{
		Name: "terminating", Aliases: []string{"terminate", "terminated", "termination"},
		Meaning: "Said of an object that is deleted but not yet gone. A terminating Pod still runs for as long as its containers need " +
			"to stop.",
		Link: docs + "concepts/workloads/pods/pod-lifecycle/#pod-termination", View: "rollout",
	},
	{
		Name: "grace period", Aliases: []string{"terminationGracePeriodSeconds"},
		Meaning: "How long a Pod has to stop by itself after it was deleted. Then its containers are killed.",
		Link:    docs + "concepts/workloads/pods/pod-lifecycle/#pod-termination-flow",
	},
	{
		Name: "deletionTimestamp",
		Meaning: "The field that marks an object as deleted while something still delays its removal, such as a grace period or a " +
			"finalizer.",
		Link: docs + "reference/using-api/api-concepts/#resource-deletion", View: "objects",
	},
	{
		Name: "owner reference", Aliases: []string{"ownerReference", "owner"},
		Meaning: "An entry in an object's metadata that names the object it belongs to, such as the ReplicaSet of a Pod.",
		Link:    docs + "concepts/overview/working-with-objects/owners-dependents/", View: "objects", Not: []string{"parent"},
	},
	{
		Name:    "dependent",
		Meaning: "An object that belongs to another one, its owner.",
		Link:    docs + "concepts/overview/working-with-objects/owners-dependents/", View: "objects",
	},
	{
		Name: "adopt", Aliases: []string{"adopted", "adoption"},
		Meaning: "To become the owner of an object that has none: a ReplicaSet adopts Pods that match its selector.",
		Link:    docs + "concepts/workloads/controllers/replicaset/#non-template-pod-acquisitions", View: "objects",
	},
	{
		Name: "finalizer",
		Meaning: "A key in an object's metadata that delays its removal. The object is removed when whoever is responsible has deleted " +
			"the key.",
		Link: docs + "concepts/overview/working-with-objects/finalizers/", View: "objects", Not: []string{"guard"},
	},
	{
		Name: "garbage collection", Aliases: []string{"garbage collector"},
		Meaning: "The deletion of objects whose owners are gone. A controller does it, in the background.",
		Link:    docs + "concepts/architecture/garbage-collection/", View: "components",
	},
	{
		Name: "cascading deletion", Aliases: []string{"cascade"},
		Meaning: "The deletion of an object together with its dependents. kubectl delete --cascade chooses how.",
		Link:    docs + "concepts/architecture/garbage-collection/#cascading-deletion",
	},
	{
		Name: "background deletion", Aliases: []string{"in the background", "cascade=background"},
		Meaning: "The default: the owner is removed at once, and its dependents are deleted afterwards.",
		Link:    docs + "concepts/architecture/garbage-collection/#background-deletion",
	},
	{
		Name: "foreground deletion", Aliases: []string{"in the foreground", "cascade=foreground"},
		Meaning: "The owner stays, marked as deleted, until those dependents are gone that block it.",
		Link:    docs + "concepts/architecture/garbage-collection/#foreground-deletion",
	},
	{
		Name: "orphan", Aliases: []string{"cascade=orphan"},
		Meaning: "A dependent that stays when its owner is deleted, without an owner reference.",
		Link:    docs + "concepts/architecture/garbage-collection/#orphaned-dependents",
	},
}}

// disruptions are what takes Pods away, and what limits it.
var disruptions = Section{Title: "Disruptions", Terms: []Term{
	{
		Name: "eviction", Aliases: []string{"evict", "evicted"},
		Meaning: "The deletion of a Pod by a request that respects PodDisruptionBudgets. kubectl drain evicts.",
		Link:    docs + "concepts/scheduling-eviction/api-eviction/", View: "components", Not: []string{"kick out"},
	},
	{
		Name: "PodDisruptionBudget", Aliases: []string{"PDB", "disruption budget"},
		Meaning: "Says how many Pods of an application must stay available when Pods are evicted. It limits evictions, and nothing " +
			"else.",
		Link: docs + "concepts/workloads/pods/disruptions/#pod-disruption-budgets", View: "objects",
	},
	{
		Name:    "minAvailable",
		Meaning: "The number in a PodDisruptionBudget: how many Pods must be available after an eviction.",
		Link:    docs + "tasks/run-application/configure-pdb/",
	},
	{
		Name: "voluntary disruption", Aliases: []string{"disruption"},
		Meaning: "A disruption that somebody asks for, such as draining a node. The failure of a node is an involuntary one.",
		Link:    docs + "concepts/workloads/pods/disruptions/#voluntary-and-involuntary-disruptions",
	},
	{
		Name:    "drain",
		Meaning: "To evict all Pods from a node, for example before it is repaired: kubectl drain.",
		Link:    docs + "tasks/administer-cluster/safely-drain-node/",
	},
	{
		Name:    "cordon",
		Meaning: "To mark a node so that no new Pods are scheduled there.",
		Link:    docs + "concepts/architecture/nodes/#manual-node-administration",
	},
	{
		Name: "taint", Aliases: []string{"NoExecute"},
		Meaning: "A mark on a node that keeps Pods away, or removes them, unless they tolerate it.",
		Link:    docs + "concepts/scheduling-eviction/taint-and-toleration/", View: "objects",
	},
	{
		Name: "toleration", Aliases: []string{"tolerate"},
		Meaning: "Says that a Pod may run on a node with a certain taint.",
		Link:    docs + "concepts/scheduling-eviction/taint-and-toleration/",
	},
	{
		Name: "ResourceQuota", Aliases: []string{"quota"},
		Meaning: "Limits what a namespace may use, such as the number of Pods. The API server rejects what exceeds it.",
		Link:    docs + "concepts/policy/resource-quotas/", View: "objects",
	},
}}
