package network_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network"
)

// fixed is a range of one value.
func fixed(d time.Duration) network.Range { return network.Range{Min: d, Max: d} }

// TestAResponseTravelsBack: a request of 3 ms, of which 2 ms at the server, and 5 ms back. The client sends its next
// request when it has the response.
func TestAResponseTravelsBack(t *testing.T) {
	options := sim.Options{Request: fixed(time.Millisecond), Service: fixed(2 * time.Millisecond), Response: fixed(5 * time.Millisecond)}
	play(t, options, func(w *world) {
		w.Go("writer", func(ctx context.Context) {
			for n := range 2 {
				if _, err := w.Client("writer").CoreV1().ConfigMaps("default").Create(ctx, configMap(fmt.Sprint(n)), metav1.CreateOptions{}); err != nil {
					t.Error(err)
				}
			}
		})
		w.Run(time.Second)
		if got, want := w.executedAt("writer"), []time.Duration{3 * time.Millisecond, 11 * time.Millisecond}; !slices.Equal(got, want) {
			t.Errorf("executed at %v, want %v", got, want)
		}
		if second := w.requests("writer")[1].Request; second.Sent != 8*time.Millisecond {
			t.Errorf("the second request is sent at %s, before the response to the first", second.Sent)
		}
	})
}

// TestWritesWaitForTheServer: of five writes that arrive at one instant, the server works on two at a time. Reads do
// not wait.
func TestWritesWaitForTheServer(t *testing.T) {
	play(t, sim.Options{Service: fixed(10 * time.Millisecond)}, func(w *world) {
		for n := range 5 {
			w.Go("writer", func(ctx context.Context) {
				_, _ = w.Client("writer").CoreV1().ConfigMaps("default").Create(ctx, configMap(fmt.Sprint(n)), metav1.CreateOptions{})
			})
		}
		w.Go("reader", func(ctx context.Context) {
			_, _ = w.Client("reader").CoreV1().ConfigMaps("default").List(ctx, metav1.ListOptions{})
		})
		w.Run(time.Second)
		const service = 10 * time.Millisecond
		if got, want := w.executedAt("writer"), []time.Duration{service, service, 2 * service, 2 * service, 3 * service}; !slices.Equal(got, want) {
			t.Errorf("written at %v, want %v", got, want)
		}
		if got := w.executedAt("reader"); !slices.Equal(got, []time.Duration{0}) {
			t.Errorf("read at %v, want at once", got)
		}
	})
}

// TestTheLagOfAWatchChangesSlowly: neighbouring events have nearly the same lag, and over a minute the lag takes most
// values of its range.
func TestTheLagOfAWatchChangesSlowly(t *testing.T) {
	play(t, sim.Options{Watch: network.Range{Min: time.Millisecond, Max: 11 * time.Millisecond}}, func(w *world) {
		var lags []time.Duration
		for n := range 600 {
			w.Engine.At(time.Duration(n)*100*time.Millisecond, "look", func() { lags = append(lags, w.Lag("informers/pods")) })
		}
		w.Run(time.Minute)
		for n := range lags[1:] {
			if step := (lags[n+1] - lags[n]).Abs(); step > time.Millisecond {
				t.Errorf("the lag changes by %s within 100 ms", step)
			}
		}
		if low, high := slices.Min(lags), slices.Max(lags); low < time.Millisecond || low > 3*time.Millisecond || high > 11*time.Millisecond || high < 9*time.Millisecond {
			t.Errorf("the lag is between %s and %s, want 1ms to 11ms", low, high)
		}
	})
}

// TestALostResponse ends the simulation while a response travels: the write has happened, and the client gets an error.
func TestALostResponse(t *testing.T) {
	var err error
	play(t, sim.Options{Response: fixed(time.Hour)}, func(w *world) {
		w.Go("writer", func(ctx context.Context) {
			_, err = w.Client("writer").CoreV1().ConfigMaps("default").Create(ctx, configMap("a"), metav1.CreateOptions{})
		})
		w.Run(time.Minute)
		if _, found := w.State.Get(corev1.Resource("configmaps"), "default", "a"); !found {
			t.Error("the write has not happened")
		}
	})
	if err == nil {
		t.Error("the client got an answer that had not arrived")
	}
}
