package network_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/fault"
)

// bothClients runs body with a typed client and with one over HTTP.
func bothClients(t *testing.T, options sim.Options, body func(w *world, client func() kubernetes.Interface)) {
	t.Helper()
	t.Run("typed", func(t *testing.T) {
		play(t, options, func(w *world) {
			body(w, func() kubernetes.Interface { return w.Client("client") })
		})
	})
	t.Run("http", func(t *testing.T) {
		play(t, options, func(w *world) {
			body(w, func() kubernetes.Interface { return kubernetes.NewForConfigOrDie(config(w, "client")) })
		})
	})
}

// unreadFor opens a watch, writes events without reading, and calls act, which runs on the client's goroutine. Then it
// returns the names in the events that the client then reads until its channel closes, or until 15 seconds pass
// without an event.
func unreadFor(t *testing.T, w *world, client kubernetes.Interface, events int, act func(stop func())) (names []string) {
	within(t, w, func(ctx context.Context) {
		watch, err := client.CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
		if err != nil {
			t.Error(err)
			return
		}
		defer watch.Stop()
		w.Engine.Call("put", func() {
			for n := range events {
				w.put(t, fmt.Sprintf("map-%03d", n))
			}
		})
		time.Sleep(time.Second)
		act(watch.Stop)
		for {
			select {
			case event, ok := <-watch.ResultChan():
				if !ok {
					return
				}
				accessor, _ := event.Object.(metav1.Object)
				names = append(names, accessor.GetName())
			case <-time.After(15 * time.Second):
				return
			}
		}
	})
	return names
}

// TestAClientMayReadItsWatchLater counts events around the capacity of the channel.
func TestAClientMayReadItsWatchLater(t *testing.T) {
	const buffer = network.UnreadBuffer
	for _, events := range []int{buffer - 1, buffer, buffer + 1, buffer + 2, 10 * buffer} {
		bothClients(t, sim.Options{Watch: network.Range{Min: 0, Max: time.Millisecond}}, func(w *world, client func() kubernetes.Interface) {
			names := unreadFor(t, w, client(), events, func(func()) {})
			if len(names) != events || !slices.IsSorted(names) {
				t.Errorf("%d events were written, the client read %d: %v", events, len(names), names)
			}
		})
	}
}

// TestAWatchThatEndsKeepsWhatHasArrived ends the watch after the events have arrived: they were in the connection.
func TestAWatchThatEndsKeepsWhatHasArrived(t *testing.T) {
	bothClients(t, sim.Options{}, func(w *world, client func() kubernetes.Interface) {
		names := unreadFor(t, w, client(), 50, func(func()) {
			w.Engine.Call("cut", func() { w.CutAll(&fault.Rule{Name: "cut", Effect: fault.Effect{Disconnect: true}}) })
		})
		if len(names) != 50 {
			t.Errorf("the client read %d of 50 events", len(names))
		}
	})
}

// TestAClientThatStopsReadsNoMore stops a watch with unread events: the channel closes, and no goroutine is left.
func TestAClientThatStopsReadsNoMore(t *testing.T) {
	bothClients(t, sim.Options{}, func(w *world, client func() kubernetes.Interface) {
		began := time.Now()
		names := unreadFor(t, w, client(), 50, func(stop func()) { stop() })
		if len(names) > network.UnreadBuffer+1 || time.Since(began) > 14*time.Second {
			t.Errorf("the client read %d events in %s after it had stopped", len(names), time.Since(began))
		}
	})
}

// TestTheEndWithUnreadEvents ends a simulation whose client never reads and never stops: play fails if a goroutine is
// left.
func TestTheEndWithUnreadEvents(t *testing.T) {
	play(t, sim.Options{}, func(w *world) {
		w.Go("client", func(ctx context.Context) {
			if _, err := w.Client("client").CoreV1().ConfigMaps("default").Watch(ctx, metav1.ListOptions{}); err != nil {
				t.Error(err)
			}
		})
		w.Run(time.Second)
		for n := range 50 {
			w.put(t, fmt.Sprint("map-", n))
		}
		w.Run(time.Minute)
	})
}
