// Package batch computes the syncs of the controllers of Jobs, which create Pods that end, and of CronJobs, which create Jobs: how
// many Pods are wanted, how long the back-off after a failure lasts, which scheduled time is due.
package batch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/controller"
	jobcontroller "k8s.io/kubernetes/pkg/controller/job"
	jobutil "k8s.io/kubernetes/pkg/controller/job/util"
	"k8s.io/utils/ptr"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// The resources as the recording names them.
const (
	jobs     = "jobs.batch"
	cronJobs = "cronjobs.batch"
	pods     = "pods"
)

const jobFile = "pkg/controller/job/job_controller.go"

// work is a sync of a Job: how many Pods it wants, and whether the back-off lets it create them.
type work struct {
	observed.Sync
	out *arithmetic.Explanation
	job *batchv1.Job
	// all are its Pods, active those that have neither ended nor are terminating.
	all, active                    []*corev1.Pod
	succeeded, failed, terminating int
	newSucceeded, newFailed        []*corev1.Pod
	now                            time.Time
}

// Job explains a sync of a Job, as syncJob and manageJob decide. Jobs with a podFailurePolicy, a successPolicy or a
// backoffLimitPerIndex are not explained.
func Job(s observed.Sync) *arithmetic.Explanation {
	job := &batchv1.Job{}
	e, ok := s.Begin(jobs, "Job", job)
	if !ok {
		return e
	}
	spec := job.Spec
	switch {
	case spec.PodFailurePolicy != nil, spec.SuccessPolicy != nil, spec.BackoffLimitPerIndex != nil, spec.ManagedBy != nil:
		return nil
	case jobutil.IsJobFinished(job):
		e.Verdict = "nothing: it is finished"
		return e
	}
	w := &work{Sync: s, out: e, job: job, now: s.Time(s.SentAt("create"))}
	w.count()
	creations, deletions := s.Awaited(pods)
	switch {
	case w.ends():
	case job.DeletionTimestamp != nil:
		e.Verdict = "nothing: it is being deleted"
	case creations+deletions > 0:
		e.Verdict = fmt.Sprintf("nothing: its cache has not received %s that it created and %d that it deleted",
			trace.Count(creations, "Pod"), deletions)
	default:
		w.manage()
	}
	e.Why = e.Verdict
	return s.Finish(e)
}

// count counts the Pods. A Pod that ended counts once: while it has the finalizer of the Job, or in the status.
func (w *work) count() {
	for _, p := range w.Pods() {
		if metav1.IsControlledBy(p, w.job) {
			w.all = append(w.all, p)
		}
	}
	w.active = controller.FilterActivePods(klog.Background(), w.all)
	status := w.job.Status
	uncounted := status.UncountedTerminatedPods
	if uncounted == nil {
		uncounted = &batchv1.UncountedTerminatedPods{}
	}
	for _, p := range w.all {
		if p.DeletionTimestamp != nil && (p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodPending) {
			w.terminating++
		}
		counted := slices.Contains(uncounted.Succeeded, p.UID) || slices.Contains(uncounted.Failed, p.UID)
		if counted || !slices.Contains(p.Finalizers, batchv1.JobTrackingFinalizer) || w.isUntracked(p) {
			continue
		}
		switch {
		case p.Status.Phase == corev1.PodSucceeded:
			w.newSucceeded = append(w.newSucceeded, p)
		case p.Status.Phase == corev1.PodFailed, p.DeletionTimestamp != nil:
			w.newFailed = append(w.newFailed, p)
		}
	}
	w.succeeded = int(status.Succeeded) + len(w.newSucceeded) + len(uncounted.Succeeded)
	w.failed = int(status.Failed) + len(w.newFailed) + len(uncounted.Failed)
	if w.isIndexed() {
		done := w.indexes(func(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodSucceeded })
		for _, n := range intervals(status.CompletedIndexes) {
			done[n] = true
		}
		w.succeeded = len(done)
	}
	step := w.out.Step("Pods", jobFile, "syncJob")
	step.Line("active", "neither finished nor terminating", len(w.active))
	step.Line("succeeded", fmt.Sprintf("status %d, new %d", status.Succeeded, len(w.newSucceeded)), w.succeeded)
	step.Line("failed", fmt.Sprintf("status %d, new %d", status.Failed, len(w.newFailed)), w.failed)
}

// isUntracked reports whether an earlier sync has removed the finalizer of a Pod, which the cache has not received.
func (w *work) isUntracked(p *corev1.Pod) bool {
	versions := w.Rec.Versions(trace.Object{Resource: pods, Namespace: p.Namespace, Name: p.Name})
	for _, v := range versions {
		r := w.Rec.Record(v.Seq)
		if v.Seq < w.Start.Seq && v.RV > observed.Number(p.ResourceVersion) && r.Actor == w.Start.Actor && r.Request.Verb == "patch" {
			return true
		}
	}
	return false
}

// ends says why the Job ends, if it does: then its active Pods are deleted.
func (w *work) ends() bool {
	limit := int(*w.job.Spec.BackoffLimit)
	step := w.out.Step("does it end?", jobFile, "syncJob")
	step.Line("backoffLimit", fmt.Sprintf("failed %d of more than %d", w.failed, limit), nil)
	why := ""
	for _, c := range w.job.Status.Conditions {
		if (c.Type == batchv1.JobSuccessCriteriaMet || c.Type == batchv1.JobFailureTarget) && c.Status == corev1.ConditionTrue {
			why = "it has the condition " + string(c.Type)
		}
	}
	if deadline := w.job.Spec.ActiveDeadlineSeconds; why == "" && deadline != nil && w.job.Status.StartTime != nil && !w.isSuspended() {
		age := w.Time(w.Start.At).Sub(w.job.Status.StartTime.Time)
		step.Line("activeDeadlineSeconds", fmt.Sprintf("%s of %d s", recording.Short(age), *deadline), nil)
		if age >= time.Duration(*deadline)*time.Second {
			why = "activeDeadlineSeconds have passed"
		}
	}
	if why == "" && (w.failed > limit || w.restartsExceed(limit)) {
		why = fmt.Sprintf("%d Pods failed, more than backoffLimit %d", w.failed, limit)
	}
	if why == "" {
		return false
	}
	w.out.Act("delete", pods, len(w.active), observed.Names(w.active)...)
	w.out.Verdict = fmt.Sprintf("it ends: %s; it deletes %s", why, trace.Count(len(w.active), "active Pod"))
	return true
}

// restartsExceed reports whether containers that restart in place have failed too often (pastBackoffLimitOnFailure).
func (w *work) restartsExceed(limit int) bool {
	if w.job.Spec.Template.Spec.RestartPolicy != corev1.RestartPolicyOnFailure {
		return false
	}
	restarts := 0
	for _, p := range w.all {
		if p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodPending {
			for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
				restarts += int(c.RestartCount)
			}
		}
	}
	return restarts > 0 && restarts >= limit
}

func (w *work) isSuspended() bool { return w.job.Spec.Suspend != nil && *w.job.Spec.Suspend }
func (w *work) isIndexed() bool {
	return w.job.Spec.CompletionMode != nil && *w.job.Spec.CompletionMode == batchv1.IndexedCompletion
}

// manage compares the active Pods with those that are wanted (manageJob).
func (w *work) manage() {
	e, active := w.out, len(w.active)
	step := e.Step("how many Pods?", jobFile, "manageJob")
	parallelism, wanted := int(*w.job.Spec.Parallelism), 0
	switch completions := w.job.Spec.Completions; {
	case w.isSuspended():
		step.Line("wanted", "it is suspended", 0)
	case completions == nil && w.succeeded > 0:
		wanted = active
		step.Line("wanted", "a Pod has succeeded, so those that run stay", wanted)
	case completions == nil:
		wanted = parallelism
		step.Line("wanted", "parallelism", wanted)
	default:
		wanted = max(0, min(parallelism, int(*completions)-w.succeeded))
		formula := fmt.Sprintf("min(parallelism %d, completions %d - succeeded %d)", parallelism, *completions, w.succeeded)
		step.Line("wanted", formula, wanted)
	}
	if policy := w.job.Spec.PodReplacementPolicy; policy != nil && *policy == batchv1.Failed {
		step.Line("terminating", "podReplacementPolicy Failed", w.terminating)
	} else {
		w.terminating = 0
	}
	diff := wanted - active - w.terminating
	step.Line("difference", fmt.Sprintf("%d wanted - %d active", wanted, active), diff)
	switch {
	case active > wanted:
		count := min(active-wanted, jobcontroller.MaxPodCreateDeletePerSync)
		e.Act("delete", pods, count)
		e.Verdict = fmt.Sprintf("it deletes %s: %d active, %d wanted", trace.Count(count, "Pod"), active, wanted)
	case diff <= 0:
		e.Verdict = fmt.Sprintf("nothing: %d active of %d wanted", active, wanted)
	default:
		w.create(min(diff, jobcontroller.MaxPodCreateDeletePerSync), wanted)
	}
}

// create creates Pods, unless the back-off after a failure lasts.
func (w *work) create(count, wanted int) {
	e := w.out
	if failures, last := w.failures(); failures > 0 {
		delay := jobcontroller.DefaultJobPodFailureBackOff << min(failures-1, 10)
		delay = min(delay, jobcontroller.MaxJobPodFailureBackOff)
		rest := last.Add(delay).Sub(w.now)
		e.Step("back-off", "pkg/controller/job/backoff_utils.go", "getRemainingTimeForFailuresCount").
			Line("left", fmt.Sprintf("%s after %s - %s since the last", recording.Short(delay), trace.Count(failures, "failure"),
				recording.Short(w.now.Sub(last))), recording.Short(max(rest, 0)))
		if rest > 0 {
			e.Rest = rest
			e.Verdict = fmt.Sprintf("waiting: the back-off after %s lasts %s more", trace.Count(failures, "failure"), recording.Short(rest))
			return
		}
	}
	if w.isIndexed() {
		free := w.pending(count)
		count = len(free)
		e.Step("indexes", "pkg/controller/job/indexed_job_utils.go", "firstPendingIndexes").
			Line("first pending", strings.Trim(fmt.Sprint(free), "[]"), count)
	}
	e.Act("create", pods, count)
	e.Verdict = fmt.Sprintf("it creates %s: %d active, %d wanted", trace.Count(count, "Pod"), len(w.active), wanted)
}

// failures counts the Pods that failed after the last success, with the time of the last failure, as the controller
// remembers them: those that it counted since its process started (newBackoffRecord in pkg/controller/job/backoff_utils.go).
func (w *work) failures() (count int, last time.Time) {
	failed, success := map[types.UID]time.Time{}, time.Time{}
	note := func(of *work) {
		for _, p := range of.newSucceeded {
			if at := ended(p); at.After(success) {
				success = at
			}
		}
		for _, p := range of.newFailed {
			failed[p.UID] = ended(p)
		}
	}
	for other := range w.Earlier() {
		job := &batchv1.Job{}
		if found, err := other.Get(jobs, other.Name, job); found && err == nil && job.UID == w.job.UID {
			before := &work{Sync: other, out: &arithmetic.Explanation{}, job: job}
			before.count()
			note(before)
		}
	}
	note(w)
	for _, at := range failed {
		if at.After(success) {
			count++
			if at.After(last) {
				last = at
			}
		}
	}
	return count, last
}

// ended is when a Pod ended: when its last container did, when it was not Ready any more, or when it was deleted.
func ended(p *corev1.Pod) time.Time {
	var last time.Time
	for _, c := range p.Status.ContainerStatuses {
		if c.State.Terminated == nil || c.State.Terminated.FinishedAt.IsZero() {
			last = time.Time{}
			break
		}
		if c.State.Terminated.FinishedAt.After(last) {
			last = c.State.Terminated.FinishedAt.Time
		}
	}
	for _, c := range p.Status.Conditions {
		if last.IsZero() && c.Type == corev1.PodReady && c.Status == corev1.ConditionFalse {
			last = c.LastTransitionTime.Time
		}
	}
	switch {
	case !last.IsZero():
		return last
	case p.DeletionTimestamp != nil:
		return p.DeletionTimestamp.Add(-time.Duration(ptr.Deref(p.DeletionGracePeriodSeconds, 0)) * time.Second)
	}
	return p.CreationTimestamp.Time
}

// indexes are those of the Pods that match.
func (w *work) indexes(match func(*corev1.Pod) bool) map[int]bool {
	found := map[int]bool{}
	for _, p := range w.all {
		if n, err := strconv.Atoi(p.Annotations[batchv1.JobCompletionIndexAnnotation]); err == nil && match(p) {
			found[n] = true
		}
	}
	return found
}

// pending are the first indexes that have neither succeeded nor an active Pod.
func (w *work) pending(count int) []int {
	taken := w.indexes(func(p *corev1.Pod) bool {
		return controller.IsPodActive(p) || p.Status.Phase == corev1.PodSucceeded
	})
	for _, n := range intervals(w.job.Status.CompletedIndexes) {
		taken[n] = true
	}
	var free []int
	for n := 0; n < int(*w.job.Spec.Completions) && len(free) < count; n++ {
		if !taken[n] {
			free = append(free, n)
		}
	}
	return free
}

// intervals are the numbers of a text like 1,3-5.
func intervals(text string) []int {
	var all []int
	for part := range strings.SplitSeq(text, ",") {
		first, last, _ := strings.Cut(part, "-")
		from, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		to, err := strconv.Atoi(last)
		if err != nil {
			to = from
		}
		for n := from; n <= to; n++ {
			all = append(all, n)
		}
	}
	return all
}
