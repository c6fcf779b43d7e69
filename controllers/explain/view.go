package explain

import (
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// sync is one sync of a controller in a recording, with the caches that it read.
type sync struct {
	rec        *recording.Recording
	start, end *trace.Record
	// requests are those that it sent, without Events, which are sent aside, at any time.
	requests []*trace.Record
	// reads is the record after which it reads its caches: its start, or later if it continues with what it received meanwhile.
	reads int64
	// namespace and name are the key.
	namespace, name string
}

// syncOf finds the sync that record seq belongs to.
func syncOf(rec *recording.Recording, seq int64) (sync, bool) {
	s := sync{rec: rec, start: rec.Record(rec.SyncOf(seq))}
	if s.start == nil {
		return s, false
	}
	s.end, s.reads = rec.Record(rec.SyncEnd(s.start.Seq)), s.start.Seq
	key := s.start.Sync.Key
	if key == "" && s.end != nil {
		key = s.end.Sync.Key
	}
	if key == "" {
		return s, false
	}
	for _, effect := range rec.Effects(s.start.Seq) {
		if r := rec.Record(effect); r.Request != nil && !strings.HasPrefix(r.Request.Resource, "events") {
			s.requests = append(s.requests, r)
		}
	}
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		namespace, name = "", key
	}
	s.namespace, s.name = namespace, name
	return s, true
}

// controller is the controller's name, without the suffix that tells replicas apart.
func (s sync) controller() string {
	name, _ := trace.SplitActor(s.start.Actor)
	return name
}

// key is what the controller synced.
func (s sync) key() string {
	if s.namespace == "" {
		return s.name
	}
	return s.namespace + "/" + s.name
}

// clockRead is when the controller looked at the clock to judge its object. That is just before it sends the
// object's status, with which a sync ends, or else at the end: virtual time stands still while it computes.
func (s sync) clockRead(resource string) time.Time {
	if s.end == nil {
		return s.time(s.start.At)
	}
	at := s.end.At
	if n := len(s.requests); n > 0 {
		if last := s.requests[n-1].Request; last.Resource == resource && last.Subresource == "status" {
			at = last.Sent
		}
	}
	return s.time(at)
}

// time is the time of a record; zero when the trace does not tell.
func (s sync) time(at time.Duration) time.Time {
	if s.rec.Epoch().IsZero() {
		return time.Time{}
	}
	return s.rec.Epoch().Add(at)
}

// cache is the informer of a resource in the process of this controller.
func (s sync) cache(resource string) *recording.Informer {
	return s.rec.Caches.Read(s.start.Actor, resource)
}

// cached is an object as the cache had it when the sync began; nil for none.
func (s sync) cached(o trace.Object) map[string]any {
	return s.rec.Replay.ObjectVersion(o, s.cache(o.Resource).Version(o, s.reads))
}

// get reads an object from the cache as it was when the sync began. If the sync has ended, its own record
// of what it read has the last word.
func (s sync) get(resource, name string, into runtime.Object) (bool, error) {
	o := trace.Object{Resource: resource, Namespace: s.namespace, Name: name}
	object := s.cached(o)
	if rv, ok := s.read(resource, name); ok && rv != resourceVersion(object) {
		object = s.rec.Replay.ObjectVersion(o, number(rv))
	}
	if object == nil {
		return false, nil
	}
	return true, convert(object, into)
}

// read is the version of an object that the sync says to have read, first.
func (s sync) read(resource, name string) (string, bool) {
	if s.end == nil {
		return "", false
	}
	plural, _, _ := strings.Cut(resource, ".")
	for _, r := range s.end.Sync.Reads {
		if r.Items == nil && r.Resource == plural && r.Namespace == s.namespace && r.Name == name {
			return r.RV, true
		}
	}
	return "", false
}

// list reads all objects of the namespace from the cache, by name, in the form of JSON.
func (s sync) list(resource string) []map[string]any {
	var all []map[string]any
	for _, o := range s.cache(resource).Objects(s.namespace, s.reads) {
		if object := s.cached(o); object != nil {
			all = append(all, object)
		}
	}
	return all
}

// convert makes a typed object of one of the replay, which is not to be changed.
func convert(object map[string]any, into any) error {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(object, into)
}

func resourceVersion(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	rv, _ := metadata["resourceVersion"].(string)
	return rv
}

func number(text string) uint64 {
	var n uint64
	_, _ = fmt.Sscan(text, &n)
	return n
}
