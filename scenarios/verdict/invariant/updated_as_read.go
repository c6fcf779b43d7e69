package invariant

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

var updatedAsRead = Invariant{
	Name:     "updated-as-read",
	Sentence: "A controller does not change a field of a spec that a user has changed since the sync began: it decided from the old value.",
	Forgives: "What a controller does outside of a sync, and a field that the user and the controller set to the same value.",
	Upstream: "resourceVersion; API Conventions, Concurrency Control and Consistency: after a conflict, a client applies its change afresh",
	watch: func(r *Run) watcher {
		return &asUpdated{run: r, users: map[trace.Object]map[string]userChange{}}
	},
}

type asUpdated struct {
	passive
	run *Run
	// users are the last changes of users, by field.
	users  map[trace.Object]map[string]userChange
	looked bool
}

// userChange is a change of a field by a user, in a record.
type userChange struct {
	seq   int64
	value json.RawMessage
}

func (a *asUpdated) hasLooked() bool { return a.looked }

func (a *asUpdated) record(record *trace.Record) {
	if record.Request == nil || len(record.Request.Writes) == 0 {
		return
	}
	process, _ := a.run.Process(record.Actor)
	for _, write := range record.Request.Writes {
		switch {
		case write.Op != trace.OpUpdate:
			delete(a.users, write.Object)
		case process == "" && !isKubelet(record.Actor):
			a.user(record, &write)
		case a.users[write.Object] != nil && record.Cause != 0:
			a.controller(record, &write)
		}
	}
}

func (a *asUpdated) user(record *trace.Record, write *trace.Write) {
	for _, change := range write.Changes {
		if !strings.HasPrefix(change.Path, "spec.") {
			continue
		}
		if a.users[write.Object] == nil {
			a.users[write.Object] = map[string]userChange{}
		}
		a.users[write.Object][change.Path] = userChange{record.Seq, change.New}
	}
}

// controller looks at an update within a sync, whose first record is its cause.
func (a *asUpdated) controller(record *trace.Record, write *trace.Write) {
	for _, change := range write.Changes {
		by, ok := a.users[write.Object][change.Path]
		if !ok {
			continue
		}
		a.looked = true
		// The old value is the user's, unless somebody else has changed it since.
		if by.seq > record.Cause && string(change.Old) == string(by.value) {
			a.run.broken(record.Seq, fmt.Sprintf("%s set %s of %s to %s, and a user had set it to %s since the sync began",
				record.Actor, change.Path, trace.ObjectName(write.Object), change.New, change.Old))
		}
	}
}
