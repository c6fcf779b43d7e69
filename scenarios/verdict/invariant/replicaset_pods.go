package invariant

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

var replicaSetPods = Invariant{
	Name:     "replicaset-pods",
	Sentence: "A controller does not create a Pod for a ReplicaSet or a ReplicationController that already has spec.replicas active Pods.",
	Forgives: "Adopted Pods, and Pods that exceed a reduced size until the controller deletes them. " +
		"Terminating and finished Pods. A size that was not in the controller's cache yet.",
	Upstream: "manageReplicas and the expectations in pkg/controller/replicaset/replica_set.go",
	watch: func(r *Run) watcher {
		return &replicaPods{run: r, owned: owned{}, sizes: map[types.UID]*knowledge.History[int32]{}}
	},
}

type replicaPods struct {
	passive
	run    *Run
	owned  owned
	sizes  map[types.UID]*knowledge.History[int32]
	looked bool
}

func (p *replicaPods) hasLooked() bool { return p.looked }

func (p *replicaPods) change(c *change) {
	switch object := c.Object.(type) {
	case *appsv1.ReplicaSet:
		p.size(c, object, *object.Spec.Replicas)
	case *corev1.ReplicationController:
		p.size(c, object, *object.Spec.Replicas)
	case *corev1.Pod:
		p.owned.follow(c, object)
		owner := metav1.GetControllerOf(object)
		if owner == nil || !c.isCreation() || !p.run.isChosen(c) || p.sizes[owner.UID] == nil {
			return
		}
		p.looked = true
		p.created(c, object, owner)
	}
}

func (p *replicaPods) size(c *change, object metav1.Object, size int32) {
	if c.Op == memdb.OpDelete {
		delete(p.sizes, object.GetUID())
		return
	}
	if p.sizes[object.GetUID()] == nil {
		p.sizes[object.GetUID()] = &knowledge.History[int32]{}
	}
	p.sizes[object.GetUID()].Add(c.Revision, size)
}

func (p *replicaPods) created(c *change, pod *corev1.Pod, owner *metav1.OwnerReference) {
	resource := "replicasets.apps"
	if owner.Kind == "ReplicationController" {
		resource = "replicationcontrollers"
	}
	var most int32
	for _, size := range p.sizes[owner.UID].Until(p.run.views.Of(resource, c.By)) {
		most = max(most, size)
	}
	if have := p.owned.active(owner.UID); have > int(most) {
		p.run.broken(c.Seq, fmt.Sprintf("%s created Pod %s/%s: %s %s now has %d active Pods, more than its %d replicas",
			c.By.Actor, pod.Namespace, pod.Name, owner.Kind, owner.Name, have, most))
	}
}
