package network_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestTheSecondOfTwoWritersMeetsAConflict is optimistic concurrency: both read resourceVersion n, one
// writes n+1, and the other's update, still about n, is refused.
func TestTheSecondOfTwoWritersMeetsAConflict(t *testing.T) {
	play(t, sim.Options{Seed: 1, Request: network.Range{Min: time.Millisecond, Max: time.Millisecond}}, func(w *world) {
		w.put(t, "shared")
		for _, actor := range []string{"one", "two"} {
			w.Go(actor, func(ctx context.Context) {
				maps := w.Client(actor).CoreV1().ConfigMaps("default")
				read, err := maps.Get(ctx, "shared", metav1.GetOptions{})
				if err != nil {
					t.Error(err)
					return
				}
				read.Data = map[string]string{"writer": actor}
				_, _ = maps.Update(ctx, read, metav1.UpdateOptions{})
			})
		}
		w.Run(time.Second)
		var codes []int
		for _, actor := range []string{"one", "two"} {
			update := w.requests(actor)[1]
			codes = append(codes, update.Request.Code)
			if update.Request.Code == 409 && (update.Request.Reason != string(metav1.StatusReasonConflict) ||
				len(update.Request.Writes) != 0) {
				t.Errorf("the refused update is recorded as %+v", update.Request)
			}
		}
		if slices.Sort(codes); !slices.Equal(codes, []int{200, 409}) {
			t.Errorf("the updates got %v, want one 200 and one 409", codes)
		}
	})
}

// executedAt lists when an actor's requests were executed.
func (w *world) executedAt(actor string) []time.Duration {
	var at []time.Duration
	for _, r := range w.requests(actor) {
		at = append(at, r.At)
	}
	return at
}

// TestTheClientRateLimit has 35 requests at 20 per second with a burst of 30: thirty go at once, then a
// token drops every 50 ms. It makes no difference whether one goroutine asks after the other or all at once,
// and two clients of one actor have one bucket.
func TestTheClientRateLimit(t *testing.T) {
	var want []time.Duration
	for range 30 {
		want = append(want, 0)
	}
	for token := 1; token <= 5; token++ {
		want = append(want, time.Duration(token)*50*time.Millisecond)
	}
	limits := sim.Options{QPS: 20, Burst: 30}
	get := func(ctx context.Context, w *world) {
		_, _ = w.Client("busy").CoreV1().ConfigMaps("default").Get(ctx, "none", metav1.GetOptions{})
	}
	for name, ask := range map[string]func(w *world){
		"one after the other": func(w *world) {
			w.Go("busy", func(ctx context.Context) {
				for range 35 {
					get(ctx, w)
				}
			})
		},
		"all at once": func(w *world) {
			for range 35 {
				w.Go("busy", func(ctx context.Context) { get(ctx, w) })
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			play(t, limits, func(w *world) {
				ask(w)
				w.Run(time.Minute)
				if got := w.executedAt("busy"); !slices.Equal(got, want) {
					t.Errorf("executed at %v", got)
				}
			})
		})
	}
}

// TestWatchesAndOtherClientsDoNotSpendTokens: client-go does not count a watch against the limit, and each
// actor has a bucket of its own.
func TestWatchesAndOtherClientsDoNotSpendTokens(t *testing.T) {
	play(t, sim.Options{QPS: 1, Burst: 1}, func(w *world) {
		for _, actor := range []string{"one", "two"} {
			w.Go(actor, func(ctx context.Context) {
				maps := w.Client(actor).CoreV1().ConfigMaps("default")
				for range 3 {
					watch, err := maps.Watch(ctx, metav1.ListOptions{})
					if err != nil {
						t.Error(err)
						return
					}
					watch.Stop()
				}
				_, _ = maps.List(ctx, metav1.ListOptions{})
				_, _ = maps.List(ctx, metav1.ListOptions{})
			})
		}
		w.Run(time.Minute)
		for _, actor := range []string{"one", "two"} {
			if got, want := w.executedAt(actor), []time.Duration{0, 0, 0, 0, time.Second}; !slices.Equal(got, want) {
				t.Errorf("%s: executed at %v, want %v", actor, got, want)
			}
		}
	})
}

// TestLatenciesAreDrawnByName adds an unrelated client to a simulation. The latencies of the others stay as they were,
// so that two runs that differ in one step can be compared.
func TestLatenciesAreDrawnByName(t *testing.T) {
	latencies := func(noise bool) (out []time.Duration) {
		play(t, sim.Options{Seed: 5, Request: network.Range{Min: time.Millisecond, Max: 50 * time.Millisecond}}, func(w *world) {
			ask := func(actor string, n int) {
				w.Go(actor, func(ctx context.Context) {
					for i := range n {
						_, _ = w.Client(actor).CoreV1().ConfigMaps("default").Get(ctx, fmt.Sprint("map-", i%3), metav1.GetOptions{})
					}
				})
			}
			ask("quiet", 20)
			if noise {
				ask("noise", 50)
			}
			w.Run(time.Minute)
			for _, r := range w.requests("quiet") {
				out = append(out, r.At-r.Request.Sent)
			}
		})
		return out
	}
	alone, together := latencies(false), latencies(true)
	if len(alone) != 20 || !slices.Equal(alone, together) {
		t.Errorf("alone:    %v\ntogether: %v", alone, together)
	}
	if slices.Max(alone) == slices.Min(alone) {
		t.Errorf("all latencies are %s: nothing was drawn", alone[0])
	}
}

// task is a unit of work that counts what it sent.
type task struct {
	mu             sync.Mutex
	sent, writes   int
	recordThatIsMe int64
}

func (k *task) Seq() int64 { return k.recordThatIsMe }

func (k *task) Sent(writes int, _ bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.sent++
	k.writes += writes
}

// TestARequestNamesItsTaskAndAWatchEventItsRequest follows the causes through the gate: task 7 sends a
// create from a goroutine that it started, and the event that another client sees names the create.
func TestARequestNamesItsTaskAndAWatchEventItsRequest(t *testing.T) {
	play(t, sim.Options{Seed: 1, Watch: network.Range{Min: time.Millisecond, Max: time.Millisecond}}, func(w *world) {
		work := &task{recordThatIsMe: 7}
		w.Go("reader", func(ctx context.Context) {
			watch, err := w.Client("reader").CoreV1().ConfigMaps("").Watch(ctx, metav1.ListOptions{})
			if err != nil {
				t.Error(err)
				return
			}
			defer watch.Stop()
			<-watch.ResultChan()
		})
		w.Run(time.Second)
		w.Go("writer", func(ctx context.Context) {
			w.Activities.Enter(&activity.Activity{Actor: "writer", Task: work})
			done := make(chan error)
			go func() {
				maps := w.Client("writer").CoreV1().ConfigMaps("default")
				_, err := maps.Create(ctx, configMap("a"), metav1.CreateOptions{})
				if _, again := maps.Create(ctx, configMap("a"), metav1.CreateOptions{}); !apierrors.IsAlreadyExists(again) {
					t.Errorf("the second creation: %v", again)
				}
				done <- err
			}()
			if err := <-done; err != nil {
				t.Error(err)
			}
		})
		w.Run(time.Minute)
		create := w.requests("writer")[0]
		if create.Cause != 7 || work.sent != 2 || work.writes != 1 {
			t.Errorf("the creation's cause is %d; the task sent %d requests with %d writes", create.Cause, work.sent, work.writes)
		}
		var event *trace.Record
		for _, r := range w.records {
			if r.Kind == trace.KindWatch {
				event = r
			}
		}
		if event == nil || event.Cause != create.Seq || event.Watch.Written != create.At ||
			event.At != create.At+time.Millisecond || event.Actor != "reader" {
			t.Errorf("the watch event is %+v of %+v", event, create)
		}
	})
}
