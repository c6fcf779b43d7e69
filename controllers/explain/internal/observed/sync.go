// Package observed looks at one sync of a controller in a recording: its records, the requests that it sent, and the objects that
// its caches held when it read them, which may be older than the store. What a controller remembers between syncs, such as
// expectations, follows from the earlier syncs of the same process.
package observed

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Sync is one sync of a controller in a recording, with the caches that it read.
type Sync struct {
	Rec *recording.Recording
	// Start and End are its records; End is nil if it has not ended.
	Start, End *trace.Record
	// Requests are those that it sent, without Events, which are sent aside, at any time.
	Requests []*trace.Record
	// Reads is the record after which it reads its caches: its start, or later if it continues with what it received meanwhile.
	Reads int64
	// Namespace and Name are the key.
	Namespace, Name string

	// bound is that of what is listed; nil for none.
	bound *bound
}

// bound is how many objects may be listed at once. exceeded is how many there were, if a list had more.
type bound struct{ objects, exceeded int }

// Bounded is the sync for an explanation that must not take long: a list with more objects than some is empty.
func (s Sync) Bounded(objects int) Sync {
	s.bound = &bound{objects: objects}
	return s
}

// Exceeded is how many objects a list had, if these were more than the bound, so that what was explained from it is wrong; 0 otherwise.
func (s Sync) Exceeded() int {
	if s.bound == nil {
		return 0
	}
	return s.bound.exceeded
}

// At finds the sync that record seq belongs to.
func At(rec *recording.Recording, seq int64) (Sync, bool) {
	s := Sync{Rec: rec, Start: rec.Record(rec.SyncOf(seq))}
	if s.Start == nil {
		return s, false
	}
	s.End, s.Reads = rec.Record(rec.SyncEnd(s.Start.Seq)), s.Start.Seq
	key := s.Start.Sync.Key
	if key == "" && s.End != nil {
		key = s.End.Sync.Key
	}
	if key == "" {
		return s, false
	}
	for _, effect := range rec.Effects(s.Start.Seq) {
		if r := rec.Record(effect); r.Request != nil && !strings.HasPrefix(r.Request.Resource, "events") {
			s.Requests = append(s.Requests, r)
		}
	}
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		namespace, name = "", key
	}
	s.Namespace, s.Name = namespace, name
	return s, true
}

// Controller is the controller's name, without the suffix that tells replicas apart.
func (s Sync) Controller() string {
	name, _ := trace.SplitActor(s.Start.Actor)
	return name
}

// Key is what the controller synced.
func (s Sync) Key() string {
	if s.Namespace == "" {
		return s.Name
	}
	return s.Namespace + "/" + s.Name
}

// ClockRead is when the controller looked at the clock to judge its object. That is just before it sends the
// object's status, with which a sync ends, or else at the end: virtual time stands still while it computes.
func (s Sync) ClockRead(resource string) time.Time {
	if s.End == nil {
		return s.Time(s.Start.At)
	}
	at := s.End.At
	if n := len(s.Requests); n > 0 {
		if last := s.Requests[n-1].Request; last.Resource == resource && last.Subresource == "status" {
			at = last.Sent
		}
	}
	return s.Time(at)
}

// Time is the time of a record; zero when the trace does not tell.
func (s Sync) Time(at time.Duration) time.Time {
	if s.Rec.Epoch().IsZero() {
		return time.Time{}
	}
	return s.Rec.Epoch().Add(at)
}

// Cache is the informer of a resource in the process of this controller.
func (s Sync) Cache(resource string) *recording.Informer {
	return s.Rec.Caches.Read(s.Start.Actor, resource)
}

// Cached is an object as the cache had it when the sync began; nil for none.
func (s Sync) Cached(o trace.Object) map[string]any {
	return s.Rec.Replay.ObjectVersion(o, s.Cache(o.Resource).Version(o, s.Reads))
}

// Get reads an object from the cache as it was when the sync began. If the sync has ended, its own record
// of what it read has the last word.
func (s Sync) Get(resource, name string, into runtime.Object) (bool, error) {
	o := trace.Object{Resource: resource, Namespace: s.Namespace, Name: name}
	object := s.Cached(o)
	if rv, ok := s.read(resource, name); ok && rv != resourceVersion(object) {
		object = s.Rec.Replay.ObjectVersion(o, Number(rv))
	}
	if object == nil {
		return false, nil
	}
	return true, Convert(object, into)
}

// read is the version of an object that the sync says to have read, first.
func (s Sync) read(resource, name string) (string, bool) {
	if s.End == nil {
		return "", false
	}
	plural, _, _ := strings.Cut(resource, ".")
	for _, r := range s.End.Sync.Reads {
		if r.Items == nil && r.Resource == plural && r.Namespace == s.Namespace && r.Name == name {
			return r.RV, true
		}
	}
	return "", false
}

// Objects are the objects of a namespace in a cache, by name; of all namespaces if it is empty.
func (s Sync) Objects(cache *recording.Informer, namespace string) []trace.Object {
	objects := cache.Objects(namespace, s.Reads)
	if b := s.bound; b != nil && len(objects) > b.objects {
		b.exceeded = len(objects)
		return nil
	}
	return objects
}

// List reads all objects of the namespace from the cache, by name, in the form of JSON.
func (s Sync) List(resource string) []map[string]any {
	cache := s.Cache(resource)
	objects := s.Objects(cache, s.Namespace)
	rvs := make([]uint64, len(objects))
	for i, o := range objects {
		rvs[i] = cache.Version(o, s.Reads)
	}
	var all []map[string]any
	for _, object := range s.Rec.Replay.ObjectVersions(objects, rvs) {
		if object != nil {
			all = append(all, object)
		}
	}
	return all
}

// Convert makes a typed object of one of the replay, which is not to be changed.
func Convert(object map[string]any, into any) error {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object, into)
}

func resourceVersion(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	rv, _ := metadata["resourceVersion"].(string)
	return rv
}

// Number is a resourceVersion as a number; 0 if it is none.
func Number(text string) uint64 {
	var n uint64
	_, _ = fmt.Sscan(text, &n)
	return n
}
