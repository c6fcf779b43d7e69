package network

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/observe/syncs"
	"github.com/kubestep/kubestep/sim/trace"
)

// errEnded answers requests that are under way when the simulation ends.
var errEnded = errors.New("the simulation has ended")

// call is a request under way.
type call struct {
	request apiserver.Request
	// key is the canonical name of the request, and sent when the client sent it.
	key  string
	sent time.Duration
	// back is how long the response travels, and late the part of it that faults add.
	back, late time.Duration
	// do executes the request through one of the server's interfaces; nil means Server.Do.
	do executor
	// fair means that API Priority and Fairness decides when the request is executed, if the server has it.
	fair bool
	// task is what the calling goroutine works on, or nil.
	task   Task
	result chan result

	// checked means that the fault rules were applied; rule is the one that decides the result, or nil, and faultSeq
	// the record of the fault.
	checked  bool
	rule     *fault.Rule
	faultSeq int64
	// seq is the record of the request.
	seq int64
	// ended, if set, is called instead of answering when the simulation ends.
	ended func()
	// reflector means that a reflector of client-go opens a watch.
	reflector bool
	// canceled ends the client's wait for the answer; nil means that it waits until the answer comes. The server executes the request
	// all the same.
	canceled <-chan struct{}
	// deserted means that the client has ended its wait.
	deserted bool
	// answered is the answer on its way, nil before.
	answered *result
}

// cause is the record that caused the request: that of the task, or 0.
func (c *call) cause() int64 {
	if c.task == nil {
		return 0
	}
	return c.task.Seq()
}

// Task is a unit of work that sends requests: a sync of a controller, or a step of a user. An Activity carries it.
type Task interface {
	// Seq is the number of the record with which the task begins.
	Seq() int64
	// Sent is called for each request of the task with the number of its writes, and whether it failed.
	Sent(writes int, failed bool)
}

var _ Task = &syncs.Sync{}

// causedBy is a Task that consists in one record.
type causedBy int64

// Seq implements Task.
func (t causedBy) Seq() int64 { return int64(t) }

// Sent implements Task.
func (causedBy) Sent(int, bool) {}

type result struct {
	object runtime.Object
	watch  watch.Interface
	err    error
}

// executor executes a request through one of the interfaces of the API server.
type executor func(apiserver.Request) (runtime.Object, error)

// refuses reports whether a rule answers the call with an error.
func (c *call) refuses() bool { return c.rule != nil && c.rule.Effect.Refuses() }

// discard ends a watch for which no client waits any more.
func (c *call) discard() {
	if r := <-c.result; r.watch != nil {
		r.watch.Stop()
	}
}

// abandon answers a call that is under way when the simulation ends.
func (c *call) abandon() {
	if c.ended != nil {
		c.ended()
		return
	}
	c.result <- result{err: context.Canceled}
}

// callKey is the canonical name of a request.
func callKey(req apiserver.Request) string {
	return strings.Join([]string{req.Actor, req.Verb, req.Resource.Group, req.Path(), req.Namespace, requestName(req)}, "|")
}

// callBody distinguishes requests with the same key. Parallel creations with generateName, which the DaemonSet
// controller sends for each node, differ only in the body.
func callBody(req apiserver.Request) []byte {
	if req.Object == nil {
		return req.Patch
	}
	data, err := json.Marshal(req.Object)
	if err != nil {
		panic("network: a request body does not marshal: " + err.Error())
	}
	return data
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

// requestObject names the object of a request: default/replicasets/web-5d9.
func requestObject(req apiserver.Request) string {
	return strings.TrimPrefix(req.Namespace+"/"+req.Resource.Resource+"/"+requestName(req), "/")
}

// isBackground reports whether a request is routine: informers that fill their caches, and leases. An Event is shown as
// its message, not as the request that writes it.
func isBackground(req apiserver.Request) bool {
	return fault.IsRoutine(req.Resource.Resource) || isOwnStatus(req) || onlyReads(req.Actor) && !req.Writes()
}

// onlyReads reports whether what an actor reads only fills its caches.
func onlyReads(actor string) bool {
	name, _ := trace.SplitActor(actor)
	return actor == trace.InformerActor || actor == trace.MetadataActor || name == trace.SchedulerActor
}
