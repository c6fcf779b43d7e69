package decision

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	"k8s.io/utils/ptr"
)

// Example: backoffLimit is 2, and status.failed is 3. Another Pod breaks the invariant.
var jobBackoffLimit = Rule{
	Name:     "job-backoff-limit",
	Sentence: "A controller does not create a Pod for a Job that has more failed Pods than its backoffLimit.",
	Forgives: "Failures that the status of the Job in the controller's cache did not count.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#pod-backoff-failure-policy; syncJob in " +
		"pkg/controller/job/job_controller.go",
	Watch: func(r *Run) Watcher { return &backoffLimits{look: look{run: r}, jobs: versions[failures]{}} },
}

type backoffLimits struct {
	look
	jobs versions[failures]
}

// failures are how many Pods of a Job have failed, and may fail.
type failures struct{ failed, limit int }

func (b *backoffLimits) Change(c *Change) {
	switch object := c.Object.(type) {
	case *batchv1.Job:
		failed := int(object.Status.Failed)
		if uncounted := object.Status.UncountedTerminatedPods; uncounted != nil {
			failed += len(uncounted.Failed)
		}
		b.jobs.follow(c, object, failures{failed, int(ptr.Deref(object.Spec.BackoffLimit, byDefault))})
	case *corev1.Pod:
		owner := jobOf(c, object)
		if owner == nil {
			return
		}
		b.looked = true
		values := b.jobs.in(owner.UID, b.run.Views.Of("jobs.batch", c.By))
		for _, v := range values {
			if v.failed <= v.limit {
				return
			}
		}
		if len(values) > 0 {
			v := values[0]
			b.run.Broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s, but %d Pods of Job %s had failed, more than its backoffLimit of %d",
				c.By.Actor, object.Namespace, object.Name, v.failed, owner.Name, v.limit))
		}
	}
}

// byDefault is the backoffLimit of a Job that has none.
const byDefault = 6

// jobOf is the Job for which its controller has created a Pod, or nil.
func jobOf(c *Change, pod *corev1.Pod) *metav1.OwnerReference {
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil || owner.Kind != "Job" || c.Previous != nil || !c.isBy(names.JobController) {
		return nil
	}
	return owner
}
