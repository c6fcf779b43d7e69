package apps

import (
	"fmt"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/daemon"
	daemonutil "k8s.io/kubernetes/pkg/controller/daemon/util"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/controllers/placement"
	"github.com/kubestep/kubestep/sim/trace"
)

const (
	daemonFile       = "pkg/controller/daemon/daemon_controller.go"
	daemonUpdateFile = "pkg/controller/daemon/update.go"
)

// daemons is a sync of a DaemonSet: which nodes need a Pod, and which old Pods may go.
type daemons struct {
	observed.Sync
	out   *arithmetic.Explanation
	set   *appsv1.DaemonSet
	nodes []*corev1.Node
	// onNode are the Pods by the node that they are for.
	onNode map[string][]*corev1.Pod
	now    metav1.Time
	// hash is that of the newest revision.
	hash string
	// creates are the nodes that get a Pod, deletes the Pods that are deleted, or of which as many as deleted are.
	creates, deletes []string
	deleted, desired int
	// spared are those of deletes that have to wait for the deletion of another failed Pod of their node.
	spared int
	// does and waits are the phrases of the verdict.
	does, waits []string
}

// DaemonSet explains a sync of a DaemonSet, as manage and rollingUpdate decide.
func DaemonSet(s observed.Sync) *arithmetic.Explanation {
	if s.Start.Sync.Queue != "daemonset" {
		return nil
	}
	set := &appsv1.DaemonSet{}
	e, ok := s.Begin(daemonSets, "DaemonSet", set)
	if !ok {
		return e
	}
	if set.DeletionTimestamp != nil {
		e.Verdict = "nothing: it is being deleted"
		return s.Finish(e)
	}
	if creations, deletions := s.Awaited(pods); creations+deletions > 0 {
		e.Step("expectations", "pkg/controller/controller_utils.go", "SatisfiedExpectations").
			Line("not in the cache yet", "", fmt.Sprintf("%d created, %d deleted", creations, deletions))
		e.Verdict = fmt.Sprintf("nothing: its cache has not received %s that it created and %d that it deleted",
			trace.Count(creations, "Pod"), deletions)
		return s.Finish(e)
	}
	d := &daemons{Sync: s, out: e, set: set, now: metav1.NewTime(s.Time(s.SentAt("create")))}
	d.read()
	d.manage()
	managed := len(d.creates) + len(d.deletes) - d.spared
	d.conclude()
	if set.Spec.UpdateStrategy.Type == appsv1.RollingUpdateDaemonSetStrategyType && (managed == 0 || d.continues(managed)) {
		d.roll()
		d.conclude()
	}
	d.say()
	return s.Finish(e)
}

// read reads the nodes, the Pods and the newest revision.
func (d *daemons) read() {
	d.nodes, d.onNode = nil, map[string][]*corev1.Pod{}
	for _, o := range d.Objects(d.Cache("nodes"), "") {
		node := &corev1.Node{}
		if object := d.Cached(o); object != nil && observed.Convert(object, node) == nil {
			d.nodes = append(d.nodes, node)
		}
	}
	for _, p := range d.Pods() {
		// Those that have ended and are being deleted do not count (getNodesToDaemonPods).
		if metav1.IsControlledBy(p, d.set) && (p.DeletionTimestamp == nil || !pod.IsPodTerminal(p)) {
			if name, err := daemonutil.GetTargetNodeName(p); err == nil {
				d.onNode[name] = append(d.onNode[name], p)
			}
		}
	}
	d.hash = d.newestHash()
}

// newestHash is that of the ControllerRevision with the template of the set, which the sync may just have created.
func (d *daemons) newestHash() (hash string) {
	newest := int64(-1)
	for _, object := range d.List("controllerrevisions.apps") {
		revision := &appsv1.ControllerRevision{}
		if observed.Convert(object, revision) != nil || !metav1.IsControlledBy(revision, d.set) || revision.Revision < newest {
			continue
		}
		if same, err := daemon.Match(d.set, revision); err == nil && same {
			newest, hash = revision.Revision, revision.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
		}
	}
	for _, r := range d.Requests {
		revision := &appsv1.ControllerRevision{}
		if hash == "" && r.Request.Resource == "controllerrevisions.apps" && r.Request.Verb == "create" && len(r.Request.Writes) > 0 &&
			observed.Convert(d.Rec.Replay.ObjectAt(r.Request.Writes[0].Object, r.Seq), revision) == nil {
			hash = revision.Labels[appsv1.DefaultDaemonSetUniqueLabelKey]
		}
	}
	return hash
}

// manage says which nodes lack a Pod, and which Pods are too many (podsShouldBeOnNode).
func (d *daemons) manage() {
	step := d.out.Step("nodes", daemonFile, "podsShouldBeOnNode")
	for _, node := range d.nodes {
		run, stay := placement.RunsDaemonPod(node, d.set)
		if run {
			d.desired++
		}
		all := d.onNode[node.Name]
		running := slices.DeleteFunc(slices.Clone(all), func(p *corev1.Pod) bool {
			return p.DeletionTimestamp != nil || pod.IsPodTerminal(p)
		})
		switch {
		case run && len(all) == 0:
			d.creates = append(d.creates, node.Name)
		case stay:
			d.tooMany(node.Name, all, running)
			if run && len(running) == 0 && daemonutil.AllowsSurge(d.set) {
				d.creates = append(d.creates, node.Name)
			}
		case !stay:
			for _, p := range all {
				if p.DeletionTimestamp == nil {
					d.deletes = append(d.deletes, p.Name)
				}
			}
		}
	}
	for name, all := range d.onNode {
		if !slices.ContainsFunc(d.nodes, func(n *corev1.Node) bool { return n.Name == name }) {
			for _, p := range all {
				if p.Spec.NodeName == "" {
					d.deletes = append(d.deletes, p.Name)
				}
			}
		}
	}
	step.Line("should run it", fmt.Sprintf("of %s", trace.Count(len(d.nodes), "node")), d.desired)
	if len(d.creates) > 0 {
		step.Line("lack a Pod", arithmetic.Few(d.creates), len(d.creates))
	}
	if len(d.deletes) > 0 {
		step.Line("Pods to delete", arithmetic.Few(d.deletes), len(d.deletes)-d.spared)
	}
	if d.spared > 0 {
		d.deleted = len(d.deletes) - d.spared
	}
}

// tooMany deletes Pods of a node that have ended, and all but one of those that run; with maxSurge, an old and a new one.
func (d *daemons) tooMany(node string, all, running []*corev1.Pod) {
	var failed []string
	for _, p := range all {
		switch {
		case p.DeletionTimestamp != nil:
		case p.Status.Phase == corev1.PodSucceeded:
			d.deletes = append(d.deletes, p.Name)
		case p.Status.Phase == corev1.PodFailed:
			failed = append(failed, p.Name)
		}
	}
	d.replaceFailed(node, failed)
	slices.SortStableFunc(running, func(a, b *corev1.Pod) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	if !daemonutil.AllowsSurge(d.set) {
		for _, p := range running[min(1, len(running)):] {
			d.deletes = append(d.deletes, p.Name)
		}
		return
	}
	if len(running) < 2 {
		return
	}
	var kept [2]*corev1.Pod
	for _, p := range running {
		n := 0
		if p.Labels[appsv1.ControllerRevisionHashLabelKey] == d.hash {
			n = 1
		}
		if kept[n] != nil {
			d.deletes = append(d.deletes, p.Name)
			continue
		}
		kept[n] = p
	}
	if kept[0] != nil && kept[1] != nil && (!pod.IsPodReady(kept[0]) || pod.IsPodAvailable(kept[1], d.set.Spec.MinReadySeconds, d.now)) {
		d.deletes = append(d.deletes, kept[0].Name)
	}
}

// continues reports whether a sync that created and deleted Pods continues with the rolling update: it does if its cache has
// received these changes when their last response arrives. Then it reads its caches again.
func (d *daemons) continues(managed int) bool {
	var sent []*trace.Record
	for _, r := range d.Requests {
		if r.Request.Resource == pods && (r.Request.Verb == "create" || r.Request.Verb == "delete") {
			sent = append(sent, r)
		}
	}
	if len(sent) <= managed {
		return false
	}
	d.Reads = d.Rec.Find(sent[managed].Request.Sent)
	d.read()
	return true
}

// conclude adds the actions. Pods that are alike make it uncertain which of them are deleted.
func (d *daemons) conclude() {
	if n := len(d.creates); n > 0 {
		d.out.Act("create", pods, min(n, daemon.BurstReplicas))
		d.does = append(d.does, fmt.Sprintf("creates %s on %s", trace.Count(n, "Pod"), arithmetic.Few(d.creates)))
	}
	names := arithmetic.Few(d.deletes)
	switch {
	case len(d.deletes) > 0 && d.deleted == 0:
		d.out.Act("delete", pods, min(len(d.deletes), daemon.BurstReplicas), d.deletes...)
		d.does = append(d.does, "deletes "+names)
	case d.deleted > 0:
		d.out.Act("delete", pods, min(d.deleted, daemon.BurstReplicas))
		d.does = append(d.does, fmt.Sprintf("deletes %d of %s", d.deleted, names))
	}
	d.creates, d.deletes, d.deleted, d.spared = nil, nil, 0, 0
}

// say writes the verdict.
func (d *daemons) say() {
	switch {
	case len(d.does) > 0:
		d.out.Verdict = "it " + strings.Join(d.does, ", and ")
	case len(d.waits) > 0:
		d.out.Verdict = "waiting: " + strings.Join(d.waits, "; ")
	default:
		d.out.Verdict = fmt.Sprintf("nothing: each of %s has a Pod of revision %s", trace.Count(d.desired, "node"), d.hash)
	}
	d.out.Why = d.out.Verdict
}
