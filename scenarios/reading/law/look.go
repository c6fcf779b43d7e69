package law

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/trace"
)

// Look collects what a run did.
type Look struct {
	finder  *compare.Decisions
	settled *compare.Settlings
	history *compare.History
	course  *compare.Course

	// created are the objects that anybody created, by their uids.
	created map[string]created
	// starts are when waits begin, in the order of time.
	starts []start
	// stages are the phases, and the conditions with their reasons, that objects have had.
	stages map[string]bool
}

// created is an object, and the uid of its controller.
type created struct {
	trace.Object
	owner string
}

// start is an event of an object with which a wait may begin.
type start struct {
	at    time.Duration
	event Event
	uid   string
}

// NewLook returns a Look before the first record.
func NewLook() *Look {
	finder := compare.NewRoleDecisions()
	return &Look{
		finder: finder, settled: finder.Settlings(), history: finder.History(), course: finder.Course(), created: map[string]created{},
		stages: map[string]bool{},
	}
}

// Finder has the names of the run.
func (l *Look) Finder() *compare.Decisions { return l.finder }

// Course is how the run went in time.
func (l *Look) Course() *compare.Course { return l.course }

// Note is a trace.Sink.
func (l *Look) Note(record *trace.Record, _ []byte) {
	l.finder.Add(record)
	l.settled.Add(record)
	l.history.Add(record)
	l.course.Add(record)
	if record.Request == nil || record.Background {
		return
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if record.Request.Subresource == "scale" && compare.Decides(record.Actor) {
			l.starts = append(l.starts, start{record.At, Scaled, ""})
		}
		if w.Op == trace.OpCreate {
			l.create(record.At, w)
			continue
		}
		stopped := w.Op == trace.OpDelete
		for _, change := range w.Changes {
			stopped = stopped || change.Path == "metadata.deletionTimestamp" || strings.HasSuffix(change.Path, "].restartCount")
			l.stage(w.Object, change.Path, change.New)
			if isReady(change.Path, change.New) {
				l.starts = append(l.starts, start{record.At, Ready, w.UID})
			}
		}
		if stopped {
			l.starts = append(l.starts, start{record.At, Stopped, w.UID})
		}
	}
}

// stage notes the phase of an object, and why a condition of it is true or false.
func (l *Look) stage(object trace.Object, path string, value json.RawMessage) {
	var condition metav1.Condition
	name := path[strings.LastIndexByte(path, '.')+1:]
	switch {
	case !strings.HasPrefix(path, "status."), json.Unmarshal(value, &condition) == nil && condition.Type == "":
		return
	case condition.Type != "":
		value = json.RawMessage(condition.Reason)
	case name != "phase" && name != "reason":
		return
	}
	l.stages[trace.ObjectName(l.finder.Object(object))+" "+path+" "+string(value)] = true
}

// create notes a new object.
func (l *Look) create(at time.Duration, w *trace.Write) {
	var object metav1.PartialObjectMetadata
	if json.Unmarshal(w.New, &object) != nil {
		return
	}
	made := created{Object: w.Object}
	if owner := metav1.GetControllerOf(&object); owner != nil {
		made.owner = string(owner.UID)
	}
	uid := string(object.UID)
	l.created[uid] = made
	l.starts = append(l.starts, start{at, Created, uid})
}

// isReady reports whether a change of a Pod makes it Ready.
func isReady(path string, value json.RawMessage) bool {
	const ready = "status.conditions[type=Ready]"
	switch path {
	case ready + ".status":
		return string(value) == `"True"`
	case ready:
		var condition corev1.PodCondition
		return json.Unmarshal(value, &condition) == nil && condition.Status == corev1.ConditionTrue
	case "status.conditions":
		var conditions []corev1.PodCondition
		return json.Unmarshal(value, &conditions) == nil && slices.ContainsFunc(conditions, func(c corev1.PodCondition) bool {
			return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		})
	}
	return false
}

// Waiting counts the objects that can wait for a time of this length one after another, at least one: of all beginnings, those that are at
// least so far apart. Objects that wait side by side count once.
func (l *Look) Waiting(t *Time, length time.Duration) (count int) {
	apart := max(length-slack-t.Field.Grain, rounding)
	var last time.Duration
	for _, s := range l.starts {
		if s.event == t.Field.From && l.waits(s, t) && (count == 0 || s.at >= last+apart) {
			last, count = s.at, count+1
		}
	}
	return max(count, 1)
}

// waits reports whether something that begins a wait does so for a time.
func (l *Look) waits(s start, t *Time) bool {
	if s.event == Scaled {
		return true
	}
	object, ok := l.created[s.uid]
	return ok && object.Resource == string(t.Field.Waits) && (t.kind == option || l.isOf(s.uid, t))
}

// isOf reports whether an object is the one that has the time, or has been created for it.
func (l *Look) isOf(uid string, t *Time) bool {
	kind, name, _ := strings.Cut(t.Object, "/")
	for range len(l.created) {
		object, ok := l.created[uid]
		if !ok {
			return false
		}
		resource, _, _ := strings.Cut(object.Resource, ".")
		if resource == kind+"s" && object.Name == name && (t.Namespace == "" || object.Namespace == t.Namespace) {
			return true
		}
		uid = object.owner
	}
	return false
}
