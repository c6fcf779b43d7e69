package sim_test

import (
	"context"
	"fmt"
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

// play builds a simulation, lets body act in it and ends it.
func play(t *testing.T, options sim.Options, body func(s *sim.Simulation)) {
	t.Helper()
	if err := engine.Bubble(start, func() {
		s, err := sim.New(options)
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		body(s)
	}); err != nil {
		t.Fatal(err)
	}
}

var configMaps = corev1.SchemeGroupVersion.WithResource("configmaps")

// execute creates or deletes a ConfigMap at once, from the engine's own goroutine.
func execute(t *testing.T, s *sim.Simulation, verb, namespace, name string) {
	t.Helper()
	if _, err := s.Execute(apiserver.Request{
		Actor: "setup", Verb: verb, Resource: configMaps, Namespace: namespace, Name: name,
		Object: &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: namespace}},
	}, 0, false); err != nil {
		t.Error(err)
	}
}

// TestTwoWorldsInOneProcess plays the same simulation twice, with another one in between. What upstream keeps per
// process, such as the generators of uids and of name suffixes, must not carry over.
func TestTwoWorldsInOneProcess(t *testing.T) {
	hash := func(seed uint64) (hash string) {
		lag := network.Range{Min: 1, Max: 1e6}
		play(t, sim.Options{Seed: seed, QPS: 20, Burst: 2, Request: lag, Watch: lag}, func(s *sim.Simulation) {
			for client := range 3 {
				s.Go(fmt.Sprint("client-", client), func(ctx context.Context) {
					maps := s.Client(fmt.Sprint("client-", client)).CoreV1().ConfigMaps("default")
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
			s.Run(time.Minute)
			hash = s.Recorder.Hash()
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

func TestTheStartUpHasNegativeTimesAndIsBackground(t *testing.T) {
	var records []*trace.Record
	sink := func(r *trace.Record, _ []byte) { records = append(records, r) }
	play(t, sim.Options{StartUp: time.Second, Sinks: []trace.Sink{sink}}, func(s *sim.Simulation) {
		execute(t, s, "create", "default", "early")
		s.Run(0)
		execute(t, s, "create", "default", "at-zero")
		early, zero := records[0], records[1]
		if early.At != -time.Second || !early.Background {
			t.Errorf("the first record is at %s, background %t; want -1s, true", early.At, early.Background)
		}
		if zero.At != 0 || zero.Background {
			t.Errorf("the second record is at %s, background %t; want 0s, false", zero.At, zero.Background)
		}
		if !s.Engine.Zero().Equal(start.Add(time.Second)) {
			t.Errorf("time zero is %s", s.Engine.Zero())
		}
	})
}

// TestStateIsWhatTheStoreHolds looks at lists above all: they are sorted, and a namespace whose name begins
// like another's is not part of it.
func TestStateIsWhatTheStoreHolds(t *testing.T) {
	play(t, sim.Options{}, func(s *sim.Simulation) {
		for _, at := range []struct{ namespace, name string }{{"shop", "b"}, {"shop-2", "a"}, {"shop", "a"}} {
			execute(t, s, "create", at.namespace, at.name)
		}
		names := func(namespace string) string {
			out := ""
			for _, object := range s.State.List(configMaps.GroupResource(), namespace) {
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
		execute(t, s, "delete", "shop", "a")
		if _, found := s.State.Get(configMaps.GroupResource(), "shop", "a"); found {
			t.Error("a deleted object is still found")
		}
		if s.State.Writes != 4 {
			t.Errorf("%d writes, want 4", s.State.Writes)
		}
	})
}
