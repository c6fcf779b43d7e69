package network_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestTheTimeInAnEventsName reads names as client-go's recorder makes them.
func TestTheTimeInAnEventsName(t *testing.T) {
	for _, test := range []struct {
		name, stem string
		at         int64
		ok         bool
	}{
		{"web.18a3c5f0d2b1e400", "web", 0x18a3c5f0d2b1e400, true},
		{"web.example.com.ff", "web.example.com", 255, true},
		{"web", "", 0, false},
		{"web.v2", "web", 0, false},
	} {
		stem, at, ok := network.EventTime(test.name)
		if ok != test.ok || ok && (stem != test.stem || at != test.at) {
			t.Errorf("%s: %s, %x, %t", test.name, stem, at, ok)
		}
	}
}

// TestEventsOfOneInstantGetNamesOfTheirOwn: the recorder names an Event after the nanosecond, and in virtual
// time a controller records several in one. A real clock would have ticked in between; here the name does.
func TestEventsOfOneInstantGetNamesOfTheirOwn(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		w.Go("controller", func(ctx context.Context) {
			events := w.Client("controller").CoreV1().Events("default")
			for n := range 3 {
				event := &corev1.Event{
					ObjectMeta:     metav1.ObjectMeta{Name: "web.1f", Namespace: "default"},
					InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
					Type:           "Normal", Reason: "Tested", Message: fmt.Sprint("number ", n), Count: 1,
					FirstTimestamp: metav1.Time{Time: time.Unix(0, 0x1f)},
				}
				if _, err := events.Create(ctx, event, metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
				if event.Name != "web.1f" {
					t.Error("the caller's object was changed")
				}
			}
		})
		w.Run(time.Second)
		var names, kinds []string
		for _, r := range w.records {
			kinds = append(kinds, string(r.Kind))
			if r.Kind == trace.KindRequest {
				names = append(names, r.Request.Writes[0].Name)
			} else if r.Event.Regarding.Resource != "pod" || !strings.HasPrefix(r.Event.Message, "number ") || r.Cause != r.Seq-1 {
				t.Errorf("the Event's own record is %+v", r)
			}
		}
		if want := []string{"web.1f", "web.20", "web.21"}; !slices.Equal(names, want) {
			t.Errorf("names %v, want %v", names, want)
		}
		if want := []string{"request", "event", "request", "event", "request", "event"}; !slices.Equal(kinds, want) {
			t.Errorf("records %v, want %v", kinds, want)
		}
	})
}

// TestAnEventThatExists is refused with 409 AlreadyExists unless it is another Event that a recorder made in the same
// nanosecond. Each case is created after the first Event, which has the reason "First".
func TestAnEventThatExists(t *testing.T) {
	instant := time.Unix(1_700_000_000, 123_456_789)
	recorded := fmt.Sprintf("web.%x", instant.UnixNano())
	event := func(change func(*eventsv1.Event)) *eventsv1.Event {
		e := &eventsv1.Event{
			ObjectMeta: metav1.ObjectMeta{Name: recorded, Namespace: "default"}, EventTime: metav1.NewMicroTime(instant),
			Regarding: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
			Type:      "Normal", Reason: "First", Note: "a note", Action: "Test",
			ReportingController: "example.com/test", ReportingInstance: "test-1",
		}
		change(e)
		return e
	}
	for _, test := range []struct {
		name   string
		change func(*eventsv1.Event)
		exists bool
	}{
		{"the same Event", func(*eventsv1.Event) {}, true},
		{"its series", func(e *eventsv1.Event) {
			e.Reason, e.Series = "Other", &eventsv1.EventSeries{Count: 2, LastObservedTime: metav1.NewMicroTime(instant)}
		}, true},
		{"another reason", func(e *eventsv1.Event) { e.Reason = "Second" }, false},
		{"another note", func(e *eventsv1.Event) { e.Note = "another note" }, false},
		{"another object", func(e *eventsv1.Event) { e.Regarding.Kind = "ReplicaSet" }, false},
		{"a name that someone chose", func(e *eventsv1.Event) {
			e.Reason, e.EventTime = "Second", metav1.NewMicroTime(instant.Add(time.Second))
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			bothClients(t, sim.Options{}, func(w *world, client func() kubernetes.Interface) {
				within(t, w, func(ctx context.Context) {
					events := client().EventsV1().Events("default")
					if _, err := events.Create(ctx, event(func(*eventsv1.Event) {}), metav1.CreateOptions{}); err != nil {
						t.Error(err)
					}
					created, err := events.Create(ctx, event(test.change), metav1.CreateOptions{})
					switch {
					case test.exists && !apierrors.IsAlreadyExists(err):
						t.Errorf("%v, %v; want AlreadyExists", created, err)
					case !test.exists && (err != nil || created.Name == recorded):
						t.Errorf("%v, %v; want an Event with a name of its own", created, err)
					}
				})
			})
		})
	}
}

// TestEventsGoAfterAnHour is kube-apiserver's --event-ttl. Two Events of one instant go together, a later
// one later, and a ConfigMap stays.
func TestEventsGoAfterAnHour(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		w.put(t, "stays")
		w.Go("controller", func(ctx context.Context) {
			events := w.Client("controller").CoreV1().Events("default")
			for _, name := range []string{"a.1", "b.1", "c.1"} {
				if name == "c.1" {
					time.Sleep(10 * time.Minute)
				}
				event := &corev1.Event{
					ObjectMeta:     metav1.ObjectMeta{Name: name, Namespace: "default"},
					InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "default", Name: "web"},
				}
				if _, err := events.Create(ctx, event, metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
		w.Run(24 * time.Hour)
		type expiry struct {
			at     time.Duration
			events int
		}
		var got []expiry
		for _, r := range w.requests("etcd") {
			if r.Request.Verb != "expire" || !r.Background {
				t.Errorf("etcd did %+v", r)
			}
			got = append(got, expiry{r.At, len(r.Request.Writes)})
		}
		if want := []expiry{{time.Hour, 2}, {70 * time.Minute, 1}}; !slices.Equal(got, want) {
			t.Errorf("expiries %v, want %v", got, want)
		}
		if left := w.State.List(corev1.Resource("events"), ""); len(left) != 0 {
			t.Errorf("%d Events are left", len(left))
		}
		if _, found := w.State.Get(configMaps.GroupResource(), "default", "stays"); !found {
			t.Error("the ConfigMap is gone")
		}
	})
}
