package decision

import (
	"fmt"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/kubernetes/pkg/controller/job"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/trace"
)

// Example: the first Pod of a Job fails at 20s, and the second one at 35s. A third one before 55s breaks the invariant.
var jobBackOff = Rule{
	Name: "job-back-off",
	Sentence: "A controller creates no Pod for a Job before its back-off is over: 10 seconds after the first failure, and twice as long " +
		"after each further one. With backoffLimitPerIndex, each index has a back-off of its own.",
	Forgives: "Failures that were not in the controller's cache, and those before its informer listed the Pods for the last time: a " +
		"controller that starts again does not know of them. Those that it counted in an update that met a fault. Failures before a Pod " +
		"succeeded. Pods that somebody has deleted.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy; " +
		"pkg/controller/job/backoff_utils.go",
	Watch: func(r *Run) Watcher {
		return &backOffs{look: look{run: r}, indexed: versions[bool]{}, unknown: map[string]uint64{}}
	},
}

type backOffs struct {
	look
	// indexed are the Jobs that count the failures of each index.
	indexed versions[bool]
	// unknown is up to which revision the controller of a process, by the suffix of its name, may not know of failures.
	unknown map[string]uint64
	newest  uint64
}

func (b *backOffs) Record(record *trace.Record) {
	r := record.Request
	if r == nil {
		return
	}
	name, suffix := trace.SplitActor(record.Actor)
	switch {
	case name == trace.InformerActor && r.Verb == "list" && r.Resource == "pods":
		b.unknown[suffix] = b.newest
	case name == names.JobController && r.Resource == "jobs.batch" && record.FaultSeq != 0:
		// If the answer to an update of the status is lost, the controller does not remember the failures that it has counted with it.
		b.unknown[suffix] = b.newest
	}
}

func (b *backOffs) Change(c *Change) {
	b.newest = max(b.newest, c.Revision)
	switch object := c.Object.(type) {
	case *batchv1.Job:
		b.indexed.follow(c, object, object.Spec.BackoffLimitPerIndex != nil)
	case *corev1.Pod:
		owner := jobOf(c, object)
		if owner == nil {
			return
		}
		b.looked = true
		seen, known := b.pods(c.By)
		indexed := b.indexed.in(owner.UID, b.run.Views.Of("jobs.batch", c.By))
		if !known || len(indexed) == 0 {
			return
		}
		var failed *knowledge.Pod
		var count int
		if indexed[0] {
			failed, count = b.lastOfIndex(owner, object, seen)
		} else {
			failed, count = b.last(c, owner, seen)
		}
		if failed != nil {
			b.created(c, object, failed, count)
		}
	}
}

// created compares the time of a creation with that of the last failure.
func (b *backOffs) created(c *Change, pod *corev1.Pod, failed *knowledge.Pod, count int) {
	wait := time.Duration(job.DefaultJobPodFailureBackOff)
	for range count - 1 {
		wait = min(2*wait, job.MaxJobPodFailureBackOff)
	}
	_, sent := b.run.Views.Times(c.By)
	_, v := failed.First(fails)
	if waited := b.dateOf(sent).Sub(v.Finished); waited < wait {
		b.run.Broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s %s after Pod %s failed: after %d failures, its back-off is %s",
			c.By.Actor, pod.Namespace, pod.Name, waited.Round(time.Second/10), failed.Name, count, wait))
	}
}

// last is the Pod of a Job that failed last, and the number of failures without a success since then, as far as the cache had them.
func (b *backOffs) last(c *Change, owner *metav1.OwnerReference, seen knowledge.Span) (failed *knowledge.Pod, count int) {
	_, suffix := trace.SplitActor(c.By.Actor)
	pods := b.run.Pods.Of(owner.UID)
	after, success := max(b.unknown[suffix], b.run.Pods.Forgotten()), time.Time{}
	for _, pod := range pods {
		if rv, v := pod.First(succeeds); rv > 0 && rv <= seen.To {
			if after = max(after, rv); v.Finished.IsZero() {
				return nil, 0
			}
			if v.Finished.After(success) {
				success = v.Finished
			}
		}
	}
	newest := uint64(0)
	for _, pod := range pods {
		if rv, v := pod.First(fails); rv > after && rv <= seen.From && v.Finished.After(success) {
			count++
			if rv > newest {
				failed, newest = pod, rv
			}
		}
	}
	return failed, count
}

func succeeds(v *knowledge.Version) bool { return v.Phase == corev1.PodSucceeded }

// fails reports whether a Pod has failed, and its Job has still to count it. A Pod that was deleted before may be counted since then.
func fails(v *knowledge.Version) bool {
	return v.Phase == corev1.PodFailed && !v.IsDeleted && v.IsTracked
}

// lastOfIndex is the last failed Pod of the index of a Pod that was created, and the failures of the index.
func (b *backOffs) lastOfIndex(owner *metav1.OwnerReference, created *corev1.Pod, seen knowledge.Span) (failed *knowledge.Pod, count int) {
	index := created.Annotations[batchv1.JobCompletionIndexAnnotation]
	for _, pod := range b.run.Pods.Of(owner.UID) {
		failures := 0
		isFailed := pod.Was(seen, func(v *knowledge.Version) bool {
			failures = v.Failures
			return fails(v) && v.Index == index && !v.Finished.IsZero()
		})
		if isFailed && failures >= count {
			failed, count = pod, failures+1
		}
	}
	return failed, count
}
