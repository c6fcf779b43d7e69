package sim

import (
	"context"
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/trace"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// ctx is for clients that ignore it: a request of the simulation ends with the simulation, not with a context.
var ctx = context.Background()

// world is a Simulation together with the records that it wrote.
type world struct {
	*Simulation
	records []*trace.Record
}

// play builds a simulation, lets body act in it and ends it. A goroutine that is left behind, and a panic, fail the
// test, because the bubble reports them.
func play(t *testing.T, options Options, body func(w *world)) {
	t.Helper()
	if err := engine.Bubble(start, func() {
		w := &world{}
		options.Sinks = append(options.Sinks, func(r *trace.Record, _ []byte) { w.records = append(w.records, r) })
		var err error
		if w.Simulation, err = New(options); err != nil {
			t.Error(err)
			return
		}
		defer w.End()
		body(w)
	}); err != nil {
		t.Fatal(err)
	}
}

// requests are the records of one actor's requests.
func (w *world) requests(actor string) []*trace.Record {
	var out []*trace.Record
	for _, r := range w.records {
		if r.Kind == trace.KindRequest && r.Actor == actor {
			out = append(out, r)
		}
	}
	return out
}

// put creates a ConfigMap at once, from the engine's own goroutine.
func (w *world) put(t *testing.T, name string) {
	t.Helper()
	if _, err := w.Execute(apiserver.Request{
		Actor: "setup", Verb: "create", Resource: configMaps, Namespace: "default", Object: configMap(name),
	}, 0, false); err != nil {
		t.Error(err)
	}
}

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"}}
}

// TestTwoWorldsInOneProcess plays the same simulation twice, with another one in between. What upstream keeps per
// process, such as the generators of uids and of name suffixes, must not carry over.
func TestTwoWorldsInOneProcess(t *testing.T) {
	hash := func(seed uint64) (hash string) {
		play(t, Options{Seed: seed, QPS: 20, Burst: 2, Request: Range{1, 1e6}, Watch: Range{1, 1e6}}, func(w *world) {
			for client := range 3 {
				w.Go(fmt.Sprint("client-", client), func(ctx context.Context) {
					maps := w.Client(fmt.Sprint("client-", client)).CoreV1().ConfigMaps("default")
					watch, err := maps.Watch(ctx, metav1.ListOptions{})
					if err != nil {
						t.Error(err)
						return
					}
					defer watch.Stop()
					for range 5 {
						generated := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{GenerateName: "map-", Namespace: "default"}}
						if _, err := maps.Create(ctx, generated, metav1.CreateOptions{}); err != nil {
							t.Error(err)
						}
					}
					for range 15 {
						<-watch.ResultChan()
					}
				})
			}
			w.Run(time.Minute)
			hash = w.Recorder.Hash()
		})
		return hash
	}
	first, other, again := hash(1), hash(2), hash(1)
	if first != again {
		t.Errorf("seed 1 gives %s at first and %s later", first, again)
	}
	if first == other {
		t.Error("two seeds give one hash")
	}
}

// TestTheEndReleasesBlockedCallers ends a simulation while one request is under way. Whoever waits for an answer gets
// an error, and so does whoever asks afterwards; play fails if a goroutine is left.
func TestTheEndReleasesBlockedCallers(t *testing.T) {
	var blocked, late error
	play(t, Options{Request: Range{time.Hour, time.Hour}}, func(w *world) {
		w.Go("slow", func(ctx context.Context) {
			maps := w.Client("slow").CoreV1().ConfigMaps("default")
			_, blocked = maps.Get(ctx, "a", metav1.GetOptions{})
			_, late = maps.Get(ctx, "a", metav1.GetOptions{})
		})
		w.Run(time.Minute)
		if blocked != nil {
			t.Errorf("answered before its time: %v", blocked)
		}
	})
	if blocked == nil || late == nil {
		t.Errorf("under way: %v, after the end: %v; want two errors", blocked, late)
	}
}

func TestTheStartUpHasNegativeTimesAndIsBackground(t *testing.T) {
	play(t, Options{StartUp: time.Second}, func(w *world) {
		w.put(t, "early")
		w.Run(0)
		w.put(t, "at-zero")
		early, zero := w.records[0], w.records[1]
		if early.At != -time.Second || !early.Background {
			t.Errorf("the first record is at %s, background %t; want -1s, true", early.At, early.Background)
		}
		if zero.At != 0 || zero.Background {
			t.Errorf("the second record is at %s, background %t; want 0s, false", zero.At, zero.Background)
		}
		if !w.Engine.Zero().Equal(start.Add(time.Second)) {
			t.Errorf("time zero is %s", w.Engine.Zero())
		}
	})
}

// TestStateIsWhatTheStoreHolds looks at lists above all: they are sorted, and a namespace whose name begins
// like another's is not part of it.
func TestStateIsWhatTheStoreHolds(t *testing.T) {
	play(t, Options{}, func(w *world) {
		for _, at := range []struct{ namespace, name string }{{"shop", "b"}, {"shop-2", "a"}, {"shop", "a"}} {
			object := configMap(at.name)
			object.Namespace = at.namespace
			if _, err := w.Execute(apiserver.Request{
				Actor: "setup", Verb: "create", Resource: configMaps, Namespace: at.namespace, Object: object,
			}, 0, false); err != nil {
				t.Error(err)
			}
		}
		names := func(namespace string) string {
			out := ""
			for _, object := range w.State.List(configMaps.GroupResource(), namespace) {
				m := object.(*corev1.ConfigMap)
				out += m.Namespace + "/" + m.Name + " "
			}
			return out
		}
		if got := names(""); got != "shop-2/a shop/a shop/b " {
			t.Errorf("all: %s", got)
		}
		if got := names("shop"); got != "shop/a shop/b " {
			t.Errorf("namespace shop: %s", got)
		}
		if _, err := w.Execute(apiserver.Request{
			Actor: "setup", Verb: "delete", Resource: configMaps, Namespace: "shop", Name: "a",
		}, 0, false); err != nil {
			t.Error(err)
		}
		if _, found := w.State.Get(configMaps.GroupResource(), "shop", "a"); found {
			t.Error("a deleted object is still found")
		}
		if w.State.Writes != 4 {
			t.Errorf("%d writes, want 4", w.State.Writes)
		}
	})
}
