package sim

import (
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Every write to the store happens during an event of the engine, which has its place in the order of events: nearly all of
// them while the engine executes or continues a request. A few parts of kube-apiserver write by themselves, on goroutines of
// their own: the controller that deletes the objects of a CustomResourceDefinition does not send requests, but uses their
// storage. Such a write waits for a turn, which is an event, too, and has a record.

// turn collects the writes of whoever may write.
type turn struct{ commits []apiserver.Commit }

// let lets the goroutine of the engine write, and those that it wakes, until act returns.
func (s *Simulation) let(t *turn, act func()) {
	s.turn.Store(t)
	defer s.turn.Store(nil)
	act()
}

// committed collects a write.
func (s *Simulation) committed(c apiserver.Commit) {
	if t := s.turn.Load(); t != nil {
		t.commits = append(t.commits, c)
	}
}

// awaitTurn returns when the calling goroutine may write.
func (s *Simulation) awaitTurn() {
	if s.turn.Load() != nil {
		return
	}
	if x := s.executing(); x != nil {
		s.awaitResume(x, func() {})
		return
	}
	actor, cause := originOf(s.Activities.Current())
	granted := make(chan struct{})
	scheduled := s.Engine.Schedule(&engine.Event{
		Key: "write|" + actor, Abandon: func() { close(granted) },
		Run: func() {
			own := &turn{}
			s.let(own, func() {
				close(granted)
				// What the goroutine does until it waits again belongs to its turn.
				synctest.Wait()
			})
			s.wrote(own.commits, actor, cause)
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

// wrote records what a part of the server wrote by itself, and publishes it: one record for each object.
func (s *Simulation) wrote(commits []apiserver.Commit, actor string, cause int64) {
	for _, commit := range commits {
		w := writeOf(commit)
		request := &trace.Request{
			Verb: verbs[commit.Op], Object: w.Object, Code: 200, Sent: s.Engine.Now(), Writes: []trace.Write{w},
		}
		seq := s.Recorder.Emit(&trace.Record{Kind: trace.KindRequest, Actor: actor, Cause: cause, Request: request})
		s.publish([]apiserver.Commit{commit}, seq, false)
	}
}

var verbs = map[memdb.Op]string{memdb.OpCreate: "create", memdb.OpUpdate: "update", memdb.OpDelete: "delete"}
