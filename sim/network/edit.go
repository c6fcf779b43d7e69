package network

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// storeActor is the actor of changes that the store makes itself.
const storeActor = "etcd"

// Edit changes a stored object directly, on the engine's goroutine, without a client, admission or validation. cause is
// the record that causes the edit.
func (n *Network) Edit(resource schema.GroupVersionResource, namespace, name string, patch []byte, cause int64) error {
	commits, err := n.collect(func() error { return n.Server.Edit(resource, namespace, name, patch) })
	if err != nil || len(commits) == 0 {
		return err
	}
	request := &trace.Request{Verb: "edit", Object: objectOf(resource, namespace, name), Patch: patch}
	n.storeWrote(commits, &trace.Record{Cause: cause, Request: request})
	return nil
}

// Restore adds an object to the store with its uid and status, before any client reads it; see Server.Restore.
func (n *Network) Restore(req apiserver.Request) error {
	commits, err := n.collect(func() error { return n.Server.Restore(req) })
	if err != nil {
		return err
	}
	request := &trace.Request{Verb: "restore", Object: objectOf(req.Resource, req.Namespace, req.Name)}
	n.storeWrote(commits, &trace.Record{Background: true, Request: request})
	return nil
}

// Expire removes the objects whose time to live has passed, on the engine's goroutine.
func (n *Network) Expire() {
	commits, _ := n.collect(func() error { n.Server.Expire(n.Engine.Date()); return nil })
	if len(commits) > 0 {
		request := &trace.Request{Verb: "expire", Object: objectOf(commits[0].Resource, "", "")}
		n.storeWrote(commits, &trace.Record{Background: true, Request: request})
	}
}

// collect returns what act writes to the store.
func (n *Network) collect(act func() error) (commits []apiserver.Commit, err error) {
	own := &turn{}
	n.turns.let(own, func() { err = act() })
	return own.commits, err
}

// storeWrote records what the store did itself, and publishes it to the watches. record has a request with a verb and
// an object, and any details.
func (n *Network) storeWrote(commits []apiserver.Commit, record *trace.Record) {
	record.Kind, record.Actor = trace.KindRequest, storeActor
	record.Request.Code, record.Request.Sent = 200, n.Engine.Now()
	for _, commit := range commits {
		record.Request.Writes = append(record.Request.Writes, writeOf(commit))
	}
	n.publish(commits, n.Recorder.Emit(record), record.Background)
}
