package controlplane_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/version"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	featuregatetesting "k8s.io/component-base/featuregate/testing"

	"github.com/kubestep/kubestep/sim"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/cluster/controlplane"
	"github.com/kubestep/kubestep/sim/engine"
)

var (
	serviceCIDRs = networkingv1.SchemeGroupVersion.WithResource("servicecidrs")
	ipAddresses  = networkingv1.SchemeGroupVersion.WithResource("ipaddresses")
	services     = corev1.SchemeGroupVersion.WithResource("services")
)

// inControlPlane calls f with a control plane whose API server has this service subnet. before is called first.
func inControlPlane(t *testing.T, subnet string, before, f func(*sim.Simulation)) {
	t.Helper()
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if err := engine.Bubble(begin, func() {
		s, err := sim.New(sim.Options{Seed: 1, Server: apiserver.Options{ServiceSubnet: subnet}})
		if err != nil {
			t.Error(err)
			return
		}
		defer s.End()
		before(s)
		if err := controlplane.Start(s); err != nil {
			t.Error(err)
			return
		}
		f(s)
	}); err != nil {
		t.Fatal(err)
	}
}

// describe says what a cluster has: the ranges of the ServiceCIDR kubernetes, whether it is ready, and the IPAddresses.
func describe(s *sim.Simulation) string {
	var out []string
	for _, object := range s.State.List(serviceCIDRs.GroupResource(), "") {
		cidr := object.(*networkingv1.ServiceCIDR)
		ready := meta.IsStatusConditionTrue(cidr.Status.Conditions, networkingv1.ServiceCIDRConditionReady)
		out = append(out, fmt.Sprintf("%s %s ready=%t", cidr.Name, strings.Join(cidr.Spec.CIDRs, ","), ready))
	}
	for _, object := range s.State.List(ipAddresses.GroupResource(), "") {
		address := object.(*networkingv1.IPAddress)
		out = append(out, address.Name+" of "+address.Spec.ParentRef.Name)
	}
	return strings.Join(out, "; ")
}

func do(t *testing.T, s *sim.Simulation, verb string, object *networkingv1.ServiceCIDR) {
	t.Helper()
	request := apiserver.Request{Actor: "kubectl", Verb: verb, Resource: serviceCIDRs, Name: object.Name, Object: object}
	if _, err := s.Execute(request, 0, false); err != nil {
		t.Errorf("%s %s: %v", verb, object.Name, err)
	}
}

// TestServiceCIDR starts API servers on the store of another one. One with a second range adds it to the ServiceCIDR;
// one without it leaves the ServiceCIDR as it is.
func TestServiceCIDR(t *testing.T) {
	for _, c := range []struct{ name, before, flag, want string }{
		{"first start", "", "10.50.0.0/24", "kubernetes 10.50.0.0/24 ready=true; 10.50.0.1 of kubernetes"},
		{
			"second range", "10.50.0.0/24", "10.50.0.0/24,fd00::/112",
			"kubernetes 10.50.0.0/24,fd00::/112 ready=true; 10.50.0.1 of kubernetes",
		},
		{
			"one range less", "10.50.0.0/24,fd00::/112", "10.50.0.0/24",
			"kubernetes 10.50.0.0/24,fd00::/112 ready=true; 10.50.0.1 of kubernetes",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			left := func(s *sim.Simulation) {
				if c.before == "" {
					return
				}
				cidr := &networkingv1.ServiceCIDR{
					ObjectMeta: metav1.ObjectMeta{Name: "kubernetes"},
					Spec:       networkingv1.ServiceCIDRSpec{CIDRs: strings.Split(c.before, ",")},
					Status: networkingv1.ServiceCIDRStatus{
						Conditions: []metav1.Condition{{Type: networkingv1.ServiceCIDRConditionReady, Status: metav1.ConditionTrue}},
					},
				}
				if err := s.Restore(apiserver.Request{Resource: serviceCIDRs, Name: cidr.Name, Object: cidr}); err != nil {
					t.Error(err)
				}
			}
			inControlPlane(t, c.flag, left, func(s *sim.Simulation) {
				if got := describe(s); got != c.want {
					t.Errorf("got  %s\nwant %s", got, c.want)
				}
			})
		})
	}
}

// TestServiceCIDRIsCreatedAgain deletes the ServiceCIDR kubernetes, which comes back with the next look. One without
// conditions becomes ready.
func TestServiceCIDRIsCreatedAgain(t *testing.T) {
	nothing := func(*sim.Simulation) {}
	inControlPlane(t, "10.50.0.0/24", nothing, func(s *sim.Simulation) {
		s.Engine.At(3*time.Second, "delete", func() {
			do(t, s, "delete", &networkingv1.ServiceCIDR{ObjectMeta: metav1.ObjectMeta{Name: "kubernetes"}})
		})
		s.Run(9 * time.Second)
		if got := describe(s); got != "10.50.0.1 of kubernetes" {
			t.Errorf("before the loop looks: %s", got)
		}
		s.Run(11 * time.Second)
		if got := describe(s); got != "kubernetes 10.50.0.0/24 ready=true; 10.50.0.1 of kubernetes" {
			t.Errorf("after the loop has looked: %s", got)
		}
	})
}

// TestFixedRange emulates a version without ServiceCIDRs on a store with a Service: nothing else gets its address.
func TestFixedRange(t *testing.T) {
	featuregatetesting.SetFeatureGateEmulationVersionDuringTest(t, utilfeature.DefaultFeatureGate, version.MustParse("1.32"))
	service := func(name, address string) apiserver.Request {
		return apiserver.Request{
			Actor: "kubectl", Verb: "create", Resource: services, Namespace: "default", Name: name,
			Object: &corev1.Service{
				ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "default"},
				Spec:       corev1.ServiceSpec{ClusterIP: address, Ports: []corev1.ServicePort{{Port: 80}}},
			},
		}
	}
	left := func(s *sim.Simulation) {
		if err := s.Restore(service("old", "10.50.0.7")); err != nil {
			t.Error(err)
		}
	}
	inControlPlane(t, "10.50.0.0/24", left, func(s *sim.Simulation) {
		if got := describe(s); got != "" {
			t.Errorf("the cluster has %s", got)
		}
		kubernetes, found := s.State.Get(services.GroupResource(), "default", "kubernetes")
		if !found || kubernetes.(*corev1.Service).Spec.ClusterIP != "10.50.0.1" {
			t.Errorf("the Service kubernetes is %v", kubernetes)
		}
		for address, refusal := range map[string]string{
			"10.50.0.7": "provided IP is already allocated", "10.60.0.7": "not in the valid range", "10.50.0.8": "",
		} {
			_, err := s.Execute(service("new", address), 0, false)
			if refused := err != nil; refused != (refusal != "") || refused && !strings.Contains(err.Error(), refusal) {
				t.Errorf("a Service with the address %s: %v", address, err)
			}
		}
	})
}
