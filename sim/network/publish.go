package network

import (
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// publish passes writes to the observers and the watches, after the record was written.
func (n *Network) publish(commits []apiserver.Commit, seq int64, background bool) {
	for _, commit := range commits {
		n.written.add(origin{commit.Revision, seq, n.Engine.Now()})
	}
	n.options.Written(commits)
	for _, commit := range commits {
		for _, observe := range n.observers {
			observe(Change{Commit: commit, Seq: seq, Background: background})
		}
	}
}

// wrote records what a part of the server wrote by itself, and publishes it: one record for each object.
func (n *Network) wrote(commits []apiserver.Commit, actor string, cause int64) {
	for _, commit := range commits {
		w := writeOf(commit)
		request := &trace.Request{
			Verb: verbs[commit.Op], Object: w.Object, Code: 200, Sent: n.Engine.Now(), Writes: []trace.Write{w},
		}
		seq := n.Recorder.Emit(&trace.Record{Kind: trace.KindRequest, Actor: actor, Cause: cause, Request: request})
		n.publish([]apiserver.Commit{commit}, seq, false)
	}
}
