package invariant

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

const (
	// quietWrites is how often an object may be written before its fields are looked at.
	quietWrites = 12
	// swingsMany is how often in a row a field has to take the value back that it had before.
	swingsMany = 8
	// swingsQuiet is how many times the average time between two swings has to pass without another one until the
	// field counts as settled. A field that alternated each 2 s has settled 6 s after the last time.
	swingsQuiet = 3
)

// contention finds fields that go back and forth: two controllers, each of which undoes what the other one did, or
// one that does not agree with itself, such as resourceclaim-controller: its sync of a Pod reserves a claim, and that of the claim undoes
// this.
//
// What only follows the simulation is not a case of contention: as long as something that is not a controller swings, such as a
// Pod that is Ready and not Ready in turn, nothing is said, unless a controller undoes it each time. Nor is anything said about a status
// or endpoints that the syncs of one key write: status.replicas of a Deployment alternates between 10 and 11 in every rolling update with
// a maxSurge of 1.
type contention struct {
	run    *Run
	writes map[trace.Object]int
	fields map[field]*swing
	order  []field
}

type field struct {
	object trace.Object
	path   string
}

// isObserved reports whether a field says what a controller sees: a status, or the endpoints of a Service, which are in a list whose
// positions change with each Pod that comes or goes.
func (f field) isObserved() bool {
	return strings.HasPrefix(f.path, "status") || f.object.Resource == "endpoints" || f.object.Resource == "endpointslices.discovery.k8s.io"
}

// swing is the history of one field.
type swing struct {
	// old is what the last write replaced, and now what it wrote.
	old, now []byte
	writers  []writer
	count    int
	// first is the first of the swings that count, and last the last.
	first, last time.Duration
}

// writer is who wrote a field: an actor, in the syncs of a key, if that is known.
type writer struct{ actor, key string }

// writersMax is how many writers of a field are remembered.
const writersMax = 4

// actors are those of the writers.
func (s *swing) actors() (names []string) {
	for _, w := range s.writers {
		names = addOnce(names, w.actor)
	}
	return names
}

// hasSettled reports whether the field has stopped alternating at the end.
func (s *swing) hasSettled(end time.Duration) bool {
	period := (s.last - s.first) / time.Duration(max(s.count-1, 1))
	return end-s.last > swingsQuiet*period
}

func newContention(r *Run) *contention {
	return &contention{run: r, writes: map[trace.Object]int{}, fields: map[field]*swing{}}
}

func (c *contention) record(record *trace.Record) {
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
		if c.writes[w.Object] <= quietWrites {
			continue
		}
		for _, change := range w.Changes {
			c.changed(record, field{w.Object, change.Path}, change.Old, change.New)
		}
	}
}

func (c *contention) changed(record *trace.Record, which field, from, to []byte) {
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
	if w := (writer{record.Actor, c.run.requeues.keyOf(record)}); len(s.writers) < writersMax && !slices.Contains(s.writers, w) {
		s.writers = append(s.writers, w)
	}
	s.old, s.now, s.last = from, to, record.At
}

// looksAt reports whether an object is written so often that its fields are looked at.
func (c *contention) looksAt(object trace.Object) bool { return c.writes[object] > quietWrites }

// fights lists the fields that still go back and forth at a time.
func (c *contention) fights(end time.Duration) []*Hot {
	var found []field
	for _, which := range c.order {
		s := c.fields[which]
		if s.hasSettled(end) {
			continue
		}
		if s.count > 1 && slices.ContainsFunc(s.actors(), c.isOutside) && !c.isUndone(s) {
			return nil
		}
		if s.count < swingsMany || len(s.writers) == 1 && which.isObserved() {
			continue
		}
		found = append(found, which)
	}
	// Two that do not agree are the reason; what one of them alone writes in turn follows from that.
	slices.SortStableFunc(found, func(a, b field) int { return cmp.Compare(len(c.fields[b].writers), len(c.fields[a].writers)) })
	var hot []*Hot
	for _, which := range found {
		s := c.fields[which]
		fight := &Hot{
			Object: trace.ObjectName(which.object), Controllers: s.actors(), Work: HotAlternates, Field: which.path,
			Values: []string{orNothing(s.old), orNothing(s.now)}, Count: s.count, Resource: which.object.Resource, first: s.first,
		}
		if len(fight.Controllers) == 1 && len(s.writers) > 1 {
			for _, w := range s.writers {
				fight.Keys = append(fight.Keys, w.key)
			}
		}
		fight.until(s.last)
		hot = append(hot, fight)
	}
	return hot
}

// isOutside reports whether an actor is not a controller.
func (c *contention) isOutside(actor string) bool { return !c.run.isController(actor) }

// isUndone reports whether a controller undoes what a kubelet or the scheduler writes, and the other way round, faster than any clock of
// theirs.
func (c *contention) isUndone(s *swing) bool {
	actors := s.actors()
	isProgram := func(actor string) bool { return c.run.isController(actor) || isKubelet(actor) || isScheduler(actor) }
	return len(actors) > 1 && slices.ContainsFunc(actors, c.run.isController) &&
		!slices.ContainsFunc(actors, func(actor string) bool { return !isProgram(actor) }) &&
		s.count >= swingsMany && s.last-s.first < time.Duration(s.count)*time.Minute/busyWrites
}

// orNothing is a value in a few words.
func orNothing(value []byte) string {
	const longest = 40
	switch runes := []rune(string(value)); {
	case value == nil:
		return "nothing"
	case len(runes) > longest:
		return string(runes[:longest]) + "..."
	}
	return string(value)
}
