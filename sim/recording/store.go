package recording

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/kubestep/kubestep/sim/trace"
)

// Store tracks which versions of each object the API server has had, by the records that wrote them. It keeps only
// their numbers; trace.Replay has the objects.
type Store struct {
	versions  map[trace.Object][]Version
	resources map[string]*resource
	// groups lists the full names of resources by their names without the group.
	groups map[string][]string
}

// Version is one write of an object.
type Version struct {
	Seq int64
	RV  uint64
	// Gone means that the write deleted the object.
	Gone bool
	// created means that it created the object.
	created bool
}

// resource holds the writes of one resource, in order.
type resource struct {
	objects []trace.Object
	writes  []Version
}

// NewStore returns a Store before the first record.
func NewStore() *Store {
	return &Store{
		versions: map[trace.Object][]Version{}, resources: map[string]*resource{}, groups: map[string][]string{},
	}
}

// Add adds the next record.
func (s *Store) Add(record *trace.Record) { _ = s.add(record) }

// add adds the next record. The error is that of an update that cannot follow the writes before it.
func (s *Store) add(record *trace.Record) (err error) {
	if record.Request == nil {
		return nil
	}
	for i := range record.Request.Writes {
		w := &record.Request.Writes[i]
		of := s.resources[w.Resource]
		if of == nil {
			of = &resource{}
			s.resources[w.Resource] = of
			plural, _, _ := strings.Cut(w.Resource, ".")
			s.groups[plural] = append(s.groups[plural], w.Resource)
		}
		versions, known := s.versions[w.Object]
		if !known {
			of.objects = append(of.objects, w.Object)
		}
		version := Version{record.Seq, w.RV, w.Op == trace.OpDelete, w.Op == trace.OpCreate}
		if n := len(versions); !version.Gone && !version.created && (n == 0 || versions[n-1].Gone) {
			err = errUpdate
		}
		of.writes = append(of.writes, version)
		s.versions[w.Object] = append(versions, version)
	}
	return err
}

// Versions are the writes of an object, in order.
func (s *Store) Versions(o trace.Object) []Version { return s.versions[o] }

// At is the index in Versions of the version of an object in the store after record seq, or -1. A request may write an
// object twice, as an eviction does, which marks a Pod and removes it; the last write counts.
func (s *Store) At(o trace.Object, seq int64) int {
	versions := s.versions[o]
	return sort.Search(len(versions), func(i int) bool { return versions[i].Seq > seq }) - 1
}

// behind counts the writes of an object, up to the given index, that were missing in a cache with the object at a
// resourceVersion; 0 is a cache without the object. A cache that was read later, when the store had a newer version, lacks none of them.
func (s *Store) behind(o trace.Object, rv uint64, at int) int {
	versions := s.versions[o]
	n := 0
	for ; at >= 0 && versions[at].RV > rv && (rv != 0 || !versions[at].Gone); at-- {
		n++
	}
	return n
}

// revision is the resourceVersion of an object that existed when the store was at a revision; 0 if there was none.
func (s *Store) revision(o trace.Object, at uint64) uint64 {
	versions := s.versions[o]
	i := sort.Search(len(versions), func(i int) bool { return versions[i].RV > at })
	if i == 0 || versions[i-1].Gone {
		return 0
	}
	return versions[i-1].RV
}

// writes are the writes of a resource up to record seq that are newer than a revision.
func (s *Store) writes(resource string, newer uint64, seq int64) []Version {
	of := s.resources[resource]
	if of == nil {
		return nil
	}
	from := sort.Search(len(of.writes), func(i int) bool { return of.writes[i].RV > newer })
	to := sort.Search(len(of.writes), func(i int) bool { return of.writes[i].Seq > seq })
	return of.writes[min(from, to):to]
}

// newest is the resourceVersion of the last write of a resource up to record seq; 0 for none.
func (s *Store) newest(resource string, seq int64) uint64 { return lastOf(s.writes(resource, 0, seq)) }

// lastRevision is the resourceVersion of the last write of a resource up to a revision; 0 for none.
func (s *Store) lastRevision(resource string, revision uint64) uint64 {
	of := s.resources[resource]
	if of == nil {
		return 0
	}
	return lastOf(of.writes[:sort.Search(len(of.writes), func(i int) bool { return of.writes[i].RV > revision })])
}

func lastOf(writes []Version) uint64 {
	if len(writes) == 0 {
		return 0
	}
	return writes[len(writes)-1].RV
}

// Objects lists all objects that ever existed, by resource, namespace and name.
func (s *Store) Objects() []trace.Object {
	var objects []trace.Object
	for _, of := range s.resources {
		objects = append(objects, of.objects...)
	}
	slices.SortFunc(objects, compareObjects)
	return objects
}

func compareObjects(a, b trace.Object) int {
	return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// Find is the object in the store for a read, which names its resource without the group.
func (s *Store) Find(o trace.Object) (trace.Object, bool) {
	plural, _, _ := strings.Cut(o.Resource, ".")
	for _, resource := range s.groups[plural] {
		whole := trace.Object{Resource: resource, Namespace: o.Namespace, Name: o.Name}
		if s.versions[whole] != nil {
			return whole, true
		}
	}
	return o, s.versions[o] != nil
}
