package expr

import (
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/google/cel-go/common/types/ref"

	"github.com/kubestep/kubestep/sim/trace"
)

// TraceRequest is an API request as conditions see it.
type TraceRequest struct {
	At          time.Duration `json:"at" doc:"When the server executed it, since the start."`
	Actor       string        `json:"actor" doc:"Who sent it, such as deployment-controller."`
	Verb        string        `json:"verb" doc:"get, list, create, update, patch, delete or deletecollection."`
	Resource    string        `json:"resource" doc:"Plural name, such as replicasets."`
	Subresource string        `json:"subresource" doc:"Such as status or scale."`
	Namespace   string        `json:"namespace" doc:"Empty for cluster-scoped resources."`
	Name        string        `json:"name" doc:"Name of the object; empty for a list."`
	Code        int           `json:"code" doc:"HTTP status of the answer: 200, 409."`
	Reason      string        `json:"reason" doc:"Reason of a failure: Conflict, NotFound."`
	Wrote       bool          `json:"wrote" doc:"Whether it changed the store."`
	Changes     changesOf     `json:"changes" doc:"The fields of its object that it changed; empty for a creation or a removal."`
	Object      *objectOf     `json:"object" doc:"The object that it created; unset for all other requests."`
}

// TraceEvent is a Kubernetes Event as conditions see it.
type TraceEvent struct {
	At        time.Duration `json:"at" doc:"When it was written, since the start."`
	Actor     string        `json:"actor" doc:"Who wrote it."`
	Type      string        `json:"type" doc:"Normal or Warning."`
	Reason    string        `json:"reason" doc:"Such as ScalingReplicaSet."`
	Message   string        `json:"message" doc:"The text."`
	Regarding string        `json:"regarding" doc:"The object that it is about, such as deployment/web; NAMESPACE/KIND/NAME outside of the namespace default."`
}

// TraceSync is a finished sync as conditions see it.
type TraceSync struct {
	At         time.Duration `json:"at" doc:"When it ended, since the start."`
	Controller string        `json:"controller" doc:"Such as deployment-controller."`
	Key        string        `json:"key" doc:"The key from the work queue, such as default/web."`
	Requests   int           `json:"requests" doc:"API requests that it sent."`
	Writes     int           `json:"writes" doc:"Changes of the store that they made."`
	Requeued   bool          `json:"requeued" doc:"Whether it asked for another turn."`
	Error      string        `json:"error" doc:"What it failed with; empty when it did not."`
	Duration   time.Duration `json:"duration" doc:"From start to end."`
}

func newTraceRequest(r *trace.Record) *TraceRequest {
	resource, _, _ := strings.Cut(r.Request.Resource, ".")
	return &TraceRequest{
		At: r.At, Actor: r.Actor, Verb: r.Request.Verb, Resource: resource, Subresource: r.Request.Subresource,
		Namespace: r.Request.Namespace, Name: r.Request.Name, Code: r.Request.Code, Reason: r.Request.Reason,
		Wrote: len(r.Request.Writes) > 0, Changes: newChanges(r), Object: newObject(r),
	}
}

func newTraceEvent(s *typeTable, r *trace.Record) *TraceEvent {
	e := r.Event
	return &TraceEvent{
		At: r.At, Actor: r.Actor, Type: e.Type, Reason: e.Reason, Message: e.Message, Regarding: s.regarding(e.Regarding),
	}
}

// regarding names the object of an Event as get() does. The trace has its kind in lower case.
func (s *typeTable) regarding(o trace.Object) string {
	if k, err := s.lookupKind(o.Resource); err == nil {
		return objectRef{k, o.Namespace, o.Name}.text()
	}
	return o.Resource + "/" + o.Name
}

// text is the shortest form that parseObjectRef reads as this reference.
func (r objectRef) text() string {
	short := r.kind.Singular + "/" + r.name
	if !r.kind.Namespaced || r.namespace == defaultNamespace {
		return short
	}
	return r.namespace + "/" + short
}

func newTraceSync(r *trace.Record) *TraceSync {
	s := r.Sync
	return &TraceSync{
		At: r.At, Controller: r.Actor, Key: s.Key, Requests: s.Requests, Writes: s.Writes,
		Requeued: s.Requeued, Error: s.Error, Duration: s.Duration,
	}
}

func (s *typeTable) structTypeOf(value any) *structType { return s.structType(reflect.TypeOf(value)) }

// cursorKey is a function and its arguments.
type cursorKey [4]string

// cursors remember how far a condition has read the trace. A trace has many more records than objects,
// and only grows: without them each evaluation would read it from the start.
type cursors struct {
	mu    sync.Mutex
	byKey map[cursorKey]*cursor
}

// cursor stands behind the first n records; found is what was picked among them.
type cursor struct {
	n     int
	last  *trace.Record
	found []ref.Val
}

// read moves the cursor to the end of the trace and returns all that it found so far.
func (c *cursors) read(key cursorKey, e *evaluation, pick func(*trace.Record) []any) ([]ref.Val, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	records := e.world.Records()
	at, ok := c.byKey[key]
	if !ok || at.n > len(records) || at.n > 0 && records[at.n-1] != at.last {
		// The first time, or the condition is used for another run.
		at = &cursor{}
		if c.byKey == nil || len(c.byKey) >= maxCursors {
			c.byKey = map[cursorKey]*cursor{}
		}
		c.byKey[key] = at
	}
	fresh := records[at.n:]
	for _, r := range fresh {
		for _, item := range pick(r) {
			at.found = append(at.found, e.types.NativeToValue(item))
		}
	}
	if len(fresh) > 0 {
		at.n, at.last = len(records), records[len(records)-1]
	}
	return at.found[:len(at.found):len(at.found)], nil
}
