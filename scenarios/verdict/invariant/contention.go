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
// one that does not agree with itself.
//
// What only follows the simulation is not a case of contention: as long as something that is not a controller swings, such as a
// Pod that is Ready and not Ready in turn, nothing is said. Nor is anything said about a status that one controller writes:
// status.replicas of a Deployment alternates between 10 and 11 in every rolling update with a maxSurge of 1.
type contention struct {
	world  World
	writes map[trace.Object]int
	fields map[field]*swing
	order  []field
}

type field struct {
	object trace.Object
	path   string
}

// swing is the history of one field.
type swing struct {
	// old is what the last write replaced, and now what it wrote.
	old, now []byte
	actors   []string
	count    int
	// first is the first of the swings that count, and last the last.
	first, last time.Duration
}

// hasSettled reports whether the field has stopped alternating at the end.
func (s *swing) hasSettled(end time.Duration) bool {
	period := (s.last - s.first) / time.Duration(max(s.count-1, 1))
	return end-s.last > swingsQuiet*period
}

func newContention(world World) *contention {
	return &contention{world: world, writes: map[trace.Object]int{}, fields: map[field]*swing{}}
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
		s.count, s.actors = 0, nil
	}
	if s.count <= 1 {
		s.first = record.At
	}
	if !slices.Contains(s.actors, record.Actor) {
		s.actors = append(s.actors, record.Actor)
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
		if s.count > 1 && slices.ContainsFunc(s.actors, c.isOutside) {
			return nil
		}
		if s.count < swingsMany || len(s.actors) == 1 && strings.HasPrefix(which.path, "status") {
			continue
		}
		found = append(found, which)
	}
	// Two that do not agree are the reason; what one of them alone writes in turn follows from that.
	slices.SortStableFunc(found, func(a, b field) int { return cmp.Compare(len(c.fields[b].actors), len(c.fields[a].actors)) })
	var hot []*Hot
	for _, which := range found {
		s := c.fields[which]
		fight := &Hot{
			Object: trace.ObjectName(which.object), Controllers: s.actors, Work: HotAlternates, Field: which.path,
			Values: []string{orNothing(s.old), orNothing(s.now)}, Count: s.count, resource: which.object.Resource, first: s.first,
		}
		fight.until(s.last)
		hot = append(hot, fight)
	}
	return hot
}

// isOutside reports whether an actor is not a controller.
func (c *contention) isOutside(actor string) bool {
	process, _ := c.world.Process(actor)
	return process == ""
}

func orNothing(value []byte) string {
	if value == nil {
		return "nothing"
	}
	return string(value)
}
