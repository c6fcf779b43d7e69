package kubeproxy

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/types"
	corev1defaults "k8s.io/kubernetes/pkg/apis/core/v1"
	discoveryv1defaults "k8s.io/kubernetes/pkg/apis/discovery/v1"
	"k8s.io/kubernetes/pkg/proxy"
	"k8s.io/kubernetes/pkg/proxy/apis"
)

// Decision is what the kube-proxy of one node does for a Service.
type Decision struct {
	// Unproxied says why it does nothing; empty if it does.
	Unproxied Unproxied
	// Ports are those of the Service, by family, in the order of the Service.
	Ports []Port
	// Health is what the node answers on spec.healthCheckNodePort; nil if the Service has none.
	Health *Health
}

// Unproxied is why no kube-proxy handles a Service.
type Unproxied string

// The reasons, as in ShouldSkipService of pkg/proxy/util and in the informers of cmd/kube-proxy.
const (
	Headless      Unproxied = "Headless"
	ExternalName  Unproxied = "ExternalName"
	NoClusterIP   Unproxied = "NoClusterIP"
	AnotherProxy  Unproxied = "AnotherProxy"
	NoServicePort Unproxied = "NoPort"
)

// Port is one port of a Service in one address family.
type Port struct {
	Name     string
	Protocol corev1.Protocol
	Family   corev1.IPFamily
	// Number is the port of the cluster IP, and NodePort that of the nodes; 0 if there is none.
	Number, NodePort int
	ClusterIP        string
	// External are the external IPs of the Service, and those of its load balancer.
	External []string
	// AffinitySeconds is for how long after its last connection a client keeps its endpoint, with sessionAffinity ClientIP; 0 without it.
	AffinitySeconds int
	// Endpoints are all that the EndpointSlices list for the port.
	Endpoints []Endpoint
	// Internal is for connections from the node and its Pods to the cluster IP.
	Internal Route
	// FromOutside is for connections from outside of the cluster that arrive at the node; nil if there is no address for them.
	FromOutside *Route
	// FromPods is for connections from Pods to the addresses and the ports of FromOutside: with the policy Local, too, they reach all
	// endpoints ("pod traffic for external destinations" in syncProxyRules of pkg/proxy/iptables). It is nil where FromOutside is.
	FromPods *Route
	Hints    Hints
}

// Health is the answer of a node to the health check of a load balancer, if its kube-proxy is healthy: 200 with at least one
// ready endpoint on the node, 503 otherwise (pkg/proxy/healthcheck). Terminating endpoints do not count, also while they are used.
type Health struct {
	NodePort int `json:"nodePort"`
	// Local is how many endpoints on the node are ready.
	Local int `json:"localEndpoints"`
	Code  int `json:"code"`
}

// Objects are those of a Service that every kube-proxy receives.
type Objects struct {
	service *corev1.Service
	slices  []*discoveryv1.EndpointSlice
}

// NewObjects takes a Service, and EndpointSlices of which those of the Service count. They get the defaults of the API server, which
// upstream relies on: a recording can come from anywhere.
func NewObjects(service *corev1.Service, slices []*discoveryv1.EndpointSlice) *Objects {
	o := &Objects{service: service.DeepCopy()}
	corev1defaults.SetObjectDefaults_Service(o.service)
	for _, slice := range slices {
		if isOf(slice, service) {
			slice = slice.DeepCopy()
			discoveryv1defaults.SetObjectDefaults_EndpointSlice(slice)
			o.slices = append(o.slices, slice)
		}
	}
	return o
}

// Decide asks upstream what the kube-proxy of a node does, after it has received all objects and written its rules.
func (o *Objects) Decide(node *corev1.Node) Decision {
	d := Decision{Unproxied: unproxied(o.service)}
	if d.Unproxied != "" {
		return d
	}
	for _, family := range familiesOf(o.service) {
		d.add(o, family, node)
	}
	if len(d.Ports) == 0 {
		d.Unproxied = NoClusterIP
	}
	return d
}

// unproxied is what the informers of kube-proxy select by labels, and what its tracker leaves out.
func unproxied(service *corev1.Service) Unproxied {
	switch {
	case service.Spec.Type == corev1.ServiceTypeExternalName:
		return ExternalName
	case service.Spec.ClusterIP == corev1.ClusterIPNone:
		return Headless
	case hasLabel(service.Labels, apis.LabelServiceProxyName):
		return AnotherProxy
	case service.Spec.ClusterIP == "":
		return NoClusterIP
	case len(service.Spec.Ports) == 0:
		return NoServicePort
	}
	return ""
}

func hasLabel(labels map[string]string, name string) bool { _, has := labels[name]; return has }

// familiesOf are the address families of a Service. One of an old cluster may not say.
func familiesOf(service *corev1.Service) []corev1.IPFamily {
	if len(service.Spec.IPFamilies) > 0 {
		return service.Spec.IPFamilies
	}
	return []corev1.IPFamily{corev1.IPv4Protocol, corev1.IPv6Protocol}
}

// add asks the trackers of one family, as the proxier of a family has them.
func (d *Decision) add(o *Objects, family corev1.IPFamily, node *corev1.Node) {
	service := o.service
	name := types.NamespacedName{Namespace: service.Namespace, Name: service.Name}
	changes, ports := proxy.NewServiceChangeTracker(family, nil, nil), proxy.ServicePortMap{}
	changes.Update(nil, service)
	ports.Update(changes)
	listed, endpoints := proxy.NewEndpointsChangeTracker(family, node.Name, nil, nil), proxy.EndpointsMap{}
	facts := map[string]*discoveryv1.Endpoint{}
	for _, slice := range o.slices {
		listed.EndpointSliceUpdate(slice, false)
		note(facts, slice)
	}
	endpoints.Update(listed)
	for _, spec := range service.Spec.Ports {
		of := proxy.ServicePortName{NamespacedName: name, Port: spec.Name, Protocol: spec.Protocol}
		if info := ports[of]; info != nil {
			d.Ports = append(d.Ports, portOf(of, info, family, endpoints[of], facts, node))
		}
	}
	if number := ports.HealthCheckNodePorts()[name]; number != 0 && d.Health == nil {
		d.Health = &Health{NodePort: int(number), Local: endpoints.LocalReadyEndpoints()[name], Code: 503}
		if d.Health.Local > 0 {
			d.Health.Code = 200
		}
	}
}

// isOf reports whether a slice is one that kube-proxy receives, and of the Service.
func isOf(slice *discoveryv1.EndpointSlice, service *corev1.Service) bool {
	return slice.Namespace == service.Namespace && slice.Labels[discoveryv1.LabelServiceName] == service.Name &&
		!hasLabel(slice.Labels, apis.LabelServiceProxyName) && !hasLabel(slice.Labels, corev1.IsHeadlessService)
}

// portOf has upstream choose, for one port.
func portOf(name proxy.ServicePortName, info proxy.ServicePort, family corev1.IPFamily, listed []proxy.Endpoint,
	facts map[string]*discoveryv1.Endpoint, node *corev1.Node,
) Port {
	cluster, local, _, usable := proxy.CategorizeEndpoints(listed, info, node.Name, node.Labels)
	p := Port{
		Name: name.Port, Protocol: name.Protocol, Family: family, Number: info.Port(), NodePort: info.NodePort(),
		ClusterIP: info.ClusterIP().String(), Hints: hintsOf(listed, cluster, node),
	}
	if info.SessionAffinityType() == corev1.ServiceAffinityClientIP {
		p.AffinitySeconds = info.StickyMaxAgeSeconds()
	}
	for _, ip := range slices.Concat(info.ExternalIPs(), info.LoadBalancerVIPs()) {
		p.External = append(p.External, ip.String())
	}
	for _, endpoint := range listed {
		p.Endpoints = append(p.Endpoints, endpointOf(endpoint, facts[endpoint.IP()]))
	}
	choose := func(isLocal bool) Route {
		if isLocal {
			return routeOf(Local, local, usable)
		}
		return routeOf(Cluster, cluster, usable)
	}
	p.Internal = choose(info.InternalPolicyLocal())
	if info.ExternallyAccessible() {
		route := choose(info.ExternalPolicyLocal())
		fromPods := choose(false)
		p.FromOutside, p.FromPods = &route, &fromPods
	}
	return p
}
