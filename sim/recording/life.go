package recording

import (
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// life is one object from its creation to its deletion. A name can have several: a StatefulSet's Pod is created again
// under the same name, with another uid.
type life struct {
	object trace.Object
	uid    string
	// born and gone are the records of its creation and its deletion; gone is 0 if there is none.
	born, gone int64
	// ended is when it was deleted, if gone is set.
	ended time.Duration
	owner string
	// minReady is minReadySeconds at its creation, and creator the uid of its controller then.
	minReady time.Duration
	creator  string
	states   []podState
	// owned are the Pods and ReplicaSets that it ever controlled.
	owned *owned
}

// owned are the objects whose owner reference names a uid, in the order in which they got it.
type owned struct {
	owner *life
	list  []*life
	has   map[*life]bool
	// reused says that several objects had the uid.
	reused bool
}

func (o *owned) add(l *life) {
	if !o.has[l] {
		if o.has == nil {
			o.has = map[*life]bool{}
		}
		o.has[l] = true
		o.list = append(o.list, l)
	}
}

// podState is the state of a Pod from record seq on. Most states are those of other Pods, too, so they share their Facts.
type podState struct {
	seq int64
	at  time.Duration
	*outline.Facts
	// since is when it became ready.
	since time.Duration
}

// lives tracks the objects of workloads while the recording is read.
type lives struct {
	replay *trace.Replay
	now    map[trace.Object]*life
	// first are the first objects of each name.
	first map[trace.Object]*life
	tops  []*life
	nodes []*life
	pods  []*life
	// owned has what an owner reference with a uid means now. A recording can come from anywhere: if an object begins with
	// the uid of an earlier one, what follows belongs to the new one.
	owned map[string]*owned
	facts map[outline.Facts]*outline.Facts
}

func newLives(replay *trace.Replay) *lives {
	return &lives{
		replay: replay, now: map[trace.Object]*life{}, first: map[trace.Object]*life{}, owned: map[string]*owned{},
		facts: map[outline.Facts]*outline.Facts{},
	}
}

// follows reports whether objects of a resource are tracked: Pods, workloads with a Pod template, and Nodes.
func follows(resource string) bool { return outline.HasFacts(resource) }

// lifetimes are the objects of workloads.
func (r *Recording) lifetimes() *lives {
	r.need(&r.lived)
	return r.lives
}

// add adds the next record. facts are those of its writes; without them, they are found in the objects.
func (l *lives) add(record *trace.Record, facts []outline.Facts) {
	if record.Request == nil {
		return
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if !follows(w.Resource) {
			continue
		}
		switch w.Op {
		case trace.OpDelete:
			if was := l.now[w.Object]; was != nil {
				was.gone, was.ended = record.Seq, record.At
				delete(l.now, w.Object)
			}
			continue
		case trace.OpCreate:
			l.begin(w, record.Seq)
		}
		if facts != nil {
			// The object as it is after the record counts.
			if last := lastWrite(record.Request.Writes, w.Object); record.Request.Writes[last].Op != trace.OpDelete {
				l.change(w, record, facts[last])
			}
		} else if object := l.replay.ObjectAt(w.Object, record.Seq); object != nil {
			l.change(w, record, outline.FactsOf(w.Resource, object))
		}
	}
}

// lastWrite is the index of the last write of an object.
func lastWrite(writes []trace.Write, o trace.Object) int {
	i := len(writes) - 1
	for i > 0 && writes[i].Object != o {
		i--
	}
	return i
}

func (l *lives) begin(w *trace.Write, seq int64) {
	now := &life{object: w.Object, uid: w.UID, born: seq, owned: l.ownedBy(w.UID)}
	if now.owned.owner != nil {
		delete(l.owned, w.UID)
		now.owned = l.ownedBy(w.UID)
		now.owned.reused = true
	}
	now.owned.owner = now
	l.now[w.Object] = now
	if l.first[w.Object] == nil {
		l.first[w.Object] = now
	}
	switch w.Resource {
	case "nodes":
		l.nodes = append(l.nodes, now)
	case "pods":
		l.pods = append(l.pods, now)
	default:
		l.tops = append(l.tops, now)
	}
}

// ownedBy is what the uid owns. An object can exist before its owner, as in a dump of a cluster.
func (l *lives) ownedBy(uid string) *owned {
	of := l.owned[uid]
	if of == nil {
		of = &owned{}
		l.owned[uid] = of
	}
	return of
}

// change adds a new version of an object.
func (l *lives) change(w *trace.Write, record *trace.Record, facts outline.Facts) {
	now := l.now[w.Object]
	if now == nil {
		return
	}
	if now.born == record.Seq {
		now.minReady, now.creator = time.Duration(facts.MinReady)*time.Second, facts.Owner
	}
	if owner := facts.Owner; owner != now.owner || now.owner == "" {
		now.owner = owner
		if owner != "" {
			l.ownedBy(owner).add(now)
		}
	}
	if w.Resource != "pods" {
		return
	}
	state := podState{seq: record.Seq, at: record.At, Facts: l.shared(facts), since: record.At}
	if n := len(now.states); n > 0 && now.states[n-1].Ready {
		state.since = now.states[n-1].since
	}
	now.states = append(now.states, state)
}

// shared are facts that are kept once.
func (l *lives) shared(facts outline.Facts) *outline.Facts {
	known := l.facts[facts]
	if known == nil {
		known = &facts
		l.facts[facts] = known
	}
	return known
}

// at is the Pod's state after record seq; nil if it did not exist.
func (l *life) at(seq int64) *podState {
	if !l.exists(seq) {
		return nil
	}
	i, found := slices.BinarySearchFunc(l.states, seq, func(s podState, seq int64) int { return compare(s.seq, seq) })
	if !found {
		i--
	}
	if i < 0 {
		return nil
	}
	return &l.states[i]
}

func (l *life) exists(seq int64) bool { return l.born <= seq && (l.gone == 0 || seq < l.gone) }

// Condition is a status condition.
type Condition struct{ Type, Status, Reason, Message string }

func conditionsOf(object map[string]any) []Condition {
	list, _ := field(object, "status", "conditions").([]any)
	var conditions []Condition
	for _, item := range list {
		if c, ok := item.(map[string]any); ok {
			conditions = append(conditions, Condition{text(c, "type"), text(c, "status"), text(c, "reason"), text(c, "message")})
		}
	}
	return conditions
}

// field is the value at a path, or nil.
func field(object map[string]any, path ...string) any {
	var value any = object
	for _, name := range path {
		inner, _ := value.(map[string]any)
		value = inner[name]
	}
	return value
}

func text(object map[string]any, path ...string) string {
	value, _ := field(object, path...).(string)
	return value
}

// number is a count, or otherwise if the field is absent.
func number(object map[string]any, otherwise int, path ...string) int {
	if n, ok := field(object, path...).(int64); ok {
		return int(n)
	}
	return otherwise
}
