package recording

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
)

// Workload is a Deployment, StatefulSet, DaemonSet, Job, or a ReplicaSet without an owner, over the whole recording.
type Workload struct {
	Kind   string
	Object trace.Object
	// Series is the number of its Pods, and of those that were available, over time.
	Series []Point

	life   *life
	lives  *lives
	replay *trace.Replay
	rec    *Recording
}

// Name is kind/name as kubectl prints it.
func (w *Workload) Name() string {
	return strings.ToLower(w.Kind) + "/" + w.Object.Name
}

// Key is the workload's name in its controller's work queue.
func (w *Workload) Key() string { return w.Object.Namespace + "/" + w.Object.Name }

// Born is the record that created the workload.
func (w *Workload) Born() int64 { return w.life.born }

// Workloads lists all workloads, in the order of their creation.
func (r *Recording) Workloads() []*Workload {
	r.workloads.Do(func() { r.tops = r.lifetimes().workloads(r) })
	return r.tops
}

func (l *lives) workloads(rec *Recording) []*Workload {
	var list []*Workload
	for _, top := range l.tops {
		kind := kinds.BuiltIn().Named(top.object.Resource).Kind
		if top.owner != "" && kind == "ReplicaSet" {
			continue
		}
		w := &Workload{Kind: kind, Object: top.object, life: top, lives: l, replay: l.replay, rec: rec}
		w.Series = w.series()
		list = append(list, w)
	}
	return list
}

// Phase is the phase of a Pod in a rollout.
type Phase int

// The phases of a Pod in a rollout.
const (
	Absent Phase = iota
	Pending
	Running
	Ready
	Available
	Terminating
	Failed
	Succeeded
)

// Cell is one Pod, or a position where one should be.
type Cell struct {
	Phase Phase
	Pod   trace.Object
	// Place is a StatefulSet's ordinal or a DaemonSet's node.
	Place string
	// New means that the Pod has the newest revision.
	New bool

	born           int64
	node, revision string
}

// Group is a ReplicaSet with its Pods, or all Pods of a workload that has no ReplicaSets.
type Group struct {
	Object                                      trace.Object
	Revision, Image                             string
	Spec, Actual, Ready, Available, Terminating int
	// New means that this is the revision that is being rolled out.
	New   bool
	Cells []Cell
}

// State is a workload after one record.
type State struct {
	Exists               bool
	Strategy, Revision   string
	Paused               bool
	Generation, Observed int
	// Replicas is the desired number of replicas.
	Replicas int
	// Bound is set for rolling updates of Deployments.
	Bound *Bound
	// Pods that are not terminating, those of them that are available, and those of the new revision.
	Pods, Available, Updated, Terminating int
	// SaysAvailable is the value in the status; the controller may not have seen everything.
	SaysAvailable int
	Groups        []Group
	Conditions    []Condition
	// Partition is the ordinal of a StatefulSet from which Pods are updated.
	Partition int
	// Job is set for Jobs.
	Job *Counts
	// Facts are counts of the status that only this kind has.
	Facts []string
}

// At is the workload's state after record seq, at a time.
func (w *Workload) At(seq int64, now time.Duration) State {
	object := w.replay.ObjectAt(w.Object, seq)
	if object == nil || !w.life.exists(seq) {
		return State{}
	}
	s := State{
		Exists: true, Generation: number(object, 0, "metadata", "generation"),
		Observed: number(object, 0, "status", "observedGeneration"), Replicas: number(object, 1, "spec", "replicas"),
		SaysAvailable: number(object, 0, "status", "availableReplicas"), Conditions: conditionsOf(object),
	}
	switch w.Kind {
	case "Deployment":
		w.deployment(&s, object, seq, now)
	case "StatefulSet":
		w.statefulSet(&s, object, seq, now)
	case "DaemonSet":
		w.daemonSet(&s, object, seq, now)
	case "Job":
		w.job(&s, object, seq, now)
	default:
		g := w.group(w.life, object, seq, now)
		g.New = true
		s.Groups = []Group{g}
	}
	s.count()
	return s
}

func (s *State) count() {
	for _, g := range s.Groups {
		for _, c := range g.Cells {
			switch c.Phase {
			case Absent, Failed, Succeeded:
				continue
			case Terminating:
				s.Terminating++
				continue
			case Available:
				s.Available++
			}
			s.Pods++
			if g.New && len(s.Groups) > 1 || c.New {
				s.Updated++
			}
		}
	}
}

// group is an object that owns Pods, with its Pods in the order of their creation.
func (w *Workload) group(owner *life, object map[string]any, seq int64, now time.Duration) Group {
	g := Group{
		Object: owner.object, Image: imageOf(object), Spec: number(object, 0, "spec", "replicas"),
		Actual: number(object, 0, "status", "replicas"), Ready: number(object, 0, "status", "readyReplicas"),
		Available:   number(object, 0, "status", "availableReplicas"),
		Terminating: number(object, 0, "status", "terminatingReplicas"),
		Revision:    text(object, "metadata", "annotations", "deployment.kubernetes.io/revision"),
	}
	wait := time.Duration(number(object, 0, "spec", "minReadySeconds")) * time.Second
	for _, pod := range owner.owned.list {
		if state := pod.at(seq); state != nil && state.Owner == owner.uid {
			g.Cells = append(g.Cells, Cell{
				Phase: state.phaseAt(now, wait), Pod: pod.object,
				born: pod.born, node: state.Node, revision: state.Revision,
			})
		}
	}
	// Pods that end come last, so that the others do not move.
	slices.SortStableFunc(g.Cells, func(a, b Cell) int { return cmp.Compare(last(a.Phase), last(b.Phase)) })
	return g
}

func last(p Phase) int {
	switch p {
	case Terminating:
		return 1
	case Failed, Succeeded:
		return 2
	}
	return 0
}

func (s *podState) phaseAt(now, minReady time.Duration) Phase {
	switch {
	case s.Phase == "Failed":
		return Failed
	case s.Phase == "Succeeded":
		return Succeeded
	case s.Terminating:
		return Terminating
	case s.Phase != "Running":
		return Pending
	case !s.Ready:
		return Running
	case now-s.since < minReady:
		return Ready
	}
	return Available
}

func imageOf(object map[string]any) string {
	containers, _ := field(object, "spec", "template", "spec", "containers").([]any)
	if len(containers) == 0 {
		return ""
	}
	first, _ := containers[0].(map[string]any)
	image := text(first, "image")
	if len(containers) > 1 {
		image += " +" + strconv.Itoa(len(containers)-1)
	}
	return image
}
