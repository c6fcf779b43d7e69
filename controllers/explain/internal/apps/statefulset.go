package apps

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kubernetes/pkg/api/v1/pod"
	"k8s.io/kubernetes/pkg/controller/statefulset"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/observed"
	"github.com/kubestep/kubestep/sim/trace"
)

const statefulSetFile = "pkg/controller/statefulset/stateful_set_control.go"

// ordinals is a sync of a StatefulSet: which Pod it acts on, and which one it waits for.
type ordinals struct {
	observed.Sync
	out *arithmetic.Explanation
	set *appsv1.StatefulSet
	// replicas are the Pods of the ordinals, nil for none; condemned are those beyond, the highest ordinal first.
	replicas  []*corev1.Pod
	condemned []*corev1.Pod
	start     int
	now       time.Time
	// update is the name of the update revision, empty if it does not exist yet.
	update string
	// one means that it acts on one Pod at a time (podManagementPolicy OrderedReady).
	one bool
	// does and waits are the phrases of the verdict.
	does  []string
	waits string
}

// StatefulSet explains a sync of a StatefulSet, as updateStatefulSet decides with the default of the feature gate
// MaxUnavailableStatefulSet: on since 1.37, and off before.
func StatefulSet(s observed.Sync) *arithmetic.Explanation {
	set := &appsv1.StatefulSet{}
	e, ok := s.Begin(statefulSets, "StatefulSet", set)
	if !ok {
		return e
	}
	if set.DeletionTimestamp != nil {
		e.Verdict = "nothing: it is being deleted"
		return s.Finish(e)
	}
	o := &ordinals{
		Sync: s, out: e, set: set, now: s.ClockRead(statefulSets), one: set.Spec.PodManagementPolicy != appsv1.ParallelPodManagement,
		replicas: make([]*corev1.Pod, *set.Spec.Replicas), update: updateRevision(s, set),
	}
	if set.Spec.Ordinals != nil {
		o.start = int(set.Spec.Ordinals.Start)
	}
	o.assign()
	step := e.Step("ordinals", statefulSetFile, "updateStatefulSet")
	step.Line("replicas", fmt.Sprintf("%d to %d", o.start, o.start+len(o.replicas)-1), len(o.replicas))
	step.Line("condemned", "beyond these ordinals", len(o.condemned))
	step.Line("update revision", "", o.update)
	if o.process() || o.condemn() || o.roll() {
		o.conclude()
	}
	return s.Finish(e)
}

// updateRevision is the name of the ControllerRevision with the template of a set.
func updateRevision(s observed.Sync, set *appsv1.StatefulSet) string {
	newest, name := int64(-1), ""
	for _, object := range s.List("controllerrevisions.apps") {
		revision := &appsv1.ControllerRevision{}
		if observed.Convert(object, revision) != nil || !metav1.IsControlledBy(revision, set) || revision.Revision < newest {
			continue
		}
		applied, err := statefulset.ApplyRevision(set, revision)
		if err == nil && apiequality.Semantic.DeepEqual(applied.Spec.Template, set.Spec.Template) {
			newest, name = revision.Revision, revision.Name
		}
	}
	for _, r := range s.Requests {
		if name == "" && r.Request.Resource == "controllerrevisions.apps" && r.Request.Verb == "create" {
			name = r.Request.Name
		}
	}
	return name
}

// assign sorts the Pods by their ordinals.
func (o *ordinals) assign() {
	byOrdinal := map[int]*corev1.Pod{}
	var beyond []int
	for _, p := range o.Pods() {
		if metav1.IsControlledBy(p, o.set) {
			ordinal, err := strconv.Atoi(strings.TrimPrefix(p.Name, o.set.Name+"-"))
			switch {
			case err != nil:
			case ordinal >= o.start && ordinal < o.start+len(o.replicas):
				o.replicas[ordinal-o.start] = p
			default:
				byOrdinal[ordinal] = p
				beyond = append(beyond, ordinal)
			}
		}
	}
	slices.Sort(beyond)
	for _, ordinal := range slices.Backward(beyond) {
		o.condemned = append(o.condemned, byOrdinal[ordinal])
	}
}

func (o *ordinals) name(i int) string { return fmt.Sprintf("%s-%d", o.set.Name, o.start+i) }

// process goes through the ordinals, the lowest first. It returns true if the sync ends here (processReplica).
func (o *ordinals) process() bool {
	step := o.out.Step("each ordinal, the lowest first", statefulSetFile, "processReplica")
	var created, deleted []string
	for i, p := range o.replicas {
		name, verdict := o.name(i), ""
		switch {
		case p == nil:
			created, verdict = append(created, name), "does not exist, so it is created"
		case pod.IsPodTerminal(p) && p.DeletionTimestamp == nil:
			deleted, verdict = append(deleted, name), "has ended, so it is deleted"
		case pod.IsPodTerminal(p):
			verdict = "has ended, and is terminating"
		case p.DeletionTimestamp != nil && o.one:
			verdict = "is terminating"
		case !runsReady(p) && o.one:
			verdict = "is not Running and Ready"
		case !pod.IsPodAvailable(p, o.set.Spec.MinReadySeconds, metav1.NewTime(o.now)) && o.one:
			verdict = "has not been Ready for minReadySeconds"
		}
		if verdict == "" {
			continue
		}
		step.Line(name, verdict, nil)
		if p != nil && len(deleted) == 0 {
			o.waits = "Pod " + name + ", which " + verdict
		}
		if o.one {
			break
		}
	}
	o.act("create", "creates", created)
	o.act("delete", "deletes", deleted)
	if len(step.Lines) == 0 {
		step.Line("all", "Running, Ready and available", nil)
		return false
	}
	return o.one
}

func runsReady(p *corev1.Pod) bool { return p.Status.Phase == corev1.PodRunning && pod.IsPodReady(p) }

func (o *ordinals) act(verb, phrase string, names []string) {
	if len(names) == 0 {
		return
	}
	o.out.Act(verb, pods, len(names), names...)
	o.does = append(o.does, phrase+" "+arithmetic.Few(names))
}

// condemn deletes Pods beyond the ordinals, the highest first (processCondemned).
func (o *ordinals) condemn() bool {
	if len(o.condemned) == 0 {
		return false
	}
	step := o.out.Step("condemned Pods, the highest ordinal first", statefulSetFile, "processCondemned")
	var deleted []string
	unhealthy := o.firstUnavailable()
	for _, p := range o.condemned {
		switch {
		case p.DeletionTimestamp != nil:
			step.Line(p.Name, "is terminating", nil)
			o.waits = "Pod " + p.Name + ", which is terminating"
		case o.one && p != unhealthy && (!runsReady(p) || !pod.IsPodAvailable(p, o.set.Spec.MinReadySeconds, metav1.NewTime(o.now))):
			step.Line(p.Name, "is not available, but "+unhealthy.Name+" comes first", nil)
			o.waits = "Pod " + unhealthy.Name + ", which is not available"
		default:
			step.Line(p.Name, "is deleted", nil)
			deleted = append(deleted, p.Name)
		}
		if o.one {
			break
		}
	}
	o.act("delete", "deletes", deleted)
	return o.one || len(deleted) > 0
}

// isUnavailable reports whether a Pod counts as unavailable.
func (o *ordinals) isUnavailable(p *corev1.Pod) bool {
	return p == nil || p.DeletionTimestamp != nil || !pod.IsPodAvailable(p, o.set.Spec.MinReadySeconds, metav1.NewTime(o.now))
}

func (o *ordinals) firstUnavailable() *corev1.Pod {
	for _, p := range o.replicas {
		if p != nil && o.isUnavailable(p) {
			return p
		}
	}
	for _, p := range slices.Backward(o.condemned) {
		if o.isUnavailable(p) {
			return p
		}
	}
	return nil
}

// roll replaces Pods of an old revision, the highest ordinal first.
func (o *ordinals) roll() bool {
	strategy := o.set.Spec.UpdateStrategy
	step := o.out.Step("update, the highest ordinal first", statefulSetFile, updateFunction)
	if strategy.Type == appsv1.OnDeleteStatefulSetStrategyType {
		step.Line("OnDelete", "Pods of an old revision stay until somebody deletes them", nil)
		return true
	}
	partition := 0
	if rolling := strategy.RollingUpdate; rolling != nil && rolling.Partition != nil {
		partition = int(*rolling.Partition)
	}
	step.Line("partition", "", partition)
	o.replace(step, partition)
	return true
}

// isOld reports whether a Pod has another revision than the update revision and is not being deleted.
func (o *ordinals) isOld(p *corev1.Pod) bool {
	return p != nil && p.DeletionTimestamp == nil && revisionOf(p) != o.update
}

func revisionOf(p *corev1.Pod) string { return p.Labels[appsv1.ControllerRevisionHashLabelKey] }

// conclude writes the verdict.
func (o *ordinals) conclude() {
	e := o.out
	switch {
	case len(o.does) > 0:
		e.Verdict = "it " + strings.Join(o.does, ", and ")
	case o.waits != "":
		e.Verdict = "waiting for " + o.waits
	default:
		e.Verdict = fmt.Sprintf("nothing: %s of revision %s", trace.Count(len(o.replicas), "Pod"), o.update)
	}
	e.Why = e.Verdict
}
