package kubeproxy_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers/kubeproxy"
)

// TestReasonsAgreeWithUpstream generates Services, EndpointSlices and nodes, and compares what this package says about upstream's choice
// with that choice: the mode of the hints, which upstream does not report, and the reason of each endpoint.
func TestReasonsAgreeWithUpstream(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	counts := map[string]int{}
	for range 20000 {
		service, slice, node := generate(r)
		d := kubeproxy.NewObjects(service, []*discoveryv1.EndpointSlice{slice}).Decide(node)
		if len(d.Ports) != 1 {
			t.Fatalf("%d ports of %v", len(d.Ports), service.Spec)
		}
		p := &d.Ports[0]
		routes := []*kubeproxy.Route{&p.Internal}
		if p.FromOutside != nil {
			routes = append(routes, p.FromOutside)
		}
		for _, route := range routes {
			check(t, p, route, counts)
		}
		checkHealth(t, &d, p)
	}
	t.Logf("%v", counts)
	for _, of := range []string{
		"forward", "drop", "reject", "Ready", "NoneReady", "NotReady", "TerminatingNotServing", "TerminatingOthersReady", "OnOtherNode",
		"HintForOtherZone", "HintForOtherNode", "PreferSameZone", "PreferSameNode", "SomeWithoutHint", "NodeWithoutZone", "NoHintForZone",
	} {
		if counts[of] == 0 {
			t.Errorf("no generated case has %s", of)
		}
	}
}

// check compares one route with the facts about its endpoints.
func check(t *testing.T, p *kubeproxy.Port, route *kubeproxy.Route, counts map[string]int) {
	t.Helper()
	counts[string(route.Verdict)]++
	counts[string(p.Hints.Mode)]++
	counts[string(p.Hints.Ignored)]++
	ready, local := 0, func(e kubeproxy.Endpoint) bool { return route.Policy == kubeproxy.Cluster || e.Local }
	hinted := func(e kubeproxy.Endpoint) bool {
		switch {
		case route.Policy == kubeproxy.Local, p.Hints.Mode == kubeproxy.NoHints:
			return true
		case p.Hints.Mode == kubeproxy.SameNode:
			return slices.Contains(e.ForNodes, node)
		}
		return slices.Contains(e.ForZones, p.Hints.Zone)
	}
	for _, e := range p.Endpoints {
		if e.Ready && local(e) {
			ready++
		}
	}
	chosen := 0
	for _, e := range p.Endpoints {
		reason := p.Reason(route, e)
		counts[string(reason)]++
		want := e.Ready && hinted(e)
		if ready == 0 {
			want = e.Serving && e.Terminating
		}
		want = want && local(e)
		if want {
			chosen++
		}
		if has := route.Has(e); has != want {
			t.Errorf("upstream's choice of %+v is %v, but its facts say %v: %+v %+v", e, has, want, route, p.Hints)
		}
		if is := reason == kubeproxy.IsReady || reason == kubeproxy.NoneReady; is != want {
			t.Errorf("the reason of %+v is %s, and it is chosen: %v", e, reason, want)
		}
	}
	if (route.Verdict == kubeproxy.Forward) != (chosen > 0) || chosen != len(route.Chosen) {
		t.Errorf("%s with %d chosen endpoints, not %d", route.Verdict, len(route.Chosen), chosen)
	}
	anywhere := slices.ContainsFunc(p.Endpoints, func(e kubeproxy.Endpoint) bool { return e.Ready || e.Serving && e.Terminating })
	if route.Policy == kubeproxy.Local && p.FromOutside != nil && (route.Verdict == kubeproxy.Reject) == anywhere {
		t.Errorf("%s, and usable endpoints anywhere: %v", route.Verdict, anywhere)
	}
}

// checkHealth compares the answer to a load balancer with the ready endpoints on the node.
func checkHealth(t *testing.T, d *kubeproxy.Decision, p *kubeproxy.Port) {
	t.Helper()
	if d.Health == nil {
		return
	}
	ready := 0
	for _, e := range p.Endpoints {
		if e.Local && e.Ready {
			ready++
		}
	}
	if d.Health.Local != ready || (d.Health.Code == 200) != (ready > 0) {
		t.Errorf("%+v, with %d ready endpoints on the node", d.Health, ready)
	}
}

// node is the name of the node that decides.
const node = "node-1"

// generate makes a Service with up to four endpoints on two nodes in two zones.
func generate(r *rand.Rand) (*corev1.Service, *discoveryv1.EndpointSlice, *corev1.Node) {
	policies := []corev1.ServiceInternalTrafficPolicy{corev1.ServiceInternalTrafficPolicyCluster, corev1.ServiceInternalTrafficPolicyLocal}
	service := &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default"}, Spec: corev1.ServiceSpec{
		ClusterIP: "10.96.0.1", ClusterIPs: []string{"10.96.0.1"}, IPFamilies: []corev1.IPFamily{corev1.IPv4Protocol},
		InternalTrafficPolicy: &policies[r.IntN(2)], Ports: []corev1.ServicePort{{Port: 80}},
	}}
	if r.IntN(2) == 0 {
		service.Spec.Type, service.Spec.Ports[0].NodePort, service.Spec.HealthCheckNodePort = corev1.ServiceTypeLoadBalancer, 30080, 32000
		external := []corev1.ServiceExternalTrafficPolicy{corev1.ServiceExternalTrafficPolicyCluster, corev1.ServiceExternalTrafficPolicyLocal}
		service.Spec.ExternalTrafficPolicy = external[r.IntN(2)]
	}
	name, port := "", int32(8080)
	slice := &discoveryv1.EndpointSlice{
		ObjectMeta:  metav1.ObjectMeta{Name: "web", Namespace: "default", Labels: map[string]string{discoveryv1.LabelServiceName: "web"}},
		AddressType: discoveryv1.AddressTypeIPv4, Ports: []discoveryv1.EndpointPort{{Name: &name, Port: &port}},
	}
	flag := func() *bool { is := r.IntN(2) == 0; return &is }
	// Most slices have hints everywhere.
	zones, nodes := r.IntN(3) > 0, r.IntN(3) > 0
	for n := range r.IntN(5) {
		on := fmt.Sprintf("node-%d", 1+r.IntN(2))
		e := discoveryv1.Endpoint{Addresses: []string{fmt.Sprintf("10.0.0.%d", n+1)}, NodeName: &on, Hints: &discoveryv1.EndpointHints{}}
		e.Conditions = discoveryv1.EndpointConditions{Ready: flag(), Serving: flag(), Terminating: flag()}
		if *e.Conditions.Terminating {
			*e.Conditions.Ready = false
		}
		if zones && r.IntN(8) > 0 {
			e.Hints.ForZones = []discoveryv1.ForZone{{Name: fmt.Sprintf("zone-%d", 1+r.IntN(2))}}
		}
		if nodes && r.IntN(8) > 0 {
			e.Hints.ForNodes = []discoveryv1.ForNode{{Name: fmt.Sprintf("node-%d", 1+r.IntN(2))}}
		}
		slice.Endpoints = append(slice.Endpoints, e)
	}
	labels := map[string]string{}
	if r.IntN(4) > 0 {
		labels[corev1.LabelTopologyZone] = "zone-1"
	}
	return service, slice, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: node, Labels: labels}}
}

// TestHostileObjects has objects of a trace that nobody has checked.
func TestHostileObjects(t *testing.T) {
	service, slice, node := generate(rand.New(rand.NewPCG(3, 4)))
	service.Spec.SessionAffinity, slice.Ports[0].Protocol = corev1.ServiceAffinityClientIP, nil
	slice.Endpoints = []discoveryv1.Endpoint{{}, {Addresses: []string{"nowhere"}}, {Addresses: []string{"10.0.0.9"}}}
	slice.Ports = append(slice.Ports, discoveryv1.EndpointPort{}, discoveryv1.EndpointPort{Name: slice.Ports[0].Name})
	d := kubeproxy.NewObjects(service, []*discoveryv1.EndpointSlice{slice, {}}).Decide(node)
	if len(d.Ports) != 1 || d.Ports[0].AffinitySeconds != 10800 {
		t.Errorf("%+v", d)
	}
}
