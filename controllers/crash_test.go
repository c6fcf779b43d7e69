package controllers

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
)

func noCause() int64 { return 0 }

// podsCreated tells when Pods were created, by the second.
func podsCreated(records []*trace.Record) (at []time.Duration) {
	for _, r := range records {
		if r.Request != nil && r.Request.Verb == "create" && r.Request.Resource == "pods" && r.Request.Subresource == "" && r.Request.Code == 201 {
			at = append(at, r.At.Truncate(time.Second))
		}
	}
	return at
}

// TestAManagerThatStartsAgain does what was left to do while it was down, and nothing twice.
func TestAManagerThatStartsAgain(t *testing.T) {
	records, failed, err := plane(t, Options{}, func(ctx context.Context, world *sim.Simulation, control *Processes) {
		createWeb(2)(ctx, world)
		time.Sleep(10 * time.Second)
		if err := control.Crash(ManagerName, 20*time.Second, noCause); err != nil {
			t.Error(err)
		}
		scaleWeb(ctx, t, world, 3)
	})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if at := podsCreated(records); !slices.Equal(at, []time.Duration{0, 0, 30 * time.Second}) {
		t.Errorf("pods were created at %v", at)
	}
	for _, r := range records {
		if r.Sync != nil && r.At > 10100*time.Millisecond && r.At < 30*time.Second {
			t.Errorf("%s has a sync at %s, while it is down", r.Actor, r.At)
		}
	}
}

// TestACrashInTheMiddleOfASync ends the manager after the first Pod of three. What is left is done by its next
// life, which does not have the expectations of the first.
func TestACrashInTheMiddleOfASync(t *testing.T) {
	records, failed, err := plane(t, Options{}, func(ctx context.Context, world *sim.Simulation, _ *Processes) {
		rule := &fault.Rule{
			Name: "crash", Times: 1, Effect: fault.Effect{Crash: true, Restart: 10 * time.Second},
			Match: fault.Match{Actor: "replicaset-controller", Verb: "create", Resource: "pods", Write: 1},
		}
		world.Engine.Call("arm", func() { world.Arm(rule, 0) })
		createWeb(3)(ctx, world)
	})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if at := podsCreated(records); !slices.Equal(at, []time.Duration{0, 10 * time.Second, 10 * time.Second}) {
		t.Errorf("pods were created at %v, want one at once and two after the restart", at)
	}
}

// TestCrashesAtTheStart end the manager again and again, each time a little later: also when it has built its controllers, and has not
// started all of them. What their constructors have started must end as well: the queues of a controller have goroutines from then on.
func TestCrashesAtTheStart(t *testing.T) {
	const step = startStagger / 4
	records, failed, err := plane(t, Options{}, func(ctx context.Context, world *sim.Simulation, control *Processes) {
		createWeb(2)(ctx, world)
		time.Sleep(10 * time.Second)
		for after := time.Duration(0); after < 15*time.Millisecond; after += step {
			if err := control.Restart(ManagerName, noCause); err != nil {
				t.Error(err)
			}
			time.Sleep(after)
		}
		scaleWeb(ctx, t, world, 3)
	})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if at := podsCreated(records); !slices.Equal(at, []time.Duration{0, 0, 10 * time.Second}) {
		t.Errorf("pods were created at %v", at)
	}
}

// TestAPausedLeaderIsReplaced: it cannot renew its lease. What it had under way reaches the server when it continues,
// and by then somebody else leads.
func TestAPausedLeaderIsReplaced(t *testing.T) {
	records, failed, err := plane(t, Options{Replicas: 2, Elect: true},
		func(_ context.Context, _ *sim.Simulation, control *Processes) {
			time.Sleep(10 * time.Second)
			if err := control.Pause(first, noCause); err != nil {
				t.Error(err)
			}
			time.Sleep(30 * time.Second)
			if err := control.Resume(first, noCause); err != nil {
				t.Error(err)
			}
		})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	names, at := holders(records)
	if !slices.Equal(names, []string{first, second}) || at[1] < 23*time.Second || at[1] > 31*time.Second {
		t.Errorf("leaders %v at %v", names, at)
	}
}

// TestACrashOfARenewal ends the leader with a fault of its lease: requests of the election have a network of their own.
func TestACrashOfARenewal(t *testing.T) {
	records, failed, err := plane(t, Options{Replicas: 2, Elect: true},
		func(_ context.Context, world *sim.Simulation, _ *Processes) {
			time.Sleep(10 * time.Second)
			rule := &fault.Rule{
				Name: "crash", Times: 1, Effect: fault.Effect{Crash: true},
				Match: fault.Match{Actor: first, Verb: "update", Group: "coordination.k8s.io", Resource: "leases"},
			}
			world.Engine.Call("arm", func() { world.Arm(rule, 0) })
			time.Sleep(40 * time.Second)
		})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	if names, at := holders(records); !slices.Equal(names, []string{first, second}) || at[1] < 25*time.Second {
		t.Errorf("leaders %v at %v", names, at)
	}
}

// TestARestartedLeaderHasANewIdentity, and so waits until the lease of its former life has run out.
func TestARestartedLeaderHasANewIdentity(t *testing.T) {
	records, failed, err := plane(t, Options{Elect: true},
		func(_ context.Context, _ *sim.Simulation, control *Processes) {
			time.Sleep(10 * time.Second)
			if err := control.Restart(ManagerName, noCause); err != nil {
				t.Error(err)
			}
		})
	if failed != nil || err != nil {
		t.Fatal(failed, err)
	}
	names, at := holders(records)
	if !slices.Equal(names, []string{ManagerName, ManagerName + "_2"}) || at[1] < 23*time.Second {
		t.Errorf("leaders %v at %v", names, at)
	}
}

// scaleWeb sets the size of the Deployment that createWeb makes.
func scaleWeb(ctx context.Context, t *testing.T, world *sim.Simulation, n int) {
	t.Helper()
	patch := fmt.Appendf(nil, `{"spec": {"replicas": %d}}`, n)
	deployments := world.Client("kubectl").AppsV1().Deployments("default")
	if _, err := deployments.Patch(ctx, "web", types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
		t.Error(err)
	}
}
