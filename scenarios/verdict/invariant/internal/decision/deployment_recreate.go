package decision

import (
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Example: web-1 has 0 replicas, but one of its Pods still terminates. A step of web-2 from 0 to 3 replicas breaks the invariant.
var deploymentRecreate = Rule{
	Name: "deployment-recreate",
	Sentence: "With the strategy Recreate, a controller does not start a ReplicaSet of a Deployment while Pods of the others have not " +
		"finished.",
	Forgives: "Pods that did not exist, or had finished, in the controller's cache. A ReplicaSet that already had replicas, and " +
		"Deployments that are paused: the strategy is about updates, and not about scaling.",
	Upstream: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#recreate-deployment; oldPodsRunning in " +
		"pkg/controller/deployment/recreate.go",
	Watch: func(r *Run) Watcher {
		return &recreations{
			look: look{run: r}, waits: versions[bool]{}, owners: versions[types.UID]{}, sets: map[types.UID][]*appsv1.ReplicaSet{},
		}
	},
}

type recreations struct {
	look
	// waits are the Deployments whose updates wait, owners the Deployments of ReplicaSets, and sets the ReplicaSets of Deployments.
	waits  versions[bool]
	owners versions[types.UID]
	sets   map[types.UID][]*appsv1.ReplicaSet
}

func (r *recreations) Change(c *Change) {
	switch object := c.Object.(type) {
	case *appsv1.Deployment:
		r.waits.follow(c, object, object.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType && !object.Spec.Paused)
		if c.Op == memdb.OpDelete {
			delete(r.sets, object.UID)
		}
	case *appsv1.ReplicaSet:
		owner := metav1.GetControllerOfNoCopy(object)
		if owner == nil {
			owner = &metav1.OwnerReference{}
		}
		r.owners.follow(c, object, owner.UID)
		if owner.UID == "" {
			return
		}
		isSelf := func(other *appsv1.ReplicaSet) bool { return other.UID == object.UID }
		switch known := slices.ContainsFunc(r.sets[owner.UID], isSelf); {
		case c.Op == memdb.OpDelete:
			r.sets[owner.UID] = slices.DeleteFunc(r.sets[owner.UID], isSelf)
			return
		case !known:
			r.sets[owner.UID] = append(r.sets[owner.UID], object)
		}
		before, _ := c.Previous.(*appsv1.ReplicaSet)
		if *object.Spec.Replicas > 0 && (before == nil || *before.Spec.Replicas == 0) && c.isBy(names.DeploymentController) {
			r.started(c, object, owner)
		}
	}
}

// started looks for Pods of other ReplicaSets.
func (r *recreations) started(c *Change, set *appsv1.ReplicaSet, owner *metav1.OwnerReference) {
	waits := r.waits.all(owner.UID, r.run.Views.Of("deployments.apps", c.By), func(waits *bool) bool { return *waits })
	if !waits {
		return
	}
	r.looked = true
	pods, known := r.pods(c.By)
	if !known {
		return
	}
	sets := r.run.Views.Of("replicasets.apps", c.By)
	for _, other := range r.sets[owner.UID] {
		owned := r.owners.all(other.UID, sets, func(uid *types.UID) bool { return *uid == owner.UID })
		if other.UID == set.UID || !owned {
			continue
		}
		for _, pod := range r.run.Pods.Of(other.UID) {
			isThere := func(v *knowledge.Version) bool { return v.Exists && v.Owner == other.UID && !v.IsFinished() }
			if pod.Was(pods, isThere) && r.matches(pod, other) {
				r.run.Broken(c.Seq, fmt.Sprintf("%s started ReplicaSet %s/%s, but its cache had Pod %s of %s, which had not finished",
					c.By.Actor, set.Namespace, set.Name, pod.Name, other.Name))
				return
			}
		}
	}
}

// matches reports whether a Pod has the labels of its ReplicaSet, as far as is known: the controller finds Pods by their labels.
func (r *recreations) matches(pod *knowledge.Pod, set *appsv1.ReplicaSet) bool {
	object, exists := r.run.Get(corev1.Resource("pods"), pod.Namespace, pod.Name)
	if !exists {
		return true
	}
	selector, err := metav1.LabelSelectorAsSelector(set.Spec.Selector)
	return err == nil && selector.Matches(labels.Set(object.(*corev1.Pod).Labels))
}
