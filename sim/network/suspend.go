package network

import (
	"strconv"
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// A request that may have to wait in the middle, such as one that admission webhooks are called for, is executed on a goroutine
// of its own. The engine waits until the goroutine has come to its end or waits for something; in the second case the request is
// suspended, and the engine continues with other events. Whatever the request waits for is an event that resumes it:
//
//	begin ---- suspended ---- resume ---- suspended ---- resume, end
//
// A goroutine of a request runs during these events only, so requests never run at the same time, and in which order they
// write, and draw their names and uids, is decided by the engine. A request that need not wait is executed on the engine's
// goroutine.

// execution is a request that the server executes.
type execution struct {
	turn
	call *call
	// request is that of the call with a name, if it is an Event.
	request apiserver.Request
	do      executor
	// draw is what the names and uids that the request generates derive from; 0 if it generates none.
	draw uint64
	// resumed counts how often the request was resumed, and calls the webhooks that were called for it.
	resumed, calls int
	// webhooks are the records of these calls.
	webhooks []int64
	// flow is what API Priority and Fairness has decided.
	flow *trace.Flow
	// server is the program that has answered a request that was forwarded.
	server string

	// ended means that the result is there, and finished that finish was called. A goroutine that the request has left behind may
	// still wait then.
	ended, finished bool
	result          result
	// finish is called on the engine's goroutine when the request has ended. Nil means that there is no request: a part of the
	// server works by itself (ownWork).
	finish func()
}

// begin executes a request until it ends or waits.
func (n *Network) begin(x *execution) {
	if n.isFair(x.call) {
		n.run(x, func() { go n.doFair(x) })
		return
	}
	if !n.Server.MayWait(x.request) {
		n.turns.let(&x.turn, func() { n.webhooks.without(func() { x.result.object, x.result.err = x.do(x.request) }) })
		x.finish()
		return
	}
	n.run(x, func() { go n.doSuspendable(x) })
}

// doSuspendable is the goroutine of a request.
func (n *Network) doSuspendable(x *execution) {
	n.Activities.Enter(&activity.Activity{Actor: apiserver.Self, Task: x})
	x.result.object, x.result.err = x.do(x.request)
	n.ended(x)
}

// ended ends a request on its goroutine: now if it has the turn, otherwise as soon as it gets one.
func (n *Network) ended(x *execution) {
	if n.turns.now.Load() == &x.turn {
		x.ended = true
		return
	}
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: "end|" + x.call.key, Run: func() { n.resume(x, func() { x.ended = true }) }, Abandon: x.call.abandon,
	})
	if !scheduled {
		x.call.abandon()
	}
}

// resume continues a suspended request. wake makes its goroutine runnable.
func (n *Network) resume(x *execution, wake func()) {
	x.resumed++
	if x.draw != 0 {
		n.options.IDs.Prepare(engine.Hash(x.draw, "resumed "+strconv.Itoa(x.resumed)), true)
	}
	n.run(x, wake)
}

// run gives a request the turn until it ends or waits again.
func (n *Network) run(x *execution, wake func()) {
	n.turns.let(&x.turn, func() {
		wake()
		synctest.Wait()
	})
	if x.finish == nil {
		commits := x.commits
		x.commits = nil
		n.wrote(commits, x.request.Actor, x.call.cause())
		return
	}
	if x.ended && !x.finished {
		x.finished = true
		x.finish()
	}
}

// executing is the request that the calling goroutine belongs to, nil if there is none.
func (n *Network) executing() *execution {
	a := n.Activities.Current()
	if a == nil {
		return nil
	}
	x, _ := a.Task.(*execution)
	if x == nil || x.ended {
		return nil
	}
	return x
}

// awaitResume returns, on the goroutine of a request, when the engine has resumed the request. before is called on the engine's
// goroutine right before that.
func (n *Network) awaitResume(x *execution, before func()) {
	granted := make(chan struct{})
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: "resume|" + x.call.key, Body: func() []byte { return callBody(x.call.request) }, Abandon: func() { close(granted) },
		Run: func() {
			before()
			n.resume(x, func() { close(granted) })
		},
	})
	if scheduled {
		<-granted
	}
}
