package node

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// heartbeats plays ten minutes with one node, and lets act happen. It returns the times of the heartbeats, which are requests
// of the kubelet after time zero, and what the kubelet logs.
func heartbeats(t *testing.T, rest bool, looks func(*network.Stream) bool, act func(ctx context.Context, w *sim.Simulation)) (
	leases, statuses []time.Duration, logs []string) {
	t.Helper()
	note := func(record *trace.Record, _ []byte) {
		switch {
		case record.Actor != Actor:
		case record.Log != nil:
			logs = append(logs, record.Log.Message)
		case record.Request == nil || record.Request.Verb != "update":
		case strings.HasPrefix(record.Request.Object.Resource, "leases"):
			leases = append(leases, record.At)
		default:
			statuses = append(statuses, record.At)
		}
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(begin, func() {
		w, err := sim.New(sim.Options{Seed: 1, Sinks: []trace.Sink{note}})
		if err != nil {
			t.Error(err)
			return
		}
		defer w.End()
		k := Start(w, nil)
		if rest {
			k.Rest(looks)
		}
		if err := k.AddNodes([]Spec{{Name: "n", Pods: 9}}, 10*time.Second); err != nil {
			t.Error(err)
		}
		w.Go("test", func(ctx context.Context) { act(ctx, w) })
		w.Run(10 * time.Minute)
	}); err != nil {
		t.Fatal(err)
	}
	return leases, statuses, logs
}

// nothing does nothing.
func nothing(context.Context, *sim.Simulation) {}

// watch opens a watch of Leases at a time.
func watch(t *testing.T, at time.Duration, actor string) func(context.Context, *sim.Simulation) {
	return func(ctx context.Context, w *sim.Simulation) {
		until(at, w)
		stream, err := w.Client(actor).CoordinationV1().Leases("").Watch(ctx, metav1.ListOptions{})
		if err != nil {
			t.Error(err)
			return
		}
		<-ctx.Done()
		stream.Stop()
	}
}

// after returns the times after a time.
func after(at time.Duration, times []time.Duration) []time.Duration {
	return slices.DeleteFunc(slices.Clone(times), func(t time.Duration) bool { return t <= at })
}

// TestHeartbeatsResumeWhenAWatchOpens: until somebody looks, there is no heartbeat; from then on, they come at the times that
// they have without the rest.
func TestHeartbeatsResumeWhenAWatchOpens(t *testing.T) {
	const opens = 3*time.Minute + 4*time.Second
	leases, statuses, logs := heartbeats(t, false, nil, nothing)
	if len(leases) != 60 || len(statuses) != 2 || len(logs) != 0 {
		t.Fatalf("without rest: %d renewals, %d statuses, logs %q", len(leases), len(statuses), logs)
	}
	restLeases, restStatuses, logs := heartbeats(t, true, nil, watch(t, opens, "test"))
	if want := after(opens, leases); !slices.Equal(restLeases, want) {
		t.Errorf("renewals after a watch at %v:\n%v, want\n%v", opens, restLeases, want)
	}
	if want := after(opens, statuses); !slices.Equal(restStatuses, want) {
		t.Errorf("statuses after a watch at %v:\n%v, want\n%v", opens, restStatuses, want)
	}
	if !slices.Equal(logs, []string{leftOut}) {
		t.Errorf("logs %q", logs)
	}
}

// TestNobodyLooks: without a watch, and with one whose client does not look at heartbeats, none comes.
func TestNobodyLooks(t *testing.T) {
	deaf := func(stream *network.Stream) bool { return stream.Actor != "deaf" }
	for _, act := range []func(context.Context, *sim.Simulation){nothing, watch(t, time.Minute, "deaf")} {
		if leases, statuses, logs := heartbeats(t, true, deaf, act); len(leases)+len(statuses) != 0 || len(logs) != 1 {
			t.Errorf("%d renewals, %d statuses, logs %q", len(leases), len(statuses), logs)
		}
	}
	if leases, _, _ := heartbeats(t, true, deaf, watch(t, 0, "test")); len(leases) != 60 {
		t.Errorf("%d renewals with a client that looks from the start, want 60", len(leases))
	}
}
