package controlplane_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/engine"
)

// TestServiceKubernetes reads the Service in a dual-stack cluster, deletes it, and finds it again ten seconds later,
// with the same address.
func TestServiceKubernetes(t *testing.T) {
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(begin, func() {
		const subnet = "10.50.0.0/16,fd00:10:50::/112"
		s, err := sim.New(sim.Options{Seed: 1, Server: apiserver.Options{ServiceSubnet: subnet}})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		if err := controlplane.Start(s); err != nil {
			t.Error(err)
			return
		}
		address := func() string {
			found, ok := s.State.Get(schema.GroupResource{Resource: "services"}, "default", "kubernetes")
			if !ok {
				return ""
			}
			return found.(*corev1.Service).Spec.ClusterIP
		}
		if got := address(); got != "10.50.0.1" {
			t.Errorf("the address is %q", got)
		}
		ranges := s.State.List(schema.GroupResource{Group: networkingv1.GroupName, Resource: "servicecidrs"}, "")
		if len(ranges) != 1 || len(ranges[0].(*networkingv1.ServiceCIDR).Spec.CIDRs) != 2 {
			t.Errorf("the ranges are %v", ranges)
		}
		s.Engine.At(3*time.Second, "delete", func() {
			if _, err := s.Execute(apiserver.Request{
				Actor: "kubectl", Verb: "delete", Resource: corev1.SchemeGroupVersion.WithResource("services"),
				Namespace: "default", Name: "kubernetes",
			}, 0, false); err != nil || address() != "" {
				t.Errorf("deleting it: %v", err)
			}
		})
		s.Run(9 * time.Second)
		if address() != "" {
			t.Error("the Service is back before anybody has looked")
		}
		s.Run(11 * time.Second)
		if got := address(); got != "10.50.0.1" {
			t.Errorf("the address is %q again", got)
		}
	}); err != nil {
		t.Fatal(err)
	}
}
