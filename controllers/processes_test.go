package controllers

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/trace"
)

// plane runs a simulation with controllers for a minute, and lets user act in it.
func plane(
	t *testing.T, options Options, user func(context.Context, *sim.Simulation, *Processes),
) (records []*trace.Record, fault error, ended error) {
	t.Helper()
	return planeFor(t, time.Minute, options, user)
}

// planeFor is plane for a virtual time.
func planeFor(
	t *testing.T, horizon time.Duration, options Options, user func(context.Context, *sim.Simulation, *Processes),
) (records []*trace.Record, fault error, ended error) {
	t.Helper()
	return planeOf(t, horizon, apiserver.Options{}, options, user)
}

// planeOf is planeFor with a server.
func planeOf(
	t *testing.T, horizon time.Duration, server apiserver.Options, options Options,
	user func(context.Context, *sim.Simulation, *Processes),
) (records []*trace.Record, fault error, ended error) {
	t.Helper()
	ended = engine.Bubble(start, func() {
		world, err := sim.New(sim.Options{
			Seed: 1, Server: server, Request: network.Range{Min: time.Millisecond, Max: 5 * time.Millisecond},
			Watch: network.Range{Min: time.Millisecond, Max: 10 * time.Millisecond},
			Sinks: []trace.Sink{func(r *trace.Record, _ []byte) { show(r); records = append(records, r) }},
		})
		if err != nil {
			t.Error(err)
			return
		}
		defer world.End()
		if options.Config == nil {
			if options.Config, err = NewConfig(nil); err != nil {
				t.Error(err)
				return
			}
		}
		control, err := Start(world, options)
		if err != nil {
			t.Error(err)
			return
		}
		world.Go("kubectl", func(ctx context.Context) { user(ctx, world, control) })
		world.Run(horizon)
		fault = control.Err()
	})
	return records, fault, ended
}

func idle(context.Context, *sim.Simulation, *Processes) {}

// holders tells who took the lease, and when.
func holders(records []*trace.Record) (names []string, at []time.Duration) {
	for _, r := range records {
		if r.Event != nil && strings.HasSuffix(r.Event.Message, "became leader") {
			names, at = append(names, strings.Fields(r.Event.Message)[0]), append(at, r.At)
		}
	}
	return names, at
}

const first, second = "kube-controller-manager-1", "kube-controller-manager-2"

func TestTheStandbyTakesOverFromALeaderThatCrashed(t *testing.T) {
	records, fault, err := plane(t, Options{Replicas: 2, Elect: true},
		func(ctx context.Context, world *sim.Simulation, control *Processes) {
			time.Sleep(10 * time.Second)
			if err := control.Crash(first, 0, func() int64 { return 0 }); err != nil {
				t.Error(err)
			}
			if err := control.Crash("kube-controller-manager", 0, func() int64 { return 0 }); err == nil || !strings.Contains(err.Error(), second) {
				t.Errorf("a crash of what is not there: %v", err)
			}
			createWeb(3)(ctx, world)
		})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	names, at := holders(records)
	if !slices.Equal(names, []string{first, second}) || at[1] < 23*time.Second || at[1] > 31*time.Second {
		t.Errorf("leaders %v at %v, want the second one lease duration after the last renewal", names, at)
	}
	for _, r := range records {
		if r.At > 10*time.Second && (strings.HasSuffix(r.Actor, "@1") || r.Actor == first) {
			t.Errorf("at %s, after its crash, the first replica is heard of: %s %s", r.At, r.Kind, r.Actor)
		}
	}
	if !slices.ContainsFunc(records, func(r *trace.Record) bool {
		return r.Actor == "replicaset-controller@2" && r.Request != nil && r.Request.Resource == "pods" && len(r.Request.Writes) > 0
	}) {
		t.Error("the second replica created no pod")
	}
}

// TestALeaderThatLosesItsLeaseExits gives the lease to somebody else, as an administrator might. The leader
// cannot renew it, exits after renewDeadline, and the other replica takes over when nobody renews it.
func TestALeaderThatLosesItsLeaseExits(t *testing.T) {
	records, fault, err := plane(t, Options{Replicas: 2, Elect: true},
		func(ctx context.Context, world *sim.Simulation, _ *Processes) {
			time.Sleep(10 * time.Second)
			patch := []byte(`{"spec": {"holderIdentity": "somebody-else"}}`)
			var lease *coordinationv1.Lease
			lease, err := world.Client("kubectl").CoordinationV1().Leases("kube-system").
				Patch(ctx, "kube-controller-manager", types.MergePatchType, patch, metav1.PatchOptions{})
			if err != nil || *lease.Spec.HolderIdentity != "somebody-else" {
				t.Errorf("got %v, %v", lease, err)
			}
		})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	names, at := holders(records)
	if !slices.Equal(names, []string{first, second}) {
		t.Fatalf("leaders: %v", names)
	}
	lost := slices.IndexFunc(records, func(r *trace.Record) bool {
		return r.Actor == first && r.Log != nil && r.Log.Message == "leaderelection lost"
	})
	if lost < 0 {
		t.Fatal("the first replica does not say that it lost the lease")
	}
	if gone := records[lost].At; gone < 18*time.Second || gone > 24*time.Second || at[1] <= gone {
		t.Errorf("the first replica gave up at %s and the second one led from %s", gone, at[1])
	}
}

func TestOneReplicaElectsItself(t *testing.T) {
	records, fault, err := plane(t, Options{Elect: true}, idle)
	if names, _ := holders(records); fault != nil || err != nil || !slices.Equal(names, []string{ManagerName}) {
		t.Errorf("leaders %v, fault %v, error %v", names, fault, err)
	}
}

// TestAFaultNamesItsController breaks controllers in the ways that can be caught.
func TestAFaultNamesItsController(t *testing.T) {
	const here = "github.com/kubestep/kubestep/controllers.TestAFaultNamesItsController."
	for _, test := range []struct {
		name, fault, ended string
		run                Custom
	}{
		{name: "panics", fault: "controller mine panicked: boom, in " + here + "func1 (processes_test.go:", run: func(context.Context, Clients) error { panic("boom") }},
		{name: "panics in a worker", fault: "controller mine panicked: boom, in " + here + "func2.1 (processes_test.go:", run: func(ctx context.Context, _ Clients) error {
			go wait.UntilWithContext(ctx, func(context.Context) { panic("boom") }, time.Second)
			<-ctx.Done()
			return nil
		}},
		{name: "gives up", fault: "controller mine gave up: no such thing", run: func(context.Context, Clients) error {
			return errors.New("no such thing")
		}},
		{name: "does not end", ended: "goroutines of mine did not end with the simulation", run: func(context.Context, Clients) error {
			<-make(chan int)
			return nil
		}},
		{name: "leaves a goroutine", ended: "goroutines of mine did not end with the simulation", run: func(context.Context, Clients) error {
			go func() { <-make(chan int) }()
			return nil
		}},
		{name: "returns early", run: func(context.Context, Clients) error { return nil }},
		{name: "returns an error at the end", run: func(ctx context.Context, _ Clients) error {
			<-ctx.Done()
			return ctx.Err()
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, fault, ended := plane(t, Options{Custom: map[string]Custom{"mine": test.run}}, idle)
			if got := text(fault); (got == "") != (test.fault == "") || !strings.HasPrefix(got, test.fault) {
				t.Errorf("fault %q, want %q", got, test.fault)
			}
			if got := text(ended); (got == "") != (test.ended == "") || !strings.Contains(got, test.ended) {
				t.Errorf("the world ended with %q, want %q", got, test.ended)
			}
		})
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// TestAControllerCrashesAlone ends one of two and looks at what each still does.
func TestAControllerCrashesAlone(t *testing.T) {
	beats := func(ctx context.Context, clients Clients) error {
		wait.UntilWithContext(ctx, func(ctx context.Context) {
			_, _ = clients.Client.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
		}, time.Second)
		// What a deferred function would still send.
		_, err := clients.Client.CoreV1().Nodes().List(context.Background(), metav1.ListOptions{})
		return err
	}
	records, fault, err := plane(t, Options{Custom: map[string]Custom{"one": beats, "two": beats}},
		func(_ context.Context, _ *sim.Simulation, control *Processes) {
			time.Sleep(10500 * time.Millisecond)
			if err := control.Crash("one", 0, func() int64 { return 0 }); err != nil {
				t.Error(err)
			}
		})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	count := map[string]int{}
	for _, r := range records {
		if r.Request != nil && r.Request.Resource == "nodes" {
			count[r.Actor]++
		}
	}
	if count["one"] != 11 || count["two"] < 50 {
		t.Errorf("lists: %v, want 11 of one and about 60 of two", count)
	}
}

// TestAControllerHasThreeWaysIntoTheCluster uses the three clients that a controller is given.
func TestAControllerHasThreeWaysIntoTheCluster(t *testing.T) {
	var listed, cached int
	_, fault, err := plane(t, Options{Custom: map[string]Custom{"mine": func(ctx context.Context, c Clients) error {
		namespaces := c.Informers.Core().V1().Namespaces()
		namespaces.Informer()
		c.Informers.Start(ctx.Done())
		defer c.Informers.Shutdown()
		c.Informers.WaitForCacheSync(ctx.Done())
		list, err := c.Client.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
		if err != nil {
			return err
		}
		listed, cached = len(list.Items), len(namespaces.Informer().GetStore().List())
		if _, err := c.Config(); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}}}, idle)
	if fault != nil || err != nil || listed != cached {
		t.Errorf("listed %d, cached %d, %v, %v", listed, cached, fault, err)
	}
}
