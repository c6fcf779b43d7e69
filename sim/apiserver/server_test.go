package apiserver_test

import (
	"testing"
	"testing/synctest"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim/apiserver"
)

var (
	podResource     = corev1.SchemeGroupVersion.WithResource("pods")
	serviceResource = corev1.SchemeGroupVersion.WithResource("services")
	claimResource   = corev1.SchemeGroupVersion.WithResource("persistentvolumeclaims")
)

func createPod(t testing.TB, server *apiserver.Server, name string) *corev1.Pod {
	t.Helper()
	created, err := server.Do(apiserver.Request{
		Verb: "create", Resource: podResource, Namespace: "default", Object: newPod(name),
	})
	if err != nil {
		t.Fatal(err)
	}
	return created.(*corev1.Pod)
}

func openWatch(
	t *testing.T, server *apiserver.Server, resource schema.GroupVersionResource, notify func(),
) *apiserver.Stream {
	t.Helper()
	stream, err := server.OpenWatch(apiserver.Request{
		Verb: "watch", Resource: resource, Namespace: "default",
		ListOptions: metav1.ListOptions{ResourceVersion: "1"},
	}, notify)
	if err != nil {
		t.Fatal(err)
	}
	return stream
}

// A server is a value without goroutines, so a simulation may drop it at any time, open watches and
// all. A bubble that is left by its root panics if a goroutine remains in it.
func TestServerHasNoGoroutines(t *testing.T) {
	watched := []schema.GroupVersionResource{podResource, serviceResource, claimResource}
	for _, stop := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			server, err := apiserver.New(nil, apiserver.Options{})
			if err != nil {
				t.Fatal(err)
			}
			createPod(t, server, "a")
			for _, resource := range watched {
				stream := openWatch(t, server, resource, func() {})
				if stop {
					defer stream.Stop()
				}
			}
			createPod(t, server, "b")
		})
	}
}

// The engine asks a stream for one event per notification, so both must be equal in number.
func TestStreamNotifiesOncePerEvent(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	createPod(t, server, "a")
	notified := 0
	stream := openWatch(t, server, podResource, func() { notified++ })
	if notified != 1 {
		t.Errorf("%d notifications for the event that waited from the start", notified)
	}
	createPod(t, server, "b")
	createPod(t, server, "c")
	for range notified {
		if _, ok := stream.Next(); !ok {
			t.Error("a notification without an event")
		}
	}
	if event, ok := stream.Next(); ok || notified != 3 {
		t.Errorf("%d notifications, and one more event %+v", notified, event)
	}
	createPod(t, server, "d")
	stream.Stop()
	createPod(t, server, "e")
	if _, ok := stream.Next(); ok || notified != 4 {
		t.Errorf("a stopped stream still has an event, or told of one: %d notifications", notified)
	}
}

// What a client does to an answer or to an event stays its own affair.
func TestAnswersAreCopies(t *testing.T) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	first, second := openWatch(t, server, podResource, nil), openWatch(t, server, podResource, nil)
	defer first.Stop()
	defer second.Stop()
	createPod(t, server, "a").Labels["name"] = "changed"
	event, _ := first.Next()
	event.Object.(*corev1.Pod).Labels["name"] = "changed"
	event, _ = second.Next()
	if got := event.Object.(*corev1.Pod).Labels["name"]; got != "a" {
		t.Errorf("another watch sees %q", got)
	}
	for range 2 {
		got, err := server.Do(apiserver.Request{
			Verb: "get", Resource: podResource, Namespace: "default", Name: "a",
		})
		if err != nil {
			t.Fatal(err)
		}
		pod := got.(*corev1.Pod)
		if pod.Labels["name"] != "a" {
			t.Errorf("a get sees %q", pod.Labels["name"])
		}
		pod.Labels["name"] = "changed"
	}
}

// Each simulation has a server of its own, so making one is part of every run: about 6 ms.
func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := apiserver.New(nil, apiserver.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCreatePod(b *testing.B) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		b.Fatal(err)
	}
	pod := newPod("")
	pod.GenerateName = "web-"
	b.ReportAllocs()
	for b.Loop() {
		_, err := server.Do(apiserver.Request{
			Verb: "create", Resource: podResource, Namespace: "default", Object: pod,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList1000Pods(b *testing.B) {
	server, err := apiserver.New(nil, apiserver.Options{})
	if err != nil {
		b.Fatal(err)
	}
	pod := newPod("")
	pod.GenerateName = "web-"
	for range 1000 {
		_, err := server.Do(apiserver.Request{
			Verb: "create", Resource: podResource, Namespace: "default", Object: pod,
		})
		if err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := server.Do(apiserver.Request{Verb: "list", Resource: podResource}); err != nil {
			b.Fatal(err)
		}
	}
}
