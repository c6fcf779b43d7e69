// Package contention finds fields that go back and forth: two controllers, each of which undoes what the other one did, or one that does
// not agree with itself.
//
// The invariant no-hot-loop reports it, and package why explains it of an object. Both ask this package, so that they cannot differ.
package contention

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// QuietWrites is how often an object may be written before its fields are looked at.
	QuietWrites = 12
	// SwingsMany is how often in a row a field has to take the value back that it had before.
	SwingsMany = 8
	// SwingsQuiet is how many times the average time between two swings has to pass without another one until the
	// field counts as settled. A field that alternated each 2 s has settled 6 s after the last time.
	SwingsQuiet = 3
)

// Finder finds fields that go back and forth: two controllers, each of which undoes what the other one did, or
// one that does not agree with itself, such as resourceclaim-controller: its sync of a Pod reserves a claim, and that of the claim undoes
// this.
//
// What only follows the simulation is not a case of contention: as long as something that is not a controller swings, such as a
// Pod that is Ready and not Ready in turn, nothing is said, unless a controller undoes it each time. Nor is anything said about a status
// or endpoints that the syncs of one key write: status.replicas of a Deployment alternates between 10 and 11 in every rolling update with
// a maxSurge of 1.
type Finder struct {
	actors Actors
	writes map[trace.Object]int
	fields map[field]*swing
	order  []field
}

// Actors knows who makes requests.
type Actors struct {
	// IsController reports whether an actor is a controller: no user, kubelet or scheduler. IsProgram includes kubelets and the scheduler.
	IsController, IsProgram func(actor string) bool
	// KeyOf is the key of the sync that made a request; empty if it is not known.
	KeyOf func(request *trace.Record) string
}

// Fight is a field that goes back and forth.
type Fight struct {
	trace.Object
	// Field is its path.
	Field string
	// Writers write it.
	Writers []Writer
	// Old is what the last write replaced, and New what it wrote, in JSON; nil for nothing.
	Old, New []byte
	// Count is how many times in a row the field took back the value that it had before, from First to Last.
	Count       int
	First, Last time.Duration
}

// Controllers are the actors of the writers.
func (f *Fight) Controllers() []string { return actorsOf(f.Writers) }

type field struct {
	object trace.Object
	path   string
}

// isObserved reports whether a field says what a controller sees: a status, or the endpoints of a Service, which are in a list whose
// positions change with each Pod that comes or goes.
func (f field) isObserved() bool {
	return strings.HasPrefix(f.path, "status") || f.object.Resource == "endpoints" || f.object.Resource == "endpointslices.discovery.k8s.io"
}

// isUsage reports whether a field is what a ResourceQuota counts. Admission counts a Pod that is created, and resourcequota-controller one
// that has ended, so that it goes up and down as long as Jobs run.
func (f field) isUsage() bool {
	return f.object.Resource == "resourcequotas" && strings.HasPrefix(f.path, "status.used")
}

// swing is the history of one field.
type swing struct {
	// old is what the last write replaced, and now what it wrote.
	old, now []byte
	writers  []Writer
	count    int
	// first is the first of the swings that count, and last the last.
	first, last time.Duration
}

// Writer is who wrote a field: an actor, in the syncs of a key, if that is known.
type Writer struct{ Actor, Key string }

// writersMax is how many writers of a field are remembered.
const writersMax = 4

func actorsOf(writers []Writer) (names []string) {
	for _, w := range writers {
		if !slices.Contains(names, w.Actor) {
			names = append(names, w.Actor)
		}
	}
	return names
}

// hasSettled reports whether the field has stopped alternating at the end.
func (s *swing) hasSettled(end time.Duration) bool {
	period := (s.last - s.first) / time.Duration(max(s.count-1, 1))
	return end-s.last > SwingsQuiet*period
}

// NewFinder returns a Finder before the first record.
func NewFinder(actors Actors) *Finder {
	return &Finder{actors: actors, writes: map[trace.Object]int{}, fields: map[field]*swing{}}
}

// Add adds the next record.
func (c *Finder) Add(record *trace.Record) {
	if record.Request == nil || record.Background {
		return
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		if w.Op != trace.OpUpdate {
			delete(c.writes, w.Object)
			continue
		}
		c.writes[w.Object]++
		if c.writes[w.Object] <= QuietWrites {
			continue
		}
		for _, change := range w.Changes {
			c.changed(record, field{w.Object, change.Path}, change.Old, change.New)
		}
	}
}

func (c *Finder) changed(record *trace.Record, which field, from, to []byte) {
	s := c.fields[which]
	if s == nil {
		s = &swing{}
		c.fields[which] = s
		c.order = append(c.order, which)
	}
	if bytes.Equal(s.old, to) && bytes.Equal(s.now, from) && (s.old != nil || s.now != nil) {
		s.count++
	} else {
		s.count, s.writers = 0, s.writers[:0]
	}
	if s.count <= 1 {
		s.first = record.At
	}
	if w := (Writer{record.Actor, c.actors.KeyOf(record)}); len(s.writers) < writersMax && !slices.Contains(s.writers, w) {
		s.writers = append(s.writers, w)
	}
	s.old, s.now, s.last = from, to, record.At
}

// LooksAt reports whether an object is written so often that its fields are looked at.
func (c *Finder) LooksAt(object trace.Object) bool { return c.writes[object] > QuietWrites }

// Fights lists the fields that still go back and forth at a time.
func (c *Finder) Fights(end time.Duration) (found []Fight) {
	for _, which := range c.order {
		s := c.fields[which]
		if s.hasSettled(end) {
			continue
		}
		if s.count > 1 && slices.ContainsFunc(actorsOf(s.writers), c.isOutside) && !c.isUndone(s) {
			return nil
		}
		if s.count < SwingsMany || which.isUsage() || len(s.writers) == 1 && which.isObserved() {
			continue
		}
		found = append(found, Fight{
			Object: which.object, Field: which.path, Writers: slices.Clone(s.writers), Old: s.old, New: s.now, Count: s.count,
			First: s.first, Last: s.last,
		})
	}
	// Two that do not agree are the reason; what one of them alone writes in turn follows from that.
	slices.SortStableFunc(found, func(a, b Fight) int { return cmp.Compare(len(b.Writers), len(a.Writers)) })
	return found
}

// isOutside reports whether an actor is not a controller.
func (c *Finder) isOutside(actor string) bool { return !c.actors.IsController(actor) }

// busy is the least number of swings a minute that no clock of a program makes.
const busy = 20

// isUndone reports whether a controller undoes what a kubelet or the scheduler writes, and the other way round, faster than any clock of
// theirs.
func (c *Finder) isUndone(s *swing) bool {
	actors := actorsOf(s.writers)
	return len(actors) > 1 && slices.ContainsFunc(actors, c.actors.IsController) &&
		!slices.ContainsFunc(actors, func(actor string) bool { return !c.actors.IsProgram(actor) }) &&
		s.count >= SwingsMany && s.last-s.first < time.Duration(s.count)*time.Minute/busy
}
