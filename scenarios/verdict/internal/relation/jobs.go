package relation

import (
	"fmt"
	"slices"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"
)

var jobs = batchv1.Resource("jobs")

var ofJobs = []Relation{
	{
		Name: "job-finishes-once", Of: of(jobs, names.JobController),
		Sentence: "A Job is not both Complete and Failed. A finished Job has no active Pods. A complete one has status.completionTime, " +
			"and met its success criteria.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/batch/job-v1/#JobStatus",
		broken:    finishesTwice,
	},
	{
		Name: "uncounted-pods-exist", Of: of(jobs, names.JobController),
		Sentence: "A Pod that status.uncountedTerminatedPods of a Job names still exists, with the finalizer " +
			batchv1.JobTrackingFinalizer + ".",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-tracking-with-finalizers",
		broken:    uncountedGone,
	},
	{
		Name: "finished-job-outlives-ttl", Of: of(jobs, names.TTLAfterFinishedController),
		Sentence:  "A finished Job is deleted ttlSecondsAfterFinished after it finished.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/ttlafterfinished/",
		broken:    outlivesTTL,
	},
	{
		Name: "job-outlives-deadline", Of: of(jobs, names.JobController),
		Sentence:  "A Job fails activeDeadlineSeconds after it started, unless it has finished before, or is suspended.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#job-termination-and-cleanup",
		broken:    outlivesDeadline,
	},
	{
		Name: "cronjob-runs-one-job", Of: of(batchv1.Resource("cronjobs"), names.CronJobController),
		Sentence:  "With concurrencyPolicy Forbid or Replace, a CronJob has no more than one Job that has not finished.",
		Reference: "https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/#concurrency-policy",
		broken:    runsTwoAtOnce,
	},
	{
		Name: "active-jobs-exist", Of: of(batchv1.Resource("cronjobs"), names.CronJobController),
		Sentence:  "A Job that status.active of a CronJob names exists, and has not finished.",
		Reference: "https://kubernetes.io/docs/reference/kubernetes-api/batch/cron-job-v1/#CronJobStatus",
		broken:    activeGone,
	},
}

// conditionOf returns a condition of a Job that is True, or nil.
func conditionOf(job *batchv1.Job, kind batchv1.JobConditionType) *batchv1.JobCondition {
	for i, c := range job.Status.Conditions {
		if c.Type == kind && c.Status == corev1.ConditionTrue {
			return &job.Status.Conditions[i]
		}
	}
	return nil
}

func finishesTwice(_ *View, object runtime.Object) *Breach {
	job := object.(*batchv1.Job)
	complete, failed := conditionOf(job, batchv1.JobComplete) != nil, conditionOf(job, batchv1.JobFailed) != nil
	switch {
	case complete && failed:
		return broken("its conditions Complete and Failed are both True")
	case (complete || failed) && job.Status.Active > 0:
		return broken("it is finished, but status.active is %d", job.Status.Active)
	case complete && job.Status.CompletionTime == nil:
		return broken("it is complete, but has no status.completionTime")
	case complete && conditionOf(job, batchv1.JobSuccessCriteriaMet) == nil:
		return broken("it is complete, but does not have the condition SuccessCriteriaMet")
	}
	return nil
}

func uncountedGone(v *View, object runtime.Object) *Breach {
	job := object.(*batchv1.Job)
	uncounted := job.Status.UncountedTerminatedPods
	if uncounted == nil || job.DeletionTimestamp != nil {
		return nil
	}
	kept := map[types.UID]bool{}
	for _, child := range v.controlledBy(pods, job.Namespace, string(job.UID)) {
		kept[metaOf(child).GetUID()] = slices.Contains(metaOf(child).GetFinalizers(), batchv1.JobTrackingFinalizer)
	}
	for _, uid := range slices.Concat(uncounted.Succeeded, uncounted.Failed) {
		if !kept[uid] {
			return broken("status.uncountedTerminatedPods names the UID %s, of which it has no Pod with the finalizer %s",
				uid, batchv1.JobTrackingFinalizer)
		}
	}
	return nil
}

func outlivesTTL(v *View, object runtime.Object) *Breach {
	job := object.(*batchv1.Job)
	ttl := job.Spec.TTLSecondsAfterFinished
	if ttl == nil || job.DeletionTimestamp != nil || !jobutil.IsJobFinished(job) {
		return nil
	}
	finished := conditionOf(job, batchv1.JobComplete)
	if finished == nil {
		finished = conditionOf(job, batchv1.JobFailed)
	}
	due := finished.LastTransitionTime.Add(time.Duration(*ttl) * time.Second)
	if !v.Date().After(due.Add(slack)) {
		return nil
	}
	return &Breach{Since: due, Text: fmt.Sprintf("it finished at %s, and ttlSecondsAfterFinished is %d, but it is not deleted",
		finished.LastTransitionTime.UTC().Format(time.RFC3339), *ttl)}
}

func activeGone(v *View, object runtime.Object) *Breach {
	cronJob := object.(*batchv1.CronJob)
	if cronJob.DeletionTimestamp != nil {
		return nil
	}
	for _, active := range cronJob.Status.Active {
		found, exists := v.Get(jobs, cronJob.Namespace, active.Name)
		switch {
		case !exists || found.(*batchv1.Job).UID != active.UID:
			return broken("status.active names Job %s, which does not exist", active.Name)
		case jobutil.IsJobFinished(found.(*batchv1.Job)):
			return broken("status.active names Job %s, which has finished", active.Name)
		}
	}
	return nil
}

func outlivesDeadline(v *View, object runtime.Object) *Breach {
	job := object.(*batchv1.Job)
	seconds, start := job.Spec.ActiveDeadlineSeconds, job.Status.StartTime
	managed := job.Spec.ManagedBy != nil && *job.Spec.ManagedBy != batchv1.JobControllerName
	suspended := job.Spec.Suspend != nil && *job.Spec.Suspend
	if seconds == nil || start == nil || managed || suspended || job.DeletionTimestamp != nil || jobutil.IsJobFinished(job) {
		return nil
	}
	due := start.Add(time.Duration(*seconds) * time.Second)
	if !v.Date().After(due.Add(slack)) || conditionOf(job, batchv1.JobFailureTarget) != nil ||
		conditionOf(job, batchv1.JobSuccessCriteriaMet) != nil {
		return nil // it waits for its Pods to terminate
	}
	return &Breach{Since: due, Text: fmt.Sprintf("it started at %s, and activeDeadlineSeconds is %d, but it has not failed",
		start.UTC().Format(time.RFC3339), *seconds)}
}

func runsTwoAtOnce(v *View, object runtime.Object) *Breach {
	cronJob := object.(*batchv1.CronJob)
	policy := cronJob.Spec.ConcurrencyPolicy
	if cronJob.DeletionTimestamp != nil || policy != batchv1.ForbidConcurrent && policy != batchv1.ReplaceConcurrent {
		return nil
	}
	var first string
	for _, child := range v.controlledBy(jobs, cronJob.Namespace, string(cronJob.UID)) {
		job := child.(*batchv1.Job)
		switch {
		case jobutil.IsJobFinished(job) || job.DeletionTimestamp != nil:
		case first != "":
			return broken("concurrencyPolicy is %s, but Jobs %s and %s have not finished", policy, first, job.Name)
		default:
			first = job.Name
		}
	}
	return nil
}
