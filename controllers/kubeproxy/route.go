package kubeproxy

import (
	"slices"

	"k8s.io/kubernetes/pkg/proxy"
)

// Policy is a traffic policy of a Service.
type Policy string

// The policies: all endpoints, or those on the node alone.
const (
	Cluster Policy = "Cluster"
	Local   Policy = "Local"
)

// Verdict is what a node does with a connection.
type Verdict string

// The verdicts. A connection that is rejected fails at once, one that is dropped when the client's time is over.
const (
	Forward Verdict = "forward"
	Reject  Verdict = "reject"
	Drop    Verdict = "drop"
)

// Route is what a node does with connections of one kind.
type Route struct {
	Policy  Policy
	Verdict Verdict
	// Chosen are the addresses of the endpoints of which one gets a connection, sorted. All have the same share.
	Chosen []string
}

// routeOf is what syncProxyRules of the proxiers makes of the chosen endpoints. usable means that any node has an endpoint to choose.
func routeOf(policy Policy, chosen []proxy.Endpoint, usable bool) Route {
	r := Route{Policy: policy, Verdict: Forward, Chosen: []string{}}
	for _, endpoint := range chosen {
		r.Chosen = append(r.Chosen, endpoint.String())
	}
	slices.Sort(r.Chosen)
	switch {
	case !usable:
		r.Verdict = Reject
	case len(chosen) == 0:
		r.Verdict = Drop
	}
	return r
}

// Has reports whether an endpoint is chosen.
func (r *Route) Has(e Endpoint) bool {
	_, has := slices.BinarySearch(r.Chosen, e.Address)
	return has
}

// Reason is why an endpoint is chosen or left out.
type Reason string

// The reasons of endpoints that are chosen.
const (
	// IsReady is that of an endpoint which is ready.
	IsReady Reason = "Ready"
	// NoneReady is that of a terminating endpoint that still serves, where no endpoint is ready: on the node with the policy Local,
	// anywhere otherwise (KEP-1669).
	NoneReady Reason = "NoneReady"
)

// The reasons of endpoints that are left out.
const (
	NotReady     Reason = "NotReady"
	NotServing   Reason = "TerminatingNotServing"
	OthersReady  Reason = "TerminatingOthersReady"
	OnOtherNode  Reason = "OnOtherNode"
	ForOtherZone Reason = "HintForOtherZone"
	ForOtherNode Reason = "HintForOtherNode"
)

// Reason says why a route has or does not have an endpoint of its port.
func (p *Port) Reason(r *Route, e Endpoint) Reason {
	switch chosen := r.Has(e); {
	case chosen && e.Ready:
		return IsReady
	case chosen:
		return NoneReady
	case r.Policy == Local && !e.Local:
		return OnOtherNode
	case e.Ready && p.Hints.Mode == SameNode:
		return ForOtherNode
	case e.Ready:
		return ForOtherZone
	case e.Terminating && e.Serving:
		return OthersReady
	case e.Terminating:
		return NotServing
	}
	return NotReady
}
