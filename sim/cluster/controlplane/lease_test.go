package controlplane_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestLeases reads the Leases of a control plane after a while: each is renewed.
func TestLeases(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(begin, func() {
		s, err := sim.New(sim.Options{Seed: 1})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		if err := controlplane.Start(s); err != nil {
			t.Error(err)
			return
		}
		if err := controlplane.KeepLeases(s, []string{"kube-scheduler"}, 10*time.Second); err != nil {
			t.Error(err)
			return
		}
		s.Run(25 * time.Second)
		var got []string
		for _, object := range s.State.List(coordinationv1.Resource("leases"), metav1.NamespaceSystem) {
			lease := object.(*coordinationv1.Lease)
			name, _, _ := strings.Cut(lease.Name, "-")
			holder, id, _ := strings.Cut(*lease.Spec.HolderIdentity, "_")
			if len(id) != 36 {
				t.Errorf("the holder of %s is %s", lease.Name, *lease.Spec.HolderIdentity)
			}
			got = append(got, fmt.Sprintf("%s of %.9s, %d s, renewed after %v",
				name, holder, *lease.Spec.LeaseDurationSeconds, lease.Spec.RenewTime.Sub(begin)))
		}
		want := []string{"apiserver of apiserver, 3600 s, renewed after 20s", "kube of control-p, 15 s, renewed after 20s"}
		if !slices.Equal(got, want) {
			t.Errorf("the Leases are %q, want %q", got, want)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
