package decision

import (
	"fmt"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/cmd/kube-controller-manager/names"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/placement"
	"github.com/kubestep/kubestep/scenarios/verdict/invariant/internal/knowledge"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/trace"
)

// Example: maxUnavailable is 1, and all of 5 Pods are available. An update that deletes 2 of them at a time breaks the invariant.
var daemonSetMaxUnavailable = Rule{
	Name: "daemonset-max-unavailable",
	Sentence: "A controller that deletes available Pods of a DaemonSet for a rolling update leaves at most maxUnavailable nodes without " +
		"an available one.",
	Forgives: "Pods that were not available, nodes that had several Pods, and nodes that should not run one, in the controller's cache.",
	Upstream: "https://kubernetes.io/docs/tasks/manage-daemon/update-daemon-set/#daemonset-update-strategy; rollingUpdate in " +
		"pkg/controller/daemon/update.go",
	Watch: func(r *Run) Watcher {
		return &daemons{
			look: look{run: r}, deletions: newDeletions(names.DaemonSetController), sets: newGenerations[*appsv1.DaemonSet](),
			nodes: versions[*corev1.Node]{}, named: map[string]types.UID{},
		}
	},
}

type daemons struct {
	look
	deletions deletions
	// sets has a version for each generation, and nodes one for each change of what decides which Pods may run on the node.
	sets  generations[*appsv1.DaemonSet]
	nodes versions[*corev1.Node]
	named map[string]types.UID
}

func (d *daemons) Change(c *Change) {
	switch object := c.Object.(type) {
	case *appsv1.DaemonSet:
		d.sets.follow(c, object)
	case *corev1.Node:
		if h := d.nodes[object.UID]; h != nil && c.Op != memdb.OpDelete && isSameForPods(h.Newest(), object) {
			return
		}
		d.nodes.follow(c, object, object)
		d.named[object.Name] = object.UID
	case *corev1.Pod:
		d.deletions.change(&d.look, c, object)
	}
}

// isSameForPods compares what decides which Pods of DaemonSets may run on a node.
func isSameForPods(a, b *corev1.Node) bool {
	return equality.Semantic.DeepEqual(a.Labels, b.Labels) && equality.Semantic.DeepEqual(a.Spec, b.Spec)
}

func (d *daemons) Record(record *trace.Record) {
	if b := d.deletions.record(record); b != nil {
		d.looked = true
		seen := map[types.UID]bool{}
		for _, pod := range b.pods {
			var owner types.UID
			b.was(pod, func(v *knowledge.Version) bool { owner = v.Owner; return true })
			if owner != "" && !seen[owner] {
				seen[owner] = true
				d.deleted(b, owner)
			}
		}
	}
}

// daemonBatch is what a sync has deleted of a DaemonSet, and what its caches had.
type daemonBatch struct {
	*batch
	owner types.UID
	sets  []*appsv1.DaemonSet
	// least and most are the smallest and the largest minReadySeconds, and begin and end the times at which it decided.
	least, most int32
	begin, end  time.Time
}

// deleted counts the nodes that are left without an available Pod.
func (d *daemons) deleted(b *batch, owner types.UID) {
	sets := d.sets.in(owner, b.owners)
	if len(sets) == 0 {
		return
	}
	all := daemonBatch{
		batch: b, owner: owner, sets: sets, begin: d.dateOf(b.begin), end: d.dateOf(b.end),
		least: sets[0].Spec.MinReadySeconds,
	}
	for _, set := range sets {
		if set.Spec.UpdateStrategy.Type != appsv1.RollingUpdateDaemonSetStrategyType {
			return
		}
		all.least, all.most = min(all.least, set.Spec.MinReadySeconds), max(all.most, set.Spec.MinReadySeconds)
	}
	lost, without, limit := d.lost(&all), d.without(&all), d.limit(&all)
	if lost > 0 && lost+without > limit {
		d.run.Broken(b.last.Seq, fmt.Sprintf(
			"%s deleted %d available Pods of DaemonSet %s/%s: now %d nodes have no available one, more than maxUnavailable = %d",
			b.last.Actor, lost, sets[0].Namespace, sets[0].Name, lost+without, limit))
	}
}

// lost counts the nodes whose only Pod was available and was deleted, and that should keep it: only an update explains that.
func (d *daemons) lost(b *daemonBatch) (lost int) {
	for _, pod := range b.pods {
		node := ""
		wasAvailable := b.was(pod, func(v *knowledge.Version) bool {
			node = v.Node
			return v.Owner == b.owner && v.IsActive() && v.IsAvailable(b.most, b.begin)
		})
		if wasAvailable && d.isAlone(b, pod.Pod, node) && runs(b, d.nodes[d.named[node]], func(_, stays bool) bool { return stays }) {
			lost++
		}
	}
	return lost
}

// isAlone reports whether a node had no other Pod of the DaemonSet.
func (d *daemons) isAlone(b *daemonBatch, pod *knowledge.Pod, node string) bool {
	for _, other := range d.run.Pods.Of(b.owner) {
		isElsewhere := func(v *knowledge.Version) bool { return !v.Exists || v.IsDeleted || v.Node != node }
		if other != pod && !other.Was(b.seen, isElsewhere) {
			return false
		}
	}
	return true
}

// without counts the nodes that should run a Pod, and had no available one.
func (d *daemons) without(b *daemonBatch) (without int) {
	available := map[string]bool{}
	for _, pod := range d.run.Pods.Of(b.owner) {
		pod.Was(b.seen, func(v *knowledge.Version) bool {
			if !v.IsDeleted && v.IsAvailable(b.least, b.end) {
				available[v.Node] = true
			}
			return true
		})
	}
	for _, h := range d.nodes {
		if !available[h.Newest().Name] && runs(b, h, func(runs, _ bool) bool { return runs }) {
			without++
		}
	}
	return without
}

// runs reports whether a node exists, and all of its versions and of those of the DaemonSet meet a condition.
func runs(b *daemonBatch, node *knowledge.History[*corev1.Node], condition func(runs, stays bool) bool) bool {
	if node == nil || !node.Begins(b.nodes) {
		return false
	}
	for _, set := range b.sets {
		if !node.All(b.nodes, func(version **corev1.Node) bool { return condition(placement.RunsDaemonPod(*version, set)) }) {
			return false
		}
	}
	return true
}

// limit is the largest maxUnavailable. A percentage is one of the nodes that may run a Pod.
func (d *daemons) limit(b *daemonBatch) (limit int) {
	nodes := 0
	for _, h := range d.nodes {
		if !runs(b, h, func(runs, _ bool) bool { return !runs }) {
			nodes++
		}
	}
	for _, set := range b.sets {
		if count, err := daemonutil.UnavailableCount(set, nodes); err == nil {
			limit = max(limit, count)
		}
		if surge, err := daemonutil.SurgeCount(set, nodes); err == nil && surge == 0 {
			limit = max(limit, 1) // If both are 0, as percentages may be, the controller updates one node at a time.
		}
	}
	return limit
}
