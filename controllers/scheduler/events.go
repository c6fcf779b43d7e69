package scheduler

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/tools/events"
)

// host is the name of the machine in the Events. Upstream takes that of the machine on which it runs.
const host = "kubestep"

// eventSink writes Events without the name of this machine.
type eventSink struct{ events.EventSinkImpl }

var _ events.EventSink = &eventSink{}

// Patch implements events.EventSink: it counts an Event that happens again. Upstream calls it every six minutes with a mutex held, for
// which other goroutines then wait in a way that stops virtual time. So this does not wait for the answer, and creates an Event
// that is gone itself, as recordEvent in client-go's tools/events/event_broadcaster.go does.
func (s *eventSink) Patch(ctx context.Context, event *eventsv1.Event, patch []byte) (*eventsv1.Event, error) {
	counted := event.DeepCopy()
	go func() {
		if _, err := s.EventSinkImpl.Patch(ctx, counted, patch); apierrors.IsNotFound(err) {
			counted.ResourceVersion = ""
			// A refused Event is lost, as there.
			_, _ = s.Create(ctx, counted)
		}
	}()
	return event, nil
}

// Create implements events.EventSink.
func (s *eventSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	event.ReportingInstance = event.ReportingController + "-" + host
	return s.EventSinkImpl.Create(ctx, event)
}
