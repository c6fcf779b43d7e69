package scheduler

import (
	"context"

	eventsv1 "k8s.io/api/events/v1"
	"k8s.io/client-go/tools/events"
)

// host is the name of the machine in the Events. Upstream takes that of the machine on which it runs.
const host = "kubestep"

// eventSink writes Events without the name of this machine.
type eventSink struct{ events.EventSinkImpl }

var _ events.EventSink = &eventSink{}

// Create implements events.EventSink.
func (s *eventSink) Create(ctx context.Context, event *eventsv1.Event) (*eventsv1.Event, error) {
	event.ReportingInstance = event.ReportingController + "-" + host
	return s.EventSinkImpl.Create(ctx, event)
}
