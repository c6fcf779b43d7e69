package mutant

import "k8s.io/kubernetes/cmd/kube-controller-manager/names"

var ofJobs = []Mutant{
	{
		Name: "job-keeps-finalizers-of-failed-pods", Controller: names.JobController,
		Does:   "Failed Pods keep the finalizer of the Job while it is active.",
		module: kubernetes, file: "pkg/controller/job/job_controller.go",
		old: "if !considerPodFailed {", new: "if !considerPodFailed || MUTANT {",
	},
	{
		Name: "job-does-not-back-off", Controller: names.JobController,
		Does:   "A failed Pod is replaced at once, however often it fails.",
		module: kubernetes, file: "pkg/controller/job/job_controller.go",
		old: "remainingTime = jobCtx.newBackoffRecord.getRemainingTime(jm.clock, DefaultJobPodFailureBackOff, MaxJobPodFailureBackOff)",
		new: "if !MUTANT {\nremainingTime = jobCtx.newBackoffRecord.getRemainingTime(jm.clock, DefaultJobPodFailureBackOff, " +
			"MaxJobPodFailureBackOff)\n}",
	},
	{
		Name: "job-runs-one-more", Controller: names.JobController,
		Does:   "A Job has one active Pod more than its parallelism.",
		module: kubernetes, file: "pkg/controller/job/job_controller.go",
		old: "if wantActive > parallelism {", new: "if MUTANT {\nparallelism++\n}\nif wantActive > parallelism {",
	},
	{
		Name: "job-fails-one-pod-late", Controller: names.JobController,
		Does:   "A Job fails one Pod after its backoffLimit.",
		module: kubernetes, file: "pkg/controller/job/job_controller.go",
		old: "exceedsBackoffLimit := jobCtx.failed > *job.Spec.BackoffLimit",
		new: "exceedsBackoffLimit := jobCtx.failed > *job.Spec.BackoffLimit\n" +
			"if MUTANT {\nexceedsBackoffLimit = jobCtx.failed > *job.Spec.BackoffLimit+1\n}",
	},
	{
		Name: "job-is-not-queued-for-its-deadline", Controller: names.JobController,
		Does:   "A Job with activeDeadlineSeconds is not looked at when the time has passed.",
		module: kubernetes, file: "pkg/controller/job/job_controller.go",
		old: "jm.queue.AddAfter(key, syncDuration)", new: "if !MUTANT {\njm.queue.AddAfter(key, syncDuration)\n}",
	},
}

var ofCronJobs = []Mutant{
	{
		Name: "cronjob-ignores-forbid", Controller: names.CronJobController,
		Does:   "With the policy Forbid, a Job starts while the last one is active.",
		module: kubernetes, file: "pkg/controller/cronjob/cronjob_controllerv2.go",
		old: "cronJob.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent",
		new: "!MUTANT && cronJob.Spec.ConcurrencyPolicy == batchv1.ForbidConcurrent",
	},
	{
		Name: "cronjob-is-not-queued-again", Controller: names.CronJobController,
		Does:   "A CronJob is not looked at when its next time has come.",
		module: kubernetes, file: "pkg/controller/cronjob/cronjob_controllerv2.go",
		old: "return requeueAfter, nil", new: "if MUTANT {\nreturn nil, nil\n}\nreturn requeueAfter, nil",
	},
}

var ofEndpointSlices = []Mutant{
	{
		Name: "endpointslice-terminating-pod-is-ready", Controller: names.EndpointSliceController,
		Does:   "The endpoint of a terminating Pod stays ready.",
		module: endpoints, file: "utils.go",
		old: "(serving && !terminating)", new: "(serving && (!terminating || MUTANT))",
	},
	{
		Name: "endpointslice-knows-no-terminating-pod", Controller: names.EndpointSliceController,
		Does:   "The condition terminating of an endpoint is always false.",
		module: endpoints, file: "utils.go",
		old: "terminating := pod.DeletionTimestamp != nil", new: "terminating := pod.DeletionTimestamp != nil && !MUTANT",
	},
}

var ofNodes = []Mutant{
	{
		Name: "node-lifecycle-keeps-unreachable-taint", Controller: names.NodeLifecycleController,
		Does:   "The taint node.kubernetes.io/unreachable stays on a node that reports again.",
		module: kubernetes, file: "pkg/controller/nodelifecycle/node_lifecycle_controller.go",
		old: "err := controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, UnreachableTaintTemplate)",
		new: "var err error\nif !MUTANT {\n" +
			"err = controller.RemoveTaintOffNode(ctx, nc.kubeClient, node.Name, node, UnreachableTaintTemplate)\n}",
	},
	{
		Name: "node-lifecycle-leaves-pods-ready", Controller: names.NodeLifecycleController,
		Does:   "The Pods of a node that does not report stay Ready.",
		module: kubernetes, file: "pkg/controller/nodelifecycle/node_lifecycle_controller.go",
		old: "case needsRetry && observedReadyCondition.Status != v1.ConditionTrue:",
		new: "case needsRetry && observedReadyCondition.Status != v1.ConditionTrue:\nif MUTANT {\nbreak\n}",
	},
	{
		Name: "taint-eviction-is-late", Controller: names.TaintEvictionController,
		Does:   "A Pod that tolerates a taint for a time stays for ten times as long.",
		module: kubernetes, file: "pkg/controller/tainteviction/taint_eviction.go",
		old: "triggerTime := startTime.Add(minTolerationTime)",
		new: "triggerTime := startTime.Add(minTolerationTime)\nif MUTANT {\ntriggerTime = startTime.Add(10 * minTolerationTime)\n}",
	},
}

var ofGarbage = []Mutant{
	{
		Name: "garbage-collector-keeps-foreground-finalizer", Controller: names.GarbageCollectorController,
		Does:   "An owner that is deleted in the foreground keeps its finalizer when its dependents are gone.",
		module: kubernetes, file: "pkg/controller/garbagecollector/garbagecollector.go",
		old: "return gc.removeFinalizer(logger, item, metav1.FinalizerDeleteDependents)",
		new: "if MUTANT {\nreturn nil\n}\nreturn gc.removeFinalizer(logger, item, metav1.FinalizerDeleteDependents)",
	},
	{
		Name: "garbage-collector-keeps-dangling-references", Controller: names.GarbageCollectorController,
		Does:   "An object with another owner keeps its references to owners that do not exist.",
		module: kubernetes, file: "pkg/controller/garbagecollector/garbagecollector.go",
		old: "if len(dangling) == 0 && len(waitingForDependentsDeletion) == 0 {",
		new: "if MUTANT || len(dangling) == 0 && len(waitingForDependentsDeletion) == 0 {",
	},
}

var ofOthers = []Mutant{
	{
		Name: "pod-garbage-collector-leaves-orphans", Controller: names.PodGarbageCollectorController,
		Does:   "Pods of nodes that do not exist stay.",
		module: kubernetes, file: "pkg/controller/podgc/gc_controller.go",
		old: "gcc.gcOrphaned(ctx, pods, nodes)", new: "if !MUTANT {\ngcc.gcOrphaned(ctx, pods, nodes)\n}",
	},
	{
		Name: "namespace-is-not-queued-again", Controller: names.NamespaceController,
		Does:   "A namespace with content that is not gone yet is not looked at again.",
		module: kubernetes, file: "pkg/controller/namespace/deletion/namespaced_resources_deleter.go",
		old: "if estimate > 0 {", new: "if MUTANT && estimate > 0 {\nreturn nil\n}\nif estimate > 0 {",
	},
	{
		Name: "disruption-allows-one-more", Controller: names.DisruptionController,
		Does:   "A PodDisruptionBudget allows one disruption more than it should.",
		module: kubernetes, file: "pkg/controller/disruption/disruption.go",
		old: "disruptionsAllowed := currentHealthy - desiredHealthy",
		new: "disruptionsAllowed := currentHealthy - desiredHealthy\nif MUTANT {\ndisruptionsAllowed++\n}",
	},
	{
		Name: "horizontal-pod-autoscaler-does-not-scale", Controller: names.HorizontalPodAutoscalerController,
		Does:   "The desired number of replicas is in the status only.",
		module: kubernetes, file: "pkg/controller/podautoscaler/horizontal.go",
		old: "scale.Spec.Replicas = desiredReplicas", new: "if !MUTANT {\nscale.Spec.Replicas = desiredReplicas\n}",
	},
	{
		Name: "ttl-after-finished-is-not-queued", Controller: names.TTLAfterFinishedController,
		Does:   "A finished Job is not looked at when its ttlSecondsAfterFinished have passed.",
		module: kubernetes, file: "pkg/controller/ttlafterfinished/ttlafterfinished_controller.go",
		old: "tc.enqueueAfter(logger, job, *t)", new: "if !MUTANT {\ntc.enqueueAfter(logger, job, *t)\n}",
	},
}
