//go:build linux

package controllers

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/engine/activity"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestAKubeletThatExitsStartsAgain: os.Exit of a kubelet ends its process alone, and systemd starts it again.
func TestAKubeletThatExitsStartsAgain(t *testing.T) {
	records, fault, err := plane(t, withKubelets(t), func(_ context.Context, world *sim.Simulation, _ *Processes) {
		time.Sleep(10 * time.Second)
		world.Go(KubeletActor("a"), func(context.Context) {
			world.Activities.Enter(&activity.Activity{Actor: KubeletActor("a")})
			os.Exit(7)
		})
		time.Sleep(20 * time.Second)
	})
	if fault != nil || err != nil {
		t.Fatal(fault, err)
	}
	var exited, again time.Duration
	for _, r := range records {
		switch {
		case r.Log != nil && r.Log.Exit() == "exited with code 7" && r.Actor == KubeletActor("a"):
			exited = r.At
		case r.Fault != nil && r.Fault.Effect == trace.EffectRestart && r.Actor == KubeletProcess("a"):
			again = r.At
		}
	}
	if exited == 0 || again-exited != restartSec {
		t.Errorf("exited at %s, and started again at %s", exited, again)
	}
}
