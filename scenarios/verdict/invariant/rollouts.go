package invariant

import (
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// rollouts follows the Deployments of a run and the sizes of their ReplicaSets, for the invariants about both.
type rollouts struct {
	deployments map[types.UID]*rollout
}

// rollout is one Deployment.
type rollout struct {
	deployment *appsv1.Deployment
	// promises are what its versions promise.
	promises knowledge.History[promise]
	sets     map[types.UID]*replicaSet
}

// promise is what a Deployment asks for: at most so many replicas in all, and at least so many available ones.
type promise struct{ most, least int32 }

// replicaSet is one ReplicaSet of a Deployment.
type replicaSet struct {
	size, before int32
	// available are the available Pods that its status counted.
	available knowledge.History[int32]
}

func newRollouts() rollouts { return rollouts{map[types.UID]*rollout{}} }

// follow takes a write, and returns the Deployment and the ReplicaSet whose size a controller changed with it.
func (r rollouts) follow(c *change, rv uint64) (*rollout, *replicaSet) {
	switch object := c.Object.(type) {
	case *appsv1.Deployment:
		d := r.of(object.UID)
		d.deployment = object
		if c.Op == memdb.OpDelete {
			delete(r.deployments, object.UID)
			return nil, nil
		}
		d.promises.Add(rv, promise{*object.Spec.Replicas + deploymentutil.MaxSurge(*object), deploymentutil.MinAvailable(object)})
	case *appsv1.ReplicaSet:
		owner := metav1.GetControllerOf(object)
		if owner == nil || owner.Kind != "Deployment" {
			return nil, nil
		}
		return r.sized(c, object, owner.UID, rv)
	}
	return nil, nil
}

func (r rollouts) of(uid types.UID) *rollout {
	d := r.deployments[uid]
	if d == nil {
		d = &rollout{sets: map[types.UID]*replicaSet{}}
		r.deployments[uid] = d
	}
	return d
}

func (r rollouts) sized(c *change, object *appsv1.ReplicaSet, owner types.UID, rv uint64) (*rollout, *replicaSet) {
	d := r.of(owner)
	if c.Op == memdb.OpDelete {
		delete(d.sets, object.UID)
		return nil, nil
	}
	set := d.sets[object.UID]
	if set == nil {
		set = &replicaSet{}
		d.sets[object.UID] = set
	}
	set.available.Add(rv, object.Status.AvailableReplicas)
	set.before, set.size = set.size, *object.Spec.Replicas
	if set.size == set.before || d.deployment == nil || d.deployment.DeletionTimestamp != nil ||
		d.deployment.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType {
		return nil, nil
	}
	return d, set
}

// sum adds the sizes up.
func (d *rollout) sum() (sum int32) {
	for _, set := range d.sets {
		sum += set.size
	}
	return sum
}
