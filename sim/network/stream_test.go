package network_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
)

// arrivals plays a simulation whose store begins at a revision and in which a client watches ConfigMaps from there on.
// It returns the revisions of the events in the order in which they arrived.
func arrivals(t *testing.T, options sim.Options, before int, write func(w *world)) (revisions []uint64) {
	play(t, options, func(w *world) {
		from := metav1.ListOptions{ResourceVersion: fmt.Sprint(options.Revision)}
		for n := range before {
			w.put(t, fmt.Sprint("before-", n))
		}
		w.Go("reader", func(ctx context.Context) {
			events, err := w.Client("reader").CoreV1().ConfigMaps("default").Watch(ctx, from)
			if err != nil {
				t.Error(err)
				return
			}
			defer events.Stop()
			for {
				select {
				case event := <-events.ResultChan():
					revisions = append(revisions, network.Revision(event))
				case <-ctx.Done():
					return
				}
			}
		})
		w.Run(time.Second)
		if write != nil {
			write(w)
		}
		w.Run(time.Minute)
	})
	return revisions
}

// TestWatchEventsNeverOvertakeEachOther holds for each way in which several events come to wait in one stream: writes
// faster than the latency, many writes of one request, and a replay of the history. The revisions cross powers of ten,
// where the order of digits is not that of numbers.
func TestWatchEventsNeverOvertakeEachOther(t *testing.T) {
	deleteAll := func(w *world) {
		if _, err := w.Execute(apiserver.Request{
			Actor: "setup", Verb: "deletecollection", Resource: configMaps, Namespace: "default",
		}, 0, false); err != nil {
			t.Error(err)
		}
	}
	manyWrites := func(w *world) {
		for n := range 30 {
			w.Engine.At(time.Second+time.Duration(n)*time.Millisecond, "put", func() { w.put(t, fmt.Sprint("later-", n)) })
		}
	}
	for _, test := range []struct {
		name   string
		before int
		write  func(w *world)
		events int
	}{
		{"writes in quick succession", 0, manyWrites, 30},
		{"one request with many writes", 8, deleteAll, 16},
		{"a replay of the history", 14, nil, 14},
	} {
		t.Run(test.name, func(t *testing.T) {
			for seed := range uint64(10) {
				for _, latency := range []network.Range{{0, 0}, {time.Millisecond, 20 * time.Millisecond}} {
					for _, revision := range []uint64{1, 90, 995, 99_990} {
						got := arrivals(t, sim.Options{Seed: seed, Watch: latency, Revision: revision}, test.before, test.write)
						if len(got) != test.events || !slices.IsSorted(got) {
							t.Fatalf("seed %d, latency %v: %d events, revisions %v", seed, latency, len(got), got)
						}
					}
				}
			}
		})
	}
}

// TestHistoryIsForgottenAfterFiveToTenMinutes is etcd's compaction as kube-apiserver asks for it: every five
// minutes, what was history at the last turn goes. A watch that wants to begin there is answered with 410.
func TestHistoryIsForgottenAfterFiveToTenMinutes(t *testing.T) {
	for _, test := range []struct {
		open time.Duration
		gone bool
	}{{4 * time.Minute, false}, {9*time.Minute + 59*time.Second, false}, {10*time.Minute + time.Second, true}} {
		play(t, sim.Options{}, func(w *world) {
			w.put(t, "a")
			w.put(t, "b")
			w.Run(test.open)
			var err error
			var first watch.Event
			w.Go("reader", func(ctx context.Context) {
				var events watch.Interface
				events, err = w.Client("reader").CoreV1().ConfigMaps("").Watch(ctx, metav1.ListOptions{ResourceVersion: "1"})
				if err == nil {
					first = <-events.ResultChan()
					events.Stop()
				}
			})
			w.Run(test.open + time.Second)
			if err == nil && first.Type == watch.Error {
				err = apierrors.FromObject(first.Object)
			}
			if expired := apierrors.IsResourceExpired(err) || apierrors.IsGone(err); expired != test.gone {
				t.Errorf("after %s: %v; want gone %t", test.open, err, test.gone)
			}
		})
	}
}
