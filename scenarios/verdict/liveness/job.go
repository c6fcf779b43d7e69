package liveness

import (
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	jobcontroller "k8s.io/kubernetes/pkg/controller/job"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"
)

var jobs = Goal{
	Resource: batchv1.Resource("jobs"), Controller: "job-controller",
	Sentence: "A Job is finished or has active Pods, unless it is suspended or its parallelism is 0.",
	Upstream: "syncJob in k8s.io/kubernetes/pkg/controller/job/job_controller.go",
	lack: func(v *view, object runtime.Object) *Lack {
		job := object.(*batchv1.Job)
		if job.DeletionTimestamp != nil || jobutil.IsJobFinished(job) || isForeign(job) {
			return nil
		}
		pods := v.controlledBy(job.UID)
		active, _ := counts(pods)
		if job.Spec.Suspend != nil && *job.Spec.Suspend {
			if active == 0 {
				return nil
			}
			return &Lack{Missing: fmt.Sprintf("it is suspended, but has %d active Pods", active)}
		}
		if active > 0 {
			return working(v, job, pods)
		}
		if isPaused(job) {
			return differ("active", job.Status.Active, active)
		}
		lack := &Lack{Missing: "it is not finished, but has no active Pods"}
		pause(v, lack, pods)
		return lack
	},
	note: func(_ *view, object runtime.Object) string {
		job := object.(*batchv1.Job)
		switch {
		case jobutil.IsJobFinished(job):
		case isForeign(job):
			if job.Status.Active == 0 {
				return "spec.managedBy is " + *job.Spec.ManagedBy + ": the Job controller leaves its Pods to that controller"
			}
		case job.Spec.Suspend != nil && *job.Spec.Suspend:
			return "spec.suspend is true: it starts after it is resumed"
		case isPaused(job):
			return "spec.parallelism is 0: it starts when this is increased"
		}
		return ""
	},
}

// isForeign reports whether another controller than the Job controller manages a Job and counts its Pods, see
// https://kubernetes.io/docs/concepts/workloads/controllers/job/#delegation-of-managing-a-job-object-to-external-controller.
func isForeign(job *batchv1.Job) bool {
	return job.Spec.ManagedBy != nil && *job.Spec.ManagedBy != batchv1.JobControllerName
}

// isPaused reports whether a Job may have no active Pods: the documented way to pause one without deleting it, see
// https://kubernetes.io/docs/concepts/workloads/controllers/job/#controlling-parallelism.
func isPaused(job *batchv1.Job) bool {
	return job.Spec.Parallelism != nil && *job.Spec.Parallelism == 0
}

// working compares the status of a Job with its active Pods, of which one at least should be Ready.
func working(v *view, job *batchv1.Job, pods []*corev1.Pod) *Lack {
	count, ready := counts(pods)
	if lack := differ("active", job.Status.Active, count); lack != nil {
		return lack
	}
	if job.Status.Ready != nil && *job.Status.Ready != ready {
		return differ("ready", *job.Status.Ready, ready)
	}
	if ready > 0 {
		return nil
	}
	return v.notAllReady(pods, count)
}

// pause says what keeps a Job from creating its next Pod: one that is terminating, or the back-off after one that failed.
func pause(v *view, lack *Lack, pods []*corev1.Pod) {
	if v.awaitPod(lack, pods, 0) {
		return
	}
	for _, p := range pods {
		if pod.IsPodTerminal(p) && p.Status.Phase == corev1.PodFailed && v.Date().Sub(ended(p)) < jobcontroller.MaxJobPodFailureBackOff {
			lack.await(corev1.Resource("pods"), p, fmt.Sprintf("the back-off after Pod %s, which failed", p.Name))
		}
	}
}

// ended is when the last container of a Pod ended.
func ended(p *corev1.Pod) time.Time {
	last := p.CreationTimestamp.Time
	for _, c := range p.Status.ContainerStatuses {
		if c.State.Terminated != nil && c.State.Terminated.FinishedAt.After(last) {
			last = c.State.Terminated.FinishedAt.Time
		}
	}
	return last
}
