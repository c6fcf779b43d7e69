package decision

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/scenarios/verdict/internal/ordinal"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
)

// Example: with 3 replicas and the partition 2, an update deletes db-2. A deletion of db-1 breaks the invariant.
var statefulSetPartition = Rule{
	Name:     "statefulset-partition",
	Sentence: "A controller does not delete a Pod of a StatefulSet whose ordinal is below the partition of its rolling update.",
	Forgives: "Pods that had finished, and ordinals that the StatefulSet did not want, in one version that the controller's cache had.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/#partitions; updateStatefulSet in " +
		"pkg/controller/statefulset/stateful_set_control.go",
	Watch: func(r *Run) Watcher { return &partitions{look: look{run: r}, sets: versions[setVersion]{}} },
}

type partitions struct {
	look
	sets versions[setVersion]
}

func (p *partitions) Change(c *Change) {
	switch object := c.Object.(type) {
	case *appsv1.StatefulSet:
		p.sets.follow(c, object, setVersionOf(object))
	case *corev1.Pod:
		owner := setOf(object)
		if owner == nil || !c.isBy(names.StatefulSetController) || c.By.Request.Verb != "delete" {
			return
		}
		p.looked = true
		number, found := ordinal.Of(object.Name, owner.Name)
		isBelow := func(v *setVersion) bool {
			return v.rolls && number < v.partition && number >= v.start && number < v.end
		}
		if !found || !p.sets.all(owner.UID, p.run.Views.Of("statefulsets.apps", c.By), isBelow) {
			return
		}
		seen, known := p.pods(c.By)
		pod := p.run.Pods.Get(object.UID)
		if known && pod != nil && pod.Was(seen, func(v *knowledge.Version) bool { return v.Exists && !v.IsFinished() }) {
			p.run.Broken(c.Seq, fmt.Sprintf("%s deleted Pod %s/%s, whose ordinal is below the partition of StatefulSet %s",
				c.By.Actor, object.Namespace, object.Name, owner.Name))
		}
	}
}
