// Package overwrite finds what a controller overwrote that a user had written: the controller decided from the old value of a field, and
// its write came after that of the user.
//
// The invariant updated-as-read reports it, and package why explains it of an object. Both ask this package, so that they cannot differ.
package overwrite

import (
	"encoding/json"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Overwrite is a field of a spec that a controller set in a sync that had begun before a user set it.
type Overwrite struct {
	trace.Object
	// Field is its path, such as spec.replicas.
	Field string `json:"field"`
	// Actor is the controller, Record its write, and Sync the first record of its sync.
	Actor  string `json:"actor"`
	Record int64  `json:"record"`
	Sync   int64  `json:"sync"`
	// User is the user, and UserRecord the write of the user.
	User       string `json:"user"`
	UserRecord int64  `json:"userRecord"`
	// Old is the value of the user, and New that of the controller, in JSON.
	Old json.RawMessage `json:"old"`
	New json.RawMessage `json:"new"`
	// Until is the record that wrote the field again, or deleted the object; 0 for none.
	Until int64 `json:"until,omitempty"`
}

// Finder looks for overwritten fields in the records of a run.
type Finder struct {
	// isUser reports whether an actor is a user: no controller, kubelet or scheduler.
	isUser func(actor string) bool
	// users are the last changes of users, by object and field.
	users map[trace.Object]map[string]userChange
	// open are the overwritten fields that nothing has written again.
	open map[trace.Object][]*Overwrite
	// looked means that a controller wrote a field that a user had written.
	looked bool
}

// userChange is a change of a field by a user, in a record.
type userChange struct {
	seq   int64
	actor string
	value json.RawMessage
}

// NewFinder returns a Finder before the first record. isUser reports whether an actor is a user: no controller, kubelet or scheduler.
func NewFinder(isUser func(actor string) bool) *Finder {
	return &Finder{isUser: isUser, users: map[trace.Object]map[string]userChange{}, open: map[trace.Object][]*Overwrite{}}
}

// HasLooked reports whether a controller wrote a field that a user had written before.
func (f *Finder) HasLooked() bool { return f.looked }

// Add adds the next record, and returns what it overwrites. Until of what it returned before may change.
func (f *Finder) Add(record *trace.Record) (found []*Overwrite) {
	if record.Request == nil || len(record.Request.Writes) == 0 {
		return nil
	}
	isUser := f.isUser(record.Actor)
	for n := range record.Request.Writes {
		write := &record.Request.Writes[n]
		f.close(record.Seq, write)
		switch {
		case write.Op != trace.OpUpdate:
			delete(f.users, write.Object)
		case isUser:
			f.user(record, write)
		case f.users[write.Object] != nil && record.Cause != 0:
			found = append(found, f.controller(record, write)...)
		}
	}
	for _, o := range found {
		f.open[o.Object] = append(f.open[o.Object], o)
	}
	return found
}

// close notes that fields are written again.
func (f *Finder) close(seq int64, write *trace.Write) {
	if len(f.open[write.Object]) == 0 {
		return
	}
	var left []*Overwrite
	for _, o := range f.open[write.Object] {
		if write.Op != trace.OpUpdate || changes(write, o.Field) {
			o.Until = seq
			continue
		}
		left = append(left, o)
	}
	f.open[write.Object] = left
}

func changes(write *trace.Write, field string) bool {
	for _, change := range write.Changes {
		if change.Path == field {
			return true
		}
	}
	return false
}

func (f *Finder) user(record *trace.Record, write *trace.Write) {
	for _, change := range write.Changes {
		if !strings.HasPrefix(change.Path, "spec.") {
			continue
		}
		if f.users[write.Object] == nil {
			f.users[write.Object] = map[string]userChange{}
		}
		f.users[write.Object][change.Path] = userChange{record.Seq, record.Actor, change.New}
	}
}

// controller looks at an update within a sync, whose first record is its cause.
func (f *Finder) controller(record *trace.Record, write *trace.Write) (found []*Overwrite) {
	for _, change := range write.Changes {
		by, ok := f.users[write.Object][change.Path]
		if !ok {
			continue
		}
		f.looked = true
		// The old value is the user's, unless somebody else has changed it since.
		if by.seq > record.Cause && string(change.Old) == string(by.value) {
			found = append(found, &Overwrite{
				Object: write.Object, Field: change.Path, Actor: record.Actor, Record: record.Seq, Sync: record.Cause,
				User: by.actor, UserRecord: by.seq, Old: change.Old, New: change.New,
			})
		}
	}
	return found
}
