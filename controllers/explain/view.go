package explain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/trace"
)

// sync is one turn of a controller in a recording, with its view of the caches.
type sync struct {
	history *History
	*recorded
	// namespace and name are the key.
	namespace, name string
}

// sync finds the sync of which seq is the start or the end.
func (h *History) sync(seq int64) (sync, bool) {
	r := h.syncs[seq]
	if r == nil || r.start.Sync.Key == "" && (r.end == nil || r.end.Sync.Key == "") {
		return sync{}, false
	}
	key := r.start.Sync.Key
	if key == "" {
		key = r.end.Sync.Key
	}
	namespace, name, found := strings.Cut(key, "/")
	if !found {
		namespace, name = "", key
	}
	return sync{h, r, namespace, name}, true
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

// judged is when the controller looked at the clock to judge its object. That is just before it sends the
// object's status, with which a sync ends, or else at the end: virtual time stands still while it computes.
func (s sync) judged(resource string) time.Time {
	if s.end == nil {
		return s.history.time(s.start.At)
	}
	at := s.end.At
	if n := len(s.requests); n > 0 {
		if last := s.requests[n-1].Request; last.Resource == resource && last.Subresource == "status" {
			at = last.Sent
		}
	}
	return s.history.time(at)
}

// cache is the informer of a resource in the process of this controller.
func (s sync) cache(resource string) *cached {
	_, suffix := trace.SplitActor(s.start.Actor)
	return s.history.cache(streamName(trace.InformerActor+suffix, resource))
}

// get reads an object from the cache as it was when the sync began. If the sync has ended, its own record
// of what it read has the last word.
func (s sync) get(resource, name string, into runtime.Object) (bool, error) {
	o := trace.Object{Resource: resource, Namespace: s.namespace, Name: name}
	object := s.cache(resource).at(s.history.replay, o, s.start.Seq)
	if rv, ok := s.read(resource, name); ok && rv != resourceVersion(object) {
		object = s.history.replay.ObjectVersion(o, number(rv))
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
	c := s.cache(resource)
	var known []trace.Object
	for o := range c.objects {
		if o.Namespace == s.namespace && o.Resource == resource {
			known = append(known, o)
		}
	}
	slices.SortFunc(known, func(a, b trace.Object) int { return strings.Compare(a.Name, b.Name) })
	var all []map[string]any
	for _, o := range known {
		if object := c.at(s.history.replay, o, s.start.Seq); object != nil {
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
