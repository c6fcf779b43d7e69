package network_test

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// ctx is for clients that ignore it: a request of the simulation ends with the simulation, not with a context.
var ctx = context.Background()

// world is a Simulation together with the records that it wrote.
type world struct {
	*sim.Simulation
	records []*trace.Record
}

// play builds a simulation, lets body act in it and ends it. A goroutine that is left behind, and a panic, fail the
// test, because the bubble reports them.
func play(t *testing.T, options sim.Options, body func(w *world)) {
	t.Helper()
	if err := engine.Bubble(start, func() {
		w := &world{}
		options.Sinks = append(options.Sinks, func(r *trace.Record, _ []byte) { w.records = append(w.records, r) })
		var err error
		if w.Simulation, err = sim.New(options); err != nil {
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

// TestTheEndReleasesBlockedCallers ends a simulation while one request is under way. Whoever waits for an answer gets
// an error, and so does whoever asks afterwards; play fails if a goroutine is left.
func TestTheEndReleasesBlockedCallers(t *testing.T) {
	var blocked, late error
	play(t, sim.Options{Request: network.Range{Min: time.Hour, Max: time.Hour}}, func(w *world) {
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
