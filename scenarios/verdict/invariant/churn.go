package invariant

import (
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// spareCreations is how many objects may be created for an owner in a minute, in addition to those that it wants, wantedTimes of each.
	// A rolling update with maxSurge creates each Pod once; then nodes may fail.
	spareCreations = 20
	wantedTimes    = 3
)

// churn counts what controllers create for each owner in a virtual minute. An object without an owner counts for its name: a controller
// may create it again and again. There are a few numbers for each owner, and only as long as something is created for it.
type churn struct {
	run    *Run
	report func(*Hot, int64)
	nodes  int
	owners map[madeFor]*made
	// swept is when owners for which nothing is created any more were forgotten.
	swept time.Duration
}

// madeFor is the owner of what is created, and its resource; without an owner, the object itself.
type madeFor struct {
	owner                     types.UID
	resource, namespace, name string
}

// made is what was created for an owner since a time, at most a minute ago.
type made struct {
	since time.Duration
	// created and deleted count objects, and failed Pods of a Job. explained are those that users, or the spec, explain.
	created, deleted, failed, explained int
	// most is how many objects the owner wanted at most since then, and isKnown means that this is known. free is how many may be
	// created without another look at the owner.
	most, free int
	isKnown    bool
	hot        *Hot
}

func newChurn(r *Run, report func(*Hot, int64)) *churn {
	return &churn{run: r, report: report, owners: map[madeFor]*made{}}
}

func (c *churn) change(w *change) {
	if node, ok := w.Object.(*corev1.Node); ok {
		c.node(w, node)
	}
	resource := w.Resource.Resource
	if w.Background || resource == "events" || resource == "leases" {
		return
	}
	object, err := meta.Accessor(w.Object)
	if err != nil {
		panic("invariant: an object without metadata: " + err.Error())
	}
	switch owner := metav1.GetControllerOfNoCopy(object); {
	case w.isCreation():
		if c.run.isController(w.By.Actor) {
			c.created(w, object, owner)
		}
	case isDeletion(w, object):
		c.deleted(w, object, owner)
	case w.Op == memdb.OpDelete:
	default:
		c.updated(w, object, owner)
	}
}

func (c *churn) node(w *change, node *corev1.Node) {
	switch {
	case w.Op == memdb.OpDelete:
		c.nodes--
	case w.Previous == nil:
		c.nodes++
	}
}

// isDeletion reports whether a write deletes an object, or marks it as deleted.
func isDeletion(w *change, object metav1.Object) bool {
	if w.Previous == nil {
		return false
	}
	previous, err := meta.Accessor(w.Previous)
	return err == nil && previous.GetDeletionTimestamp() == nil && (w.Op == memdb.OpDelete || object.GetDeletionTimestamp() != nil)
}

func key(w *change, object metav1.Object, owner *metav1.OwnerReference) madeFor {
	if owner != nil {
		return madeFor{owner: owner.UID, resource: w.Resource.Resource}
	}
	return madeFor{resource: w.Resource.Resource, namespace: object.GetNamespace(), name: object.GetName()}
}

func (c *churn) created(w *change, object metav1.Object, owner *metav1.OwnerReference) {
	c.sweep(w.By.At)
	which := key(w, object, owner)
	m := c.owners[which]
	if m == nil {
		m = &made{since: w.By.At, free: spareCreations}
		c.owners[which] = m
	}
	if w.By.At-m.since > time.Minute {
		*m = made{since: w.By.At, free: spareCreations, hot: m.hot}
	}
	m.created++
	if m.hot != nil {
		m.hot.Count++
		m.hot.Controllers = addOnce(m.hot.Controllers, w.By.Actor)
		m.hot.until(w.By.At)
		return
	}
	if m.unexplained() > m.free {
		c.look(w, m, object, owner)
	}
}

// unexplained is how many creations nothing explains. If it is not known how many objects are wanted, only those count that were deleted
// again.
func (m *made) unexplained() int {
	if m.isKnown || m.most == 0 {
		return m.created - m.explained
	}
	return min(m.created, m.deleted) - m.explained
}

// wanted is how many objects the owner wants at most; -1 if that is not known.
func (m *made) wanted() int {
	if m.isKnown {
		return m.most
	}
	return -1
}

// look compares what was created with what the owner wants.
func (c *churn) look(w *change, m *made, object metav1.Object, owner *metav1.OwnerReference) {
	of := trace.Object{Resource: w.Resource.GroupResource().String(), Namespace: object.GetNamespace(), Name: object.GetName()}
	m.most, m.isKnown = max(m.most, 1), true
	if owner != nil {
		resource := c.run.kinds.resourceOf(owner)
		of.Resource, of.Name = resource.String(), owner.Name
		found, ok := c.run.Get(resource, object.GetNamespace(), owner.Name)
		if !ok {
			found, ok = c.run.Get(resource, "", owner.Name)
			of.Namespace = ""
		}
		if ok && isDeleted(found) {
			m.free = m.created
			return
		}
		m.wants(c, w, found, owner)
	}
	if m.free = spareCreations + wantedTimes*m.most; m.unexplained() <= m.free {
		return
	}
	if !c.run.isCalm(m.since) {
		*m = made{since: w.By.At, free: spareCreations}
		return
	}
	m.hot = &Hot{
		Object: trace.ObjectName(of), Controllers: []string{w.By.Actor}, Work: HotCreates, Kind: w.Kind.Kind, Deleted: m.deleted,
		Wanted: m.wanted(), Count: m.created, Resource: of.Resource, first: m.since,
	}
	if owner == nil {
		m.hot.Work, m.hot.Kind, m.hot.Wanted = HotRecreates, "", 0
	}
	m.hot.until(w.By.At)
	c.report(m.hot, w.Seq)
}

// wants learns how many objects an owner wants now. If that is not known, it is as many as there are.
func (m *made) wants(c *churn, w *change, owner runtime.Object, ref *metav1.OwnerReference) {
	n, known := 0, false
	if w.Resource.Resource == "pods" && owner != nil {
		n, known = wantedPods(owner, c.nodes)
	}
	if m.isKnown = known; !known {
		for _, other := range c.run.List(w.Resource.GroupResource(), "") {
			o, err := meta.Accessor(other)
			if err != nil {
				continue
			}
			if of := metav1.GetControllerOfNoCopy(o); of != nil && of.UID == ref.UID {
				n++
			}
		}
	}
	m.most = max(m.most, n)
	if job, ok := owner.(*batchv1.Job); ok {
		limit, limited := failuresOf(job)
		if !limited {
			limit = m.failed
		}
		m.explained += min(m.failed, limit)
		m.failed -= min(m.failed, limit)
	}
}

func isDeleted(object runtime.Object) bool {
	o, err := meta.Accessor(object)
	return err == nil && o.GetDeletionTimestamp() != nil
}

// deleted explains one creation if a user deletes an object, or the scheduler in favor of another one.
func (c *churn) deleted(w *change, object metav1.Object, owner *metav1.OwnerReference) {
	m := c.owners[key(w, object, owner)]
	switch {
	case m == nil:
	case !c.run.isController(w.By.Actor) && !isKubelet(w.By.Actor):
		m.explained++
	default:
		m.deleted++
		if m.hot != nil {
			m.hot.Deleted++
		}
	}
}

// updated explains Pods of a Job that have finished, and a new spec of an owner.
func (c *churn) updated(w *change, object metav1.Object, owner *metav1.OwnerReference) {
	if pod, ok := w.Object.(*corev1.Pod); ok {
		previous := w.Previous.(*corev1.Pod)
		if pod.Status.Phase == previous.Status.Phase || owner == nil || owner.Kind != "Job" {
			return
		}
		if m := c.owners[key(w, object, owner)]; m != nil {
			switch pod.Status.Phase {
			case corev1.PodSucceeded:
				m.explained++
			case corev1.PodFailed:
				m.failed++
			}
		}
		return
	}
	m := c.owners[madeFor{owner: object.GetUID(), resource: "pods"}]
	if m == nil || object.GetGeneration() == 0 {
		return
	}
	previous, err := meta.Accessor(w.Previous)
	if err != nil || previous.GetGeneration() == object.GetGeneration() {
		return
	}
	before, _ := wantedPods(w.Previous, c.nodes)
	now, _ := wantedPods(w.Object, c.nodes)
	m.most = max(m.most, before, now)
	m.explained += now
}

// sweep forgets the owners for which nothing was created in the last minute.
func (c *churn) sweep(at time.Duration) {
	if at-c.swept < time.Minute {
		return
	}
	c.swept = at
	for which, m := range c.owners {
		if at-m.since > 2*time.Minute && (m.hot == nil || at-duration(m.hot.LastSeconds) > time.Minute) {
			delete(c.owners, which)
		}
	}
}
