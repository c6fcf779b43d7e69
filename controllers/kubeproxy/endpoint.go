package kubeproxy

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/kubernetes/pkg/proxy"
	netutils "k8s.io/utils/net"
)

// Endpoint is one that the EndpointSlices of a Service list.
type Endpoint struct {
	// Address is the IP and the port.
	Address string `json:"address"`
	// Pod and UID are those of the Pod behind it; empty if there is none.
	Pod string `json:"pod,omitempty"`
	UID string `json:"uid,omitempty"`
	// Node and Zone are where it is, if the slice says so.
	Node string `json:"node,omitempty"`
	Zone string `json:"zone,omitempty"`
	// Ready, Serving and Terminating are its conditions, as kube-proxy reads them.
	Ready       bool `json:"ready"`
	Serving     bool `json:"serving"`
	Terminating bool `json:"terminating"`
	// ForZones and ForNodes are its hints.
	ForZones []string `json:"forZones,omitempty"`
	ForNodes []string `json:"forNodes,omitempty"`
	// Local means that it is on the node.
	Local bool `json:"-"`
}

// note keeps what upstream's trackers forget about endpoints. If two have the same address, the tracker takes one that does not terminate.
func note(facts map[string]*discoveryv1.Endpoint, slice *discoveryv1.EndpointSlice) {
	for n := range slice.Endpoints {
		endpoint := &slice.Endpoints[n]
		if len(endpoint.Addresses) == 0 {
			continue
		}
		ip := netutils.ParseIPSloppy(endpoint.Addresses[0]).String()
		if facts[ip] == nil || endpoint.Conditions.Terminating == nil || !*endpoint.Conditions.Terminating {
			facts[ip] = endpoint
		}
	}
}

func endpointOf(e proxy.Endpoint, fact *discoveryv1.Endpoint) Endpoint {
	endpoint := Endpoint{
		Address: e.String(), Ready: e.IsReady(), Serving: e.IsServing(), Terminating: e.IsTerminating(), Local: e.IsLocal(),
		ForZones: sets.List(e.ZoneHints()), ForNodes: sets.List(e.NodeHints()),
	}
	if fact == nil {
		return endpoint
	}
	if fact.NodeName != nil {
		endpoint.Node = *fact.NodeName
	}
	if fact.Zone != nil {
		endpoint.Zone = *fact.Zone
	}
	if of := fact.TargetRef; of != nil && of.Kind == "Pod" {
		endpoint.Pod, endpoint.UID = of.Name, string(of.UID)
	}
	return endpoint
}

// HintMode is which hints of endpoints decide on a node.
type HintMode string

// The modes have the names of spec.trafficDistribution.
const (
	NoHints  HintMode = ""
	SameZone HintMode = "PreferSameZone"
	SameNode HintMode = "PreferSameNode"
)

// Ignored is why hints for zones that endpoints have do not decide.
type Ignored string

// The reasons, as in topologyModeFromHints of pkg/proxy/topology.go.
const (
	SomeWithout Ignored = "SomeWithoutHint"
	NodeNoZone  Ignored = "NodeWithoutZone"
	NoneForZone Ignored = "NoHintForZone"
)

// Hints say what the hints of the ready endpoints do on a node, for traffic with the policy Cluster.
type Hints struct {
	Mode HintMode
	// Zone is that of the node.
	Zone string
	// Ignored is set if some endpoint has a hint for a zone, and Mode is NoHints.
	Ignored Ignored
}

// hintsOf finds out which hints upstream has applied: its choice does not say. Those for nodes are asked first, and either count only if
// all ready endpoints have them, and one of them is for this node or its zone.
func hintsOf(listed, chosen []proxy.Endpoint, node *corev1.Node) Hints {
	h := Hints{Zone: node.Labels[corev1.LabelTopologyZone]}
	ready := slices.DeleteFunc(slices.Clone(listed), func(e proxy.Endpoint) bool { return !e.IsReady() })
	if len(ready) == 0 || chosen == nil {
		return h
	}
	all := func(of func(proxy.Endpoint) sets.Set[string]) bool {
		return !slices.ContainsFunc(ready, func(e proxy.Endpoint) bool { return of(e).Len() == 0 })
	}
	some := func(of func(proxy.Endpoint) sets.Set[string], name string) bool {
		return slices.ContainsFunc(ready, func(e proxy.Endpoint) bool { return of(e).Has(name) })
	}
	zones := slices.ContainsFunc(ready, func(e proxy.Endpoint) bool { return e.ZoneHints().Len() > 0 })
	switch {
	case all(proxy.Endpoint.NodeHints) && some(proxy.Endpoint.NodeHints, node.Name):
		h.Mode = SameNode
	case all(proxy.Endpoint.ZoneHints) && some(proxy.Endpoint.ZoneHints, h.Zone):
		h.Mode = SameZone
	case !zones:
	case !all(proxy.Endpoint.ZoneHints):
		h.Ignored = SomeWithout
	case h.Zone == "":
		h.Ignored = NodeNoZone
	default:
		h.Ignored = NoneForZone
	}
	return h
}
