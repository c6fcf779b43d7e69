package why

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/definition"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// History is a recording with lookups by controller and key. It is not safe for concurrent use.
type History struct {
	rec *recording.Recording
	// syncs are the starts of the syncs of each key, and runs the controllers that were started.
	syncs map[queued][]int64
	runs  map[string]bool
	// built are those of kube-controller-manager.
	built map[string]bool
	// processes are the changes of each process, in order.
	processes map[string][]change
	// suffixes are those of the replicas of kube-controller-manager and of kube-scheduler: "", or @1, @2 and so on.
	suffixes map[string][]string
	// served are the profiles of kube-scheduler that had a Pod; nil before they are needed.
	served map[string]bool
	typed  map[version]runtime.Object
	// lists are the last lists that a goal asked for: who looks back through the writes asks for the same again and again.
	lists map[listed]list
	// called are the calls of webhooks about each object, and calledBy the requests that made them.
	called   map[trace.Object][]int64
	calledBy map[int64]int64
	// facts are the records about the containers of each Pod, by its uid.
	facts map[types.UID][]int64
	// pluginCalls are the calls to plugins about each object.
	pluginCalls map[trace.Object][]int64
	// pulls are the records about pulls of each kubelet, and announcements the Events about them, by the keys of their Pods.
	pulls, announcements map[string][]int64
	// explained has the arithmetic of syncs by their first records.
	explained explanations
	// overwritten are the fields that controllers overwrote: of the objects that were asked for, or of all if allOverwritten says so.
	overwritten    map[trace.Object][]*overwrite.Overwrite
	allOverwritten bool
	// kept are the faults that applied to what informers list and watch.
	kept []int64
	// dump is set if there is no run, only a state.
	dump *snapshot.Dump
}

// queued is a key of a controller, whose actor has the suffix of its replica.
type queued struct{ actor, key string }

// version is one version of an object.
type version struct {
	trace.Object
	rv string
}

// listed is a resource in a namespace, or in all of them.
type listed struct{ resource, namespace string }

// list are the objects after so many writes of their resource.
type list struct {
	writes  int
	objects []runtime.Object
}

// New returns the History of a recording.
func New(rec *recording.Recording) *History {
	h := &History{
		rec: rec, syncs: map[queued][]int64{}, runs: map[string]bool{}, built: map[string]bool{},
		suffixes:  map[string][]string{},
		processes: map[string][]change{}, typed: map[version]runtime.Object{}, lists: map[listed]list{},
		explained: newExplanations(),
		called:    map[trace.Object][]int64{}, calledBy: map[int64]int64{},
		facts: map[types.UID][]int64{}, pluginCalls: map[trace.Object][]int64{},
		pulls: map[string][]int64{}, announcements: map[string][]int64{}, overwritten: map[trace.Object][]*overwrite.Overwrite{},
	}
	for _, seq := range rec.Starts() {
		h.synced(seq)
	}
	for record := range rec.Of(trace.KindLog, trace.KindFault, trace.KindAction) {
		switch {
		case record.Log != nil:
			h.logged(record)
		case record.Fault != nil, record.Action != nil:
			h.changed(record)
			h.keptBack(record)
		}
	}
	if len(rec.OfKind(trace.KindWebhook)) > 0 {
		for record := range rec.Of(trace.KindWebhook, trace.KindRequest) {
			h.noteCall(record)
		}
	}
	for record := range rec.Of(trace.KindContainer) {
		uid := types.UID(record.Container.UID)
		h.facts[uid] = append(h.facts[uid], record.Seq)
		h.pulled(record)
	}
	if len(h.pulls) > 0 {
		for record := range rec.Of(trace.KindEvent) {
			h.announces(record)
		}
	}
	for record := range rec.Of(trace.KindCall) {
		h.pluginCalls[record.Call.Object] = append(h.pluginCalls[record.Call.Object], record.Seq)
	}
	return h
}

// Recording is the one that it is of.
func (h *History) Recording() *recording.Recording { return h.rec }

// Kinds are Kubernetes' own kinds, and those that are defined in the run.
func (h *History) Kinds() *kinds.Table {
	crds := definition.Kind.GroupResource().String()
	var texts []string
	for record := range h.rec.Of(trace.KindRequest) {
		for _, w := range record.Request.Writes {
			if w.Resource == crds && w.Op == trace.OpCreate {
				texts = append(texts, string(w.New))
			}
		}
	}
	return definition.Table(texts...)
}

// synced adds a sync.
func (h *History) synced(start int64) {
	actor := h.rec.Actor(start)
	of := queued{actor, h.rec.SyncKey(start)}
	h.syncs[of] = append(h.syncs[of], start)
	name, _ := trace.SplitActor(actor)
	h.runs[name] = true
}

// builtMessage and lostMessage are what kube-controller-manager logs for each controller that it starts, and when it loses
// its lease (cmd/kube-controller-manager/app/controllermanager.go). schedulerMessage is what kube-scheduler logs when it starts.
const (
	builtMessage     = "Controller built"
	schedulerMessage = "Scheduler built"
	lostMessage      = "leaderelection lost"
)

// logged notes which controllers a process starts, and the end of a process that lost its lease.
func (h *History) logged(record *trace.Record) {
	switch record.Log.Message {
	case builtMessage:
		for _, value := range record.Log.Values {
			if name, ok := strings.CutPrefix(value, "controller="); ok {
				h.runs[name], h.built[name] = true, true
			}
		}
		h.replica(controllers.ManagerName, record.Actor)
	case schedulerMessage:
		h.runs[controllers.SchedulerName] = true
		h.replica(controllers.SchedulerName, record.Actor)
	case lostMessage:
		h.note(record.Actor, change{record.Seq, Dead, "lost its lease and exited"})
	default:
		if how := record.Log.Exit(); how != "" {
			h.note(record.Actor, change{record.Seq, Dead, how})
		}
	}
}

// replica adds a replica of a component.
func (h *History) replica(component, process string) {
	if suffix := suffixOf(component, process); !slices.Contains(h.suffixes[component], suffix) {
		h.suffixes[component] = append(h.suffixes[component], suffix)
	}
}

// suffixOf is the suffix of the actors of a process of a component: @2 for kube-controller-manager-2.
func suffixOf(component, process string) string {
	if number, ok := strings.CutPrefix(process, component+"-"); ok {
		return "@" + number
	}
	return ""
}

// componentOf is the component that a controller is a part of: kube-controller-manager or kube-scheduler.
func componentOf(controller string) string {
	if controller == controllers.SchedulerName {
		return controllers.SchedulerName
	}
	return controllers.ManagerName
}

// process is the name of the process that an actor belongs to.
func (h *History) process(actor string) string {
	name, suffix := trace.SplitActor(actor)
	switch {
	case name == controllers.KubeletName && suffix != "", name == trace.SchedulerActor && suffix != "":
		return name + "-" + strings.TrimPrefix(suffix, "@")
	case suffix != "":
		return controllers.ManagerName + "-" + strings.TrimPrefix(suffix, "@")
	case name == trace.InformerActor, name == trace.MetadataActor, h.built[name]:
		return controllers.ManagerName
	}
	return actor
}
