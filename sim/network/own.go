package network

import (
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
)

// awaitTurn returns when the calling goroutine may write.
func (n *Network) awaitTurn() {
	if n.turns.now.Load() != nil {
		return
	}
	if x := n.executing(); x != nil {
		n.awaitResume(x, func() {})
		return
	}
	actor, cause := originOf(n.Activities.Current())
	granted := make(chan struct{})
	scheduled := n.Engine.Schedule(&engine.Event{
		Key: "write|" + actor, Abandon: func() { close(granted) },
		Run: func() {
			own := &turn{}
			n.turns.let(own, func() {
				close(granted)
				// What the goroutine does until it waits again belongs to its turn.
				synctest.Wait()
			})
			n.wrote(own.commits, actor, cause)
		},
	})
	if scheduled {
		<-granted
	}
}

// originOf is who writes, and the record that caused it.
func originOf(a *activity.Activity) (actor string, cause int64) {
	if a == nil {
		return apiserver.Self, 0
	}
	if task, ok := a.Task.(Task); ok {
		cause = task.Seq()
	}
	return a.Actor, cause
}

// ownWork is what a part of the server does that sends no request, on the calling goroutine.
func (n *Network) ownWork() *execution {
	actor, cause := originOf(n.Activities.Current())
	request := apiserver.Request{Actor: actor}
	return &execution{
		request: request, call: &call{request: request, key: "own|" + actor, task: causedBy(cause), ended: func() {}},
	}
}
