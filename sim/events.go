package sim

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/trace"
)

// eventLike is the part that both Event APIs share.
type eventLike interface {
	runtime.Object
	metav1.Object
}

// uniqueEventName increments the suffix of an Event's name until the name is free. The suffix is the nanosecond at
// which the Event was recorded, so the result is the name that a clock with a finer resolution would have given.
func (s *Simulation) uniqueEventName(req *apiserver.Request, name string) {
	stem, at, ok := eventTime(name)
	if !ok {
		return
	}
	free := name
	for {
		_, err := s.Server.Do(apiserver.Request{
			Actor: apiserver.Self, Verb: "get", Resource: req.Resource, Namespace: req.Namespace, Name: free,
		})
		if apierrors.IsNotFound(err) {
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

// eventTime splits the name of an Event, such as web.18a3c5f0d2b1e400, into the name of its object and the time in Unix
// nanoseconds (client-go, tools/internal/events).
func eventTime(name string) (stem string, nanoseconds int64, ok bool) {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return "", 0, false
	}
	nanoseconds, err := strconv.ParseInt(name[dot+1:], 16, 64)
	return name[:dot], nanoseconds, err == nil
}

// attributeEvent finds the sync that recorded an Event. The request comes later, from the broadcaster's goroutine, but
// the Event's name contains the time.
func (s *Simulation) attributeEvent(c *call, record *trace.Record, event eventLike) {
	if c.task != nil {
		return
	}
	regarding, _ := eventText(event)
	_, nanoseconds, ok := eventTime(event.GetName())
	if !ok {
		return
	}
	at := time.Unix(0, nanoseconds).Sub(s.Engine.Zero())
	if sync := s.Observer.SyncAt(c.request.Actor, at, regarding.Namespace+"/"+regarding.Name); sync != nil {
		record.Cause = sync.Seq()
	}
}

// recordEvent adds the record of a Kubernetes Event next to the request that wrote it.
func (s *Simulation) recordEvent(seq int64, record *trace.Record, req apiserver.Request, object runtime.Object) {
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
	s.Recorder.Emit(&trace.Record{Kind: trace.KindEvent, Actor: req.Actor, Cause: cause, Event: &text})
}

func eventText(object runtime.Object) (trace.Object, trace.Event) {
	switch e := object.(type) {
	case *corev1.Event:
		return referred(e.InvolvedObject), trace.Event{Type: e.Type, Reason: e.Reason, Message: e.Message, Count: int(e.Count)}
	case *eventsv1.Event:
		return referred(e.Regarding), trace.Event{Type: e.Type, Reason: e.Reason, Message: e.Note}
	}
	return trace.Object{}, trace.Event{}
}

// referred returns the object that an Event refers to; a reference has the kind, not the resource.
func referred(ref corev1.ObjectReference) trace.Object {
	return trace.Object{Resource: strings.ToLower(ref.Kind), Namespace: ref.Namespace, Name: ref.Name}
}
