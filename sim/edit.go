package sim

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// storeActor is who acts when the store itself does.
const storeActor = "etcd"

// Edit changes a stored object behind everyone's back, on the engine's goroutine: no client asked for it, and
// nothing was checked. cause is the record that it answers to.
func (s *Simulation) Edit(resource schema.GroupVersionResource, namespace, name string, patch []byte, cause int64) error {
	s.pending = nil
	err := s.Server.Edit(resource, namespace, name, patch)
	commits := s.pending
	s.pending = nil
	if err != nil || len(commits) == 0 {
		return err
	}
	request := &trace.Request{
		Verb: "edit", Object: objectOf(resource, namespace, name), Code: 200, Sent: s.Engine.Now(), Patch: patch,
	}
	for _, commit := range commits {
		request.Writes = append(request.Writes, writeOf(commit))
	}
	seq := s.Recorder.Emit(&trace.Record{Kind: trace.KindRequest, Actor: storeActor, Cause: cause, Request: request})
	s.publish(commits, seq, false)
	return nil
}

// Restore puts an object into the store before anybody looks, with its uid and status; see Server.Restore.
func (s *Simulation) Restore(req apiserver.Request) error {
	s.pending = nil
	err := s.Server.Restore(req)
	commits := s.pending
	s.pending = nil
	if err != nil {
		return err
	}
	request := &trace.Request{
		Verb: "restore", Object: objectOf(req.Resource, req.Namespace, req.Name), Code: 200, Sent: s.Engine.Now(),
	}
	for _, commit := range commits {
		request.Writes = append(request.Writes, writeOf(commit))
	}
	seq := s.Recorder.Emit(&trace.Record{Kind: trace.KindRequest, Actor: storeActor, Background: true, Request: request})
	s.publish(commits, seq, true)
	return nil
}
