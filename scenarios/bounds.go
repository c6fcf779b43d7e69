package scenarios

import (
	"fmt"
	"sort"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/types"
	deploymentutil "k8s.io/kubernetes/pkg/controller/deployment/util"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/trace"
)

// boundsName is the name of the check that every run makes by itself.
const boundsName = "rollout-bounds"

// bounds checks what a rolling update promises, on each write of a ReplicaSet's size:
//
//   - growing never takes the sum of all sizes above replicas + maxSurge;
//   - shrinking never takes the Pods that are available and still wanted below replicas - maxUnavailable,
//     unless they were fewer already.
//
// Real clusters keep both (pods themselves may be more for a moment: terminating ones are not counted).
// Example: 10 replicas, maxSurge 3, maxUnavailable 2. Sizes (new 5, old 8) sum up to 13, the most; new 6
// would break the first bound. With 8 of the old available, old 7 would break the second.
//
// The controller may still act on an older version of the Deployment, so the bounds are those of any
// generation that it has not confirmed to be past (status.observedGeneration).
type bounds struct {
	deployments map[types.UID]*deploymentBounds
	sizes       map[types.UID]int32
	seen        bool
	failed      string
}

// deploymentBounds are the promises of the generations of one Deployment.
type deploymentBounds struct{ most, least map[int64]int32 }

func newBounds() *bounds {
	return &bounds{deployments: map[types.UID]*deploymentBounds{}, sizes: map[types.UID]int32{}}
}

// look compares the state with that of the last look.
func (b *bounds) look(r *run) {
	if b.failed != "" {
		return
	}
	for _, obj := range r.sim.State.List(appsv1.Resource("deployments"), "") {
		d := obj.(*appsv1.Deployment)
		if d.Spec.Strategy.Type != appsv1.RollingUpdateDeploymentStrategyType || d.DeletionTimestamp != nil {
			continue
		}
		b.seen = true
		if message := b.lookAt(d, owned(r, d)); message != "" {
			b.failed = message
			r.sim.Recorder.Emit(&trace.Record{Kind: trace.KindCheck, Check: &trace.Check{Name: boundsName, Message: message}})
			return
		}
	}
}

// lookAt checks one Deployment and remembers its sizes.
func (b *bounds) lookAt(d *appsv1.Deployment, sets []*appsv1.ReplicaSet) string {
	promise := b.deployments[d.UID]
	if promise == nil {
		promise = &deploymentBounds{most: map[int64]int32{}, least: map[int64]int32{}}
		b.deployments[d.UID] = promise
	}
	promise.most[d.Generation] = *d.Spec.Replicas + deploymentutil.MaxSurge(*d)
	promise.least[d.Generation] = deploymentutil.MinAvailable(d)
	var sum, before, wanted, wantedBefore int32
	grown, shrunk := false, false
	for _, rs := range sets {
		size, old := *rs.Spec.Replicas, b.sizes[rs.UID]
		b.sizes[rs.UID] = size
		grown, shrunk = grown || size > old, shrunk || size < old
		sum, before = sum+size, before+old
		wanted += min(size, rs.Status.AvailableReplicas)
		wantedBefore += min(old, rs.Status.AvailableReplicas)
	}
	most, least := promise.since(d.Status.ObservedGeneration)
	switch {
	case grown && sum > most && sum > before:
		return fmt.Sprintf("Deployment %s/%s: the ReplicaSets' sizes sum up to %d, more than replicas + maxSurge = %d",
			d.Namespace, d.Name, sum, most)
	case shrunk && wanted < least && wanted < wantedBefore:
		return fmt.Sprintf("Deployment %s/%s: a scale-down leaves %d available Pods, fewer than replicas - maxUnavailable = %d",
			d.Namespace, d.Name, wanted, least)
	}
	return ""
}

// since returns the widest bounds of all generations from observed on.
func (p *deploymentBounds) since(observed int64) (most, least int32) {
	first := true
	for generation := range p.most {
		if generation < observed {
			delete(p.most, generation)
			delete(p.least, generation)
			continue
		}
		if first || p.most[generation] > most {
			most = p.most[generation]
		}
		if first || p.least[generation] < least {
			least = p.least[generation]
		}
		first = false
	}
	return most, least
}

// owned lists the ReplicaSets that a Deployment controls, oldest first.
func owned(r *run, d *appsv1.Deployment) []*appsv1.ReplicaSet {
	var sets []*appsv1.ReplicaSet
	for _, obj := range r.sim.State.List(appsv1.Resource("replicasets"), d.Namespace) {
		if rs := obj.(*appsv1.ReplicaSet); metav1.IsControlledBy(rs, d) {
			sets = append(sets, rs)
		}
	}
	sort.SliceStable(sets, func(i, j int) bool {
		return sets[i].CreationTimestamp.Before(&sets[j].CreationTimestamp)
	})
	return sets
}
