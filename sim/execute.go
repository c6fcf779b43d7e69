package sim

import (
	"encoding/json"
	"errors"
	"strconv"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/diff"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

// Execute executes a request immediately on the engine's goroutine, for components that are part of the simulation,
// such as the kubelet. cause is the record that causes the request. Requests of clients wait behind it. A request that has to
// wait for a webhook continues by itself: then the error is ErrSuspended.
func (s *Simulation) Execute(req apiserver.Request, cause int64, background bool) (runtime.Object, error) {
	c := &call{request: req, key: callKey(req), sent: s.Engine.Now(), ended: func() {}}
	if !background && req.Writes() {
		s.occupy(c.key)
	}
	answer := result{err: ErrSuspended}
	s.execute(c, cause, background, func(r result) { answer = r })
	return answer.object, answer.err
}

// ErrSuspended says that a request is under way.
var ErrSuspended = errors.New("the request waits for a webhook")

// execute executes a client's request. A fault may make the client crash afterwards.
func (g *gate) execute(c *call, finish func(result)) {
	g.sim.execute(c, c.cause(), isBackground(c.request), func(r result) {
		g.sim.crash(c)
		finish(r)
	})
}

// isBackground reports whether a request is routine: informers that fill their caches, and leases. An Event is shown as
// its message, not as the request that writes it.
func isBackground(req apiserver.Request) bool {
	return fault.Routine(req.Resource.Resource) || onlyReads(req.Actor) && !req.Writes()
}

// onlyReads reports whether what an actor reads only fills its caches.
func onlyReads(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return actor == trace.InformerActor || actor == trace.MetadataActor || name == trace.SchedulerActor
}

// execute executes a request, records it and publishes its writes; then it calls finish. A request that has to wait is
// suspended, and finish is called in a later event.
func (s *Simulation) execute(c *call, cause int64, background bool, finish func(result)) {
	x := &execution{call: c, request: c.request}
	if x.request.Verb == "create" {
		x.draw = s.prepareCreate(&x.request)
	}
	x.do = c.do
	if x.do == nil {
		x.do = s.Server.Do
	}
	if c.rule != nil {
		x.do = s.withFault(c, x.do)
	}
	x.finish = func() {
		s.executed(x, cause, background)
		finish(x.result)
	}
	s.begin(x)
}

// executed records a request that has come to its end, and publishes its writes.
func (s *Simulation) executed(x *execution, cause int64, background bool) {
	c, req, object, err := x.call, x.request, x.result.object, x.result.err
	record := s.requestRecord(c, object, err)
	// A list that a fault made stale or slow has consequences; an Event or a lease has none even then.
	background = background && (c.faultSeq == 0 || fault.Routine(req.Resource.Resource))
	record.Cause, record.Background, record.FaultSeq = cause, background, c.faultSeq
	if event, ok := object.(eventLike); ok && err == nil && req.Resource.Resource == "events" {
		s.attributeEvent(c, record, event)
	}
	record.Request.Webhooks = x.webhooks
	for _, commit := range x.commits {
		record.Request.Writes = append(record.Request.Writes, writeOf(commit))
	}
	if c.task != nil {
		c.task.Sent(len(x.commits), err != nil)
	}
	seq := s.Recorder.Emit(record)
	c.seq = seq
	if err == nil {
		s.recordEvent(seq, record, req, object)
	}
	s.publish(x.commits, seq, background)
}

// publish passes writes to the observers and the watches, after the record was written.
func (s *Simulation) publish(commits []apiserver.Commit, seq int64, background bool) {
	for _, commit := range commits {
		s.written[commit.Revision] = origin{seq, s.Engine.Now()}
		s.State.apply(commit)
	}
	for _, commit := range commits {
		for _, observe := range s.observers {
			observe(Change{Commit: commit, Seq: seq, Background: background})
		}
	}
}

// prepareCreate prepares the id generators, and gives an Event a free name: the recorder derives the name from the
// nanosecond, and in virtual time several Events share one. It returns what the ids derive from.
func (s *Simulation) prepareCreate(req *apiserver.Request) (draw uint64) {
	accessor, err := meta.Accessor(req.Object)
	if err != nil {
		return 0
	}
	if req.Resource.Resource == "events" {
		s.uniqueEventName(req, accessor.GetName())
	}
	draw = uint64(s.Engine.Draw("id|"+callKey(*req), 0, 1<<62))
	// The ServiceAccount admission plugin gives the volume of a pod's token a random name.
	names := accessor.GetName() == "" && accessor.GetGenerateName() != "" || req.Resource.Resource == "pods"
	s.ids.prepare(engine.Hash(draw, "id"), names)
	return draw
}

// requestRecord returns the record of a request and its response.
func (s *Simulation) requestRecord(c *call, object runtime.Object, err error) *trace.Record {
	req := c.request
	r := &trace.Request{
		Verb: req.Verb, Object: objectOf(req.Resource, req.Namespace, requestName(req)),
		Subresource: req.Subresource, Sent: c.sent, Code: 200,
	}
	if req.Verb == "create" {
		r.Code = 201
	}
	if len(req.Patch) > 0 && json.Valid(req.Patch) {
		r.Patch = req.Patch
	}
	if err != nil {
		r.Code, r.Reason, r.Message = 500, string(metav1.StatusReasonInternalError), err.Error()
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			r.Code, r.Reason = int(status.Status().Code), string(status.Status().Reason)
		}
	} else if object != nil {
		if items := meta.LenList(object); meta.IsListType(object) {
			r.Items, r.Metrics = &items, metricsOf(req.Resource, object)
		}
		if accessor, err := meta.CommonAccessor(object); err == nil {
			r.RV = accessor.GetResourceVersion()
		}
		if accessor, err := meta.Accessor(object); err == nil && r.Name == "" && req.Verb == "create" {
			r.Name = accessor.GetName()
		}
	}
	return &trace.Record{Kind: trace.KindRequest, Actor: req.Actor, Request: r}
}

// requestName is the name in a request's path; updates have it in their object only.
func requestName(req apiserver.Request) string {
	if req.Name != "" || req.Object == nil {
		return req.Name
	}
	if accessor, err := meta.Accessor(req.Object); err == nil {
		return accessor.GetName()
	}
	return ""
}

// objectOf returns the name of an object in the trace.
func objectOf(resource schema.GroupVersionResource, namespace, name string) trace.Object {
	return trace.Object{Resource: resource.GroupResource().String(), Namespace: namespace, Name: name}
}

var ops = map[memdb.Op]trace.Op{
	memdb.OpCreate: trace.OpCreate, memdb.OpUpdate: trace.OpUpdate, memdb.OpDelete: trace.OpDelete,
}

// writeOf describes a commit: a creation by its object, an update by the fields that it changed.
func writeOf(commit apiserver.Commit) trace.Write {
	accessor, err := meta.Accessor(commit.Object)
	if err != nil {
		panic("sim: a stored object without metadata: " + err.Error())
	}
	w := trace.Write{
		Op: ops[commit.Op], Object: objectOf(commit.Resource, accessor.GetNamespace(), accessor.GetName()),
		UID: string(accessor.GetUID()), RV: commit.Revision,
	}
	if commit.Previous != nil {
		if previous, err := meta.Accessor(commit.Previous); err == nil {
			w.Before, _ = strconv.ParseUint(previous.GetResourceVersion(), 10, 64)
		}
	}
	switch commit.Op {
	case memdb.OpCreate:
		if w.New, err = json.Marshal(commit.Object); err != nil {
			panic("sim: a stored object does not marshal: " + err.Error())
		}
	case memdb.OpUpdate:
		w.Changes = diff.Objects(commit.Previous, commit.Object)
	}
	return w
}
