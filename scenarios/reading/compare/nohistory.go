package compare

// HistoryExceptions are those for the comparison of a run with one that only creates what users want at its end, in addition to Exceptions.
// docs/reference/divergence.md is made from them, too.
var HistoryExceptions = []Exception{
	{Trait: OfPaused, Because: "A paused Deployment makes no rollout: what it has is from before the pause."},
	{
		Resource: "deployments.apps", Trait: Paused, Field: "status.*eplicas",
		Because: "They count Pods from before the pause.",
	},
	{
		Resource: "deployments.apps", Trait: Paused, Field: "status.conditions[type=Available]*",
		Because: "It is about Pods from before the pause.",
	},
	{
		Resource: "deployments.apps", Trait: Paused, Field: "status.conditions[type=Progressing]*",
		Because: "It says that the Deployment is paused, or how its last rollout went.",
	},
	{Trait: OfUnfinished, Because: "A rollout that waits for its new Pods keeps old ones, of a template that no spec has any more."},
	{Trait: Unfinished, Field: "status.*eplicas", Because: "They count Pods of the old template."},
	{Trait: Unfinished, Field: "status.*umber*", Because: "They count Pods of the old template."},
	{Trait: Unfinished, Field: "status.currentRevision", Because: "It is that of the Pods of the old template."},
	{Trait: Unfinished, Field: "status.conditions[type=Available]*", Because: "It is about Pods of the old template, too."},
	{Resource: "nodes", Field: "status.images*", Because: "A node keeps the images that it has pulled."},
	{
		Resource: "deployments.apps", Field: "status.conditions[type=Progressing]*",
		Because: "It tells of the last rollout, and a Deployment that was only scaled has none.",
	},
	{
		Trait: OfManual, Field: "*",
		Because: "Pods that are not updated by themselves keep the template that they were created with.",
	},
	{
		Resource: "statefulsets.apps", Trait: Manual, Field: "status.current*",
		Because: "It tells which Pods have the template that the rollout began with.",
	},
	{
		Resource: "statefulsets.apps", Trait: Manual, Field: "status.updatedReplicas",
		Because: "It counts Pods that were updated by hand.",
	},
	{
		Resource: "daemonsets.apps", Trait: Manual, Field: "status.updatedNumberScheduled",
		Because: "It counts Pods that were updated by hand.",
	},
	{
		Resource: pods, Trait: OfMisscheduled,
		Because: "A Pod stays on a node whose labels and taints, unless they say NoExecute, do not suit it any more.",
	},
	{
		Resource: "daemonsets.apps", Trait: Misscheduled, Field: "status.*umber*",
		Because: "It counts Pods that stay on nodes that do not suit them any more.",
	},
	{
		Resource: pods, Field: "metadata.labels.pod-template-generation",
		Because: "It counts how often the template of the DaemonSet was written.",
	},
	{
		Resource: "replicasets.apps", Field: "metadata.annotations.deployment.kubernetes.io/max-replicas",
		Because: "A Deployment writes it when it scales the ReplicaSet, and not when its strategy changes.",
	},
	{Trait: OfJob, Because: "A Job that has run is not run again: its Pods are from then."},
	{Resource: "jobs.batch", Field: "status.*", Because: "It tells of the Pods that the Job had."},
	{Trait: OfAutoscaled, Because: "The number of replicas depends on the samples of the past, within a tolerance."},
	{Resource: "horizontalpodautoscalers.autoscaling", Field: "status.*", Because: "It tells of the samples of the past."},
	{Trait: Old, Because: "Old revisions are kept for rollbacks."},
	{Trait: Ended, Because: "A Pod without a controller that has ended does not run again."},
	{Resource: "persistentvolumes", Trait: Released, Because: "A volume whose claim was deleted is kept with its data."},
	{Resource: "deployments.apps", Field: "status.collisionCount", Because: "It counts collisions of hashes with old ReplicaSets."},
	{Resource: "statefulsets.apps", Field: "status.collisionCount", Because: "It counts collisions of hashes with old revisions."},
	{Resource: "daemonsets.apps", Field: "status.collisionCount", Because: "It counts collisions of hashes with old revisions."},
	{
		Resource: "daemonsets.apps", Field: "metadata.annotations.deprecated.daemonset.template.generation",
		Because: "It counts how often the template was written.",
	},
}
