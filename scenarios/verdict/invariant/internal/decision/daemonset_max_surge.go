package decision

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Example: maxSurge is 1. An update that creates new Pods on 2 nodes, beside old ones that are available, breaks the invariant.
var daemonSetMaxSurge = Rule{
	Name:     "daemonset-max-surge",
	Sentence: "A controller creates Pods of a DaemonSet on at most maxSurge nodes at a time that already have an available one.",
	Forgives: "Pods that were not available in the controller's cache. Creations in one sync are at a time, and those of several syncs " +
		"are not added up.",
	Upstream: "https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/#daemonset-update-strategy; rollingUpdate in " +
		"pkg/controller/daemon/update.go",
	Watch: func(r *Run) Watcher {
		return &surges{
			look: look{run: r}, sets: newGenerations[*appsv1.DaemonSet](), nodes: map[types.UID]bool{},
			syncs: map[int64]map[types.UID]int{},
		}
	},
}

type surges struct {
	look
	sets  generations[*appsv1.DaemonSet]
	nodes map[types.UID]bool
	// syncs counts the nodes with two Pods on which a sync has created one, by DaemonSet.
	syncs map[int64]map[types.UID]int
}

func (s *surges) Record(record *trace.Record) {
	if record.Sync != nil && record.Sync.Phase == trace.PhaseEnd {
		delete(s.syncs, record.Sync.Start)
	}
}

func (s *surges) Change(c *Change) {
	switch object := c.Object.(type) {
	case *appsv1.DaemonSet:
		s.sets.follow(c, object)
	case *corev1.Node:
		if s.nodes[object.UID] = true; c.Op == memdb.OpDelete {
			delete(s.nodes, object.UID)
		}
	case *corev1.Pod:
		owner := metav1.GetControllerOfNoCopy(object)
		if owner != nil && c.Previous == nil && c.By.Cause != 0 && c.isBy(names.DaemonSetController) {
			s.looked = true
			s.created(c, object, owner)
		}
	}
}

// created counts the node of a Pod, if it has an available one.
func (s *surges) created(c *Change, object *corev1.Pod, owner *metav1.OwnerReference) {
	seen, known := s.pods(c.By)
	sets := s.sets.in(owner.UID, s.run.Views.Of("daemonsets.apps", c.By))
	created := s.run.Pods.Get(object.UID)
	if !known || len(sets) == 0 || created == nil {
		return
	}
	var limit int
	var minReady int32
	for _, set := range sets {
		count, err := daemonutil.SurgeCount(set, len(s.nodes))
		if err != nil {
			return
		}
		limit, minReady = max(limit, count), max(minReady, set.Spec.MinReadySeconds)
	}
	begin, _ := s.run.Views.Times(c.By)
	node, at := created.Newest().Node, s.dateOf(begin)
	isAvailable := func(v *knowledge.Version) bool {
		return v.Owner == owner.UID && v.Node == node && v.IsActive() && v.IsAvailable(minReady, at)
	}
	for _, other := range s.run.Pods.Of(owner.UID) {
		if other == created || !other.Was(seen, isAvailable) {
			continue
		}
		counts := s.syncs[c.By.Cause]
		if counts == nil {
			counts = map[types.UID]int{}
			s.syncs[c.By.Cause] = counts
		}
		if counts[owner.UID]++; counts[owner.UID] > limit {
			s.run.Broken(c.Seq, fmt.Sprintf(
				"%s created Pod %s/%s on %s: %d nodes get a Pod of DaemonSet %s beside an available one, more than maxSurge = %d",
				c.By.Actor, object.Namespace, object.Name, node, counts[owner.UID], owner.Name, limit))
		}
		return
	}
}
