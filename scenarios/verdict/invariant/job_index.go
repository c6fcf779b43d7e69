package invariant

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

var jobIndex = Invariant{
	Name:     "job-index",
	Sentence: "A controller does not create a Pod for an index of an Indexed Job that already has an active Pod.",
	Forgives: "Terminating Pods: a new one may start before they are gone, as the Kubernetes documentation says.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode; pkg/controller/job/indexed_job_utils.go",
	watch:    func(r *Run) watcher { return &indices{run: r, owned: owned{}} },
}

type indices struct {
	passive
	run    *Run
	owned  owned
	looked bool
}

func (i *indices) hasLooked() bool { return i.looked }

func (i *indices) change(c *change) {
	pod, ok := c.Object.(*corev1.Pod)
	if !ok {
		return
	}
	index := pod.Annotations[batchv1.JobCompletionIndexAnnotation]
	owner := metav1.GetControllerOf(pod)
	if index == "" || owner == nil || owner.Kind != "Job" {
		return
	}
	i.owned.follow(c, pod)
	if !c.isCreation() || !i.run.isChosen(c) {
		return
	}
	i.looked = true
	have := 0
	for _, other := range i.owned.all(owner.UID) {
		if other.DeletionTimestamp == nil && other.Annotations[batchv1.JobCompletionIndexAnnotation] == index {
			have++
		}
	}
	if have > 1 {
		i.run.broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s: now %d active Pods have the index %s of Job %s",
			c.By.Actor, pod.Namespace, pod.Name, have, index, owner.Name))
	}
}
