package sim

import (
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

// Nearly every write to the store happens while the engine executes a request. A few parts of kube-apiserver write by
// themselves, on goroutines of their own: the controller that deletes the objects of a CustomResourceDefinition does not send
// requests, but uses their storage. Such a write waits for a turn, which is an event of the engine. So it has its place
// in the order of events, and a record.

// takeTurn lets the goroutine of the engine write, and the goroutines that it starts, until the returned function is called.
func (s *Simulation) takeTurn() (end func()) {
	s.turn.Store(true)
	return func() { s.turn.Store(false) }
}

// awaitTurn returns when the calling goroutine may write.
func (s *Simulation) awaitTurn() {
	if s.turn.Load() {
		return
	}
	var cause int64
	actor := apiserver.Self
	if a := s.Activities.Current(); a != nil {
		actor = a.Actor
		if task, ok := a.Task.(Task); ok {
			cause = task.Seq()
		}
	}
	granted := make(chan struct{})
	scheduled := s.Engine.Schedule(&engine.Event{
		Key: "write|" + actor, Abandon: func() { close(granted) },
		Run: func() {
			commits, _ := s.collect(func() error {
				close(granted)
				// What the goroutine does until it waits again belongs to its turn.
				synctest.Wait()
				return nil
			})
			s.wrote(commits, actor, cause)
		},
	})
	if scheduled {
		<-granted
	}
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
