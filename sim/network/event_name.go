package network

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/sim/trace"
)

// eventLike is the part that both Event APIs share.
type eventLike interface {
	runtime.Object
	metav1.Object
}

// recorded reports whether a recorder of client-go made an Event, and at which nanosecond: the name says so, and the
// Event has the same time in the precision of its field. An Event with a series continues an earlier one of its name.
func recorded(object runtime.Object) (nanoseconds int64, ok bool) {
	var stored time.Time
	var precision time.Duration
	switch event := object.(type) {
	case *corev1.Event:
		stored, precision = event.FirstTimestamp.Time, time.Second
		ok = event.Series == nil
	case *eventsv1.Event:
		stored, precision = event.EventTime.Time, time.Microsecond
		ok = event.Series == nil
	}
	if !ok {
		return 0, false
	}
	_, nanoseconds, ok = eventTime(object.(eventLike).GetName())
	return nanoseconds, ok && time.Unix(0, nanoseconds).Truncate(precision).Equal(stored.Truncate(precision))
}

// sameEvent reports whether two Events say the same of the same object.
func sameEvent(a, b runtime.Object) bool {
	first, text := eventText(a)
	second, otherText := eventText(b)
	return first == second && text.Type == otherText.Type && text.Reason == otherText.Reason && text.Message == otherText.Message
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
