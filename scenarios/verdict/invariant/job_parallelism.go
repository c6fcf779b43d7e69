package invariant

import (
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

var jobParallelism = Invariant{
	Name: "job-parallelism",
	Sentence: "A controller does not create a Pod for a Job that already has spec.parallelism active Pods, nor one that " +
		"exceeds spec.completions.",
	Forgives: "Terminating Pods, unless podReplacementPolicy is Failed. Changes that were not in the controller's cache yet.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#controlling-parallelism; " +
		"manageJob in pkg/controller/job/job_controller.go",
	watch: func(r *Run) watcher {
		return &parallelism{run: r, owned: owned{}, jobs: map[types.UID]*jobLife{}}
	},
}

type parallelism struct {
	passive
	run    *Run
	owned  owned
	jobs   map[types.UID]*jobLife
	looked bool
}

// jobLife is one Job: its specs, and the Pods of it that have succeeded.
type jobLife struct {
	specs     knowledge.History[*batchv1.JobSpec]
	succeeded map[types.UID]bool
}

func (p *parallelism) hasLooked() bool { return p.looked }

func (p *parallelism) change(c *change) {
	switch object := c.Object.(type) {
	case *batchv1.Job:
		if c.Op == memdb.OpDelete {
			delete(p.jobs, object.UID)
			return
		}
		if p.jobs[object.UID] == nil {
			p.jobs[object.UID] = &jobLife{succeeded: map[types.UID]bool{}}
		}
		p.jobs[object.UID].specs.Add(c.Revision, &object.Spec)
	case *corev1.Pod:
		p.owned.follow(c, object)
		owner := metav1.GetControllerOf(object)
		if owner == nil || p.jobs[owner.UID] == nil {
			return
		}
		if object.Status.Phase == corev1.PodSucceeded {
			p.jobs[owner.UID].succeeded[object.UID] = true
		}
		if c.isCreation() && p.run.isChosen(c) {
			p.looked = true
			p.created(c, object, owner)
		}
	}
}

func (p *parallelism) created(c *change, pod *corev1.Pod, owner *metav1.OwnerReference) {
	job := p.jobs[owner.UID]
	var most, completions int
	unbounded, replaces := false, false
	for _, spec := range job.specs.Until(p.run.views.Of("jobs.batch", c.By)) {
		most = max(most, int(*spec.Parallelism))
		if spec.Completions == nil {
			unbounded = true
		} else {
			completions = max(completions, int(*spec.Completions))
		}
		replaces = replaces || spec.PodReplacementPolicy == nil || *spec.PodReplacementPolicy == batchv1.TerminatingOrFailed
	}
	have := len(p.owned.all(owner.UID))
	if replaces {
		have = p.owned.active(owner.UID)
	}
	switch done := len(job.succeeded); {
	case have > most:
		p.run.broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s: Job %s now has %d active Pods, more than its parallelism of %d",
			c.By.Actor, pod.Namespace, pod.Name, owner.Name, have, most))
	case !unbounded && done+have > completions:
		p.run.broken(c.Seq, fmt.Sprintf(
			"%s created Pod %s/%s: Job %s now has %d active and %d succeeded Pods, more than its %d completions",
			c.By.Actor, pod.Namespace, pod.Name, owner.Name, have, done, completions))
	}
}
