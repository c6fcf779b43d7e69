package network

import (
	"errors"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// Execute executes a request immediately on the engine's goroutine, for components that are part of the simulation,
// such as the kubelet. cause is the record that causes the request. Requests of clients wait behind it. A request that has to
// wait for a webhook continues by itself: then the error is ErrSuspended.
func (n *Network) Execute(req apiserver.Request, cause int64, background bool) (runtime.Object, error) {
	c := &call{request: req, key: callKey(req), sent: n.Engine.Now(), ended: func() {}}
	if !background && req.Writes() {
		n.occupy(c.key)
	}
	answer := result{err: ErrSuspended}
	n.execute(c, cause, background, func(r result) { answer = r })
	return answer.object, answer.err
}

// ErrSuspended says that a request is under way.
var ErrSuspended = errors.New("the request waits for a webhook")

// execute executes a request, records it and publishes its writes; then it calls finish. A request that has to wait is
// suspended, and finish is called in a later event.
func (n *Network) execute(c *call, cause int64, background bool, finish func(result)) {
	x := &execution{call: c, request: c.request}
	if x.request.Verb == "create" && !n.isFair(c) {
		x.draw = n.prepareCreate(&x.request)
	}
	x.do = c.do
	if x.do == nil {
		x.do = n.Server.Do
	}
	if c.rule != nil {
		x.do = n.withFault(c, x.do)
	}
	x.finish = func() {
		n.executed(x, cause, background)
		finish(x.result)
	}
	n.begin(x)
}

// executed records a request that has come to its end, and publishes its writes.
func (n *Network) executed(x *execution, cause int64, background bool) {
	c, req, object, err := x.call, x.request, x.result.object, x.result.err
	record := requestRecord(c, object, err)
	// A list that a fault made stale or slow has consequences; an Event or a lease has none even then.
	background = background && (c.faultSeq == 0 || fault.IsRoutine(req.Resource.Resource))
	record.Cause, record.Background, record.FaultSeq = cause, background, c.faultSeq
	if event, ok := object.(eventLike); ok && err == nil && req.Resource.Resource == "events" {
		n.attributeEvent(c, record, event)
	}
	record.Request.Flow = x.flow
	record.Request.Webhooks, record.Request.Server = x.webhooks, x.server
	for _, commit := range x.commits {
		record.Request.Writes = append(record.Request.Writes, writeOf(commit))
	}
	if c.task != nil {
		c.task.Sent(len(x.commits), err != nil)
	}
	n.Server.CountRequest(req, record.Request.Code)
	seq := n.Recorder.Emit(record)
	c.seq = seq
	if err == nil {
		n.recordEvent(seq, record, req, object)
	}
	n.publish(x.commits, seq, background)
}

// prepareCreate prepares the id generators, and gives an Event a free name: the recorder derives the name from the
// nanosecond, and in virtual time several Events share one. It returns what the ids derive from.
func (n *Network) prepareCreate(req *apiserver.Request) (draw uint64) {
	// The ServiceAccount admission plugin gives the volume of a pod's token a random name. What has no object yet may generate one: a
	// body that does not say its kind, which the handler completes.
	names := req.Object == nil || req.Resource.Resource == "pods"
	if accessor, err := meta.Accessor(req.Object); err == nil {
		if req.Resource.Resource == "events" {
			n.uniqueEventName(req, accessor.GetName())
		}
		names = names || accessor.GetName() == "" && accessor.GetGenerateName() != ""
	} else if req.Object != nil {
		return 0
	}
	draw = uint64(n.Engine.Draw("id|"+callKey(*req), 0, 1<<62))
	n.options.IDs.Prepare(engine.Hash(draw, "id"), names)
	return draw
}
