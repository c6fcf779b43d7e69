package network

import (
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// uniqueEventName increments the suffix of the name that a recorder gave an Event until no other Event has it. The
// suffix is the nanosecond at which the Event was recorded, so the result is the name that a clock with a finer
// resolution would have given. The same Event keeps its name, and the server refuses it: AlreadyExists.
func (n *Network) uniqueEventName(req *apiserver.Request, name string) {
	at, ok := recorded(req.Object)
	if !ok {
		return
	}
	stem, _, _ := eventTime(name)
	free := name
	for {
		other, err := n.Server.Do(apiserver.Request{
			Actor: apiserver.Self, Verb: "get", Resource: req.Resource, Namespace: req.Namespace, Name: free,
		})
		if err != nil || sameEvent(req.Object, other) {
			break
		}
		at++
		free = stem + "." + strconv.FormatInt(at, 16)
	}
	if free == name {
		return
	}
	req.Object = req.Object.DeepCopyObject()
	switch event := req.Object.(type) {
	case *corev1.Event:
		event.Name = free
	case *eventsv1.Event:
		event.Name = free
	}
}

// attributeEvent finds the sync that recorded an Event. The request comes later, from the broadcaster's goroutine, but
// the Event's name contains the time.
func (n *Network) attributeEvent(c *call, record *trace.Record, event eventLike) {
	if c.task != nil {
		return
	}
	regarding, _ := eventText(event)
	_, nanoseconds, ok := eventTime(event.GetName())
	if !ok {
		return
	}
	at := time.Unix(0, nanoseconds).Sub(n.Engine.Zero())
	if sync := n.Observer.SyncAt(c.request.Actor, at, regarding.Namespace+"/"+regarding.Name); sync != nil {
		record.Cause = sync.Seq()
	}
}

// recordEvent adds the record of a Kubernetes Event next to the request that wrote it.
func (n *Network) recordEvent(seq int64, record *trace.Record, req apiserver.Request, object runtime.Object) {
	event, ok := object.(eventLike)
	if !ok || req.Resource.Resource != "events" || !req.Writes() || req.Verb == "delete" {
		return
	}
	regarding, text := eventText(event)
	text.Regarding = regarding
	cause := record.Cause
	if cause == 0 {
		cause = seq
	}
	n.Recorder.Emit(&trace.Record{Kind: trace.KindEvent, Actor: req.Actor, Cause: cause, Event: &text})
}
