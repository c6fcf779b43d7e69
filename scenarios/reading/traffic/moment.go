package traffic

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubestep/kubestep/controllers/kubeproxy"
	"github.com/kubestep/kubestep/scenarios/language/manifest"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// The resources that decide.
const (
	services       = "services"
	endpointSlices = "endpointslices.discovery.k8s.io"
	nodes          = "nodes"
	pods           = "pods"
)

// Traffic is a recording with the connections to one of its Services.
type Traffic struct {
	rec     *recording.Recording
	service trace.Object
}

// New returns the Traffic of a Service.
func New(rec *recording.Recording, service trace.Object) *Traffic { return &Traffic{rec, service} }

// Moment is what the kube-proxies do after one record.
type Moment struct {
	Service trace.Object  `json:"service"`
	At      time.Duration `json:"at"`
	// Unproxied says why they do nothing; empty if they do.
	Unproxied kubeproxy.Unproxied `json:"unproxied,omitempty"`
	// ExternalName is the name that the Service stands for, if it is of that type.
	ExternalName string `json:"externalName,omitempty"`
	// NoSelector means that others than endpointslice-controller write the EndpointSlices.
	NoSelector bool   `json:"noSelector,omitempty"`
	Ports      []Port `json:"ports"`
	// Health are the answers on spec.healthCheckNodePort, by node.
	Health []Health `json:"healthCheck,omitempty"`
	// undated means that the state is that of a dump.
	undated bool
}

// Port is one port of the Service in one address family.
type Port struct {
	Name      string          `json:"name,omitempty"`
	Protocol  corev1.Protocol `json:"protocol"`
	Family    corev1.IPFamily `json:"family"`
	ClusterIP string          `json:"clusterIP"`
	Port      int             `json:"port"`
	NodePort  int             `json:"nodePort,omitempty"`
	External  []string        `json:"externalIPs,omitempty"`
	// AffinitySeconds is for how long after its last connection a client keeps its endpoint; 0 if it does not.
	AffinitySeconds int                  `json:"affinitySeconds,omitempty"`
	Endpoints       []kubeproxy.Endpoint `json:"endpoints"`
	Nodes           []Node               `json:"nodes"`
}

// Node is what the kube-proxy of one node does for a port.
type Node struct {
	Name string `json:"name"`
	Zone string `json:"zone,omitempty"`
	// Hints is which hints of the endpoints decide, and IgnoredHints why those for zones do not.
	Hints        kubeproxy.HintMode `json:"hints,omitempty"`
	IgnoredHints kubeproxy.Ignored  `json:"ignoredHints,omitempty"`
	Internal     Route              `json:"internal"`
	External     *Route             `json:"external,omitempty"`
}

// Route is what a node does with connections to the cluster IP, or with those from outside of the cluster.
type Route struct {
	Policy  kubeproxy.Policy  `json:"policy"`
	Verdict kubeproxy.Verdict `json:"verdict"`
	Choices []Choice          `json:"choices"`
}

// Choice is an endpoint that a node chooses or leaves out.
type Choice struct {
	Address string           `json:"address"`
	Pod     string           `json:"pod,omitempty"`
	Chosen  bool             `json:"chosen"`
	Reason  kubeproxy.Reason `json:"reason"`
}

// Health is what a node answers to the health check of a load balancer.
type Health struct {
	Node string `json:"node"`
	kubeproxy.Health
}

// At is the moment after record seq, at a time that is not after the next record. The Service exists then.
func (t *Traffic) At(seq int64, at time.Duration) *Moment {
	service, of := t.objectsAt(seq)
	m := &Moment{Service: t.service, At: at, Ports: []Port{}}
	if service == nil {
		return m
	}
	m.NoSelector = len(service.Spec.Selector) == 0 && service.Spec.Type != corev1.ServiceTypeExternalName
	m.ExternalName = service.Spec.ExternalName
	for _, node := range t.nodesAt(seq) {
		m.add(node, of.Decide(node))
	}
	if len(m.Ports) == 0 {
		m.Unproxied = of.Decide(&corev1.Node{}).Unproxied
	}
	return m
}

// add adds what one node does.
func (m *Moment) add(node *corev1.Node, d kubeproxy.Decision) {
	m.Unproxied = d.Unproxied
	for n := range d.Ports {
		p := &d.Ports[n]
		if n == len(m.Ports) {
			m.Ports = append(m.Ports, Port{
				Name: p.Name, Protocol: p.Protocol, Family: p.Family, ClusterIP: p.ClusterIP, Port: p.Number, NodePort: p.NodePort,
				External: p.External, AffinitySeconds: p.AffinitySeconds, Endpoints: slices.Concat([]kubeproxy.Endpoint{}, p.Endpoints),
			})
		}
		of := Node{
			Name: node.Name, Zone: p.Hints.Zone, Hints: p.Hints.Mode, IgnoredHints: p.Hints.Ignored, Internal: routeOf(p, &p.Internal),
		}
		if p.FromOutside != nil {
			route := routeOf(p, p.FromOutside)
			of.External = &route
		}
		m.Ports[n].Nodes = append(m.Ports[n].Nodes, of)
	}
	if d.Health != nil {
		m.Health = append(m.Health, Health{node.Name, *d.Health})
	}
}

func routeOf(p *kubeproxy.Port, r *kubeproxy.Route) Route {
	route := Route{Policy: r.Policy, Verdict: r.Verdict, Choices: []Choice{}}
	for _, e := range p.Endpoints {
		route.Choices = append(route.Choices, Choice{e.Address, e.Pod, r.Has(e), p.Reason(r, e)})
	}
	return route
}

// OnNode leaves the decisions of one node, and reports whether there is such a node.
func (m *Moment) OnNode(name string) bool {
	found := false
	for n := range m.Ports {
		m.Ports[n].Nodes = slices.DeleteFunc(m.Ports[n].Nodes, func(of Node) bool { return of.Name != name })
		found = found || len(m.Ports[n].Nodes) > 0
	}
	m.Health = slices.DeleteFunc(m.Health, func(of Health) bool { return of.Node != name })
	return found
}

// OfDump says that the state is that of a dump, which has no virtual time.
func (m *Moment) OfDump() { m.undated = true }

// objectsAt are the Service after a record, and what all kube-proxies have received of it; nil if there is no Service.
func (t *Traffic) objectsAt(seq int64) (*corev1.Service, *kubeproxy.Objects) {
	service, ok := t.typed(t.service, seq).(*corev1.Service)
	if !ok {
		return nil, nil
	}
	var all []*discoveryv1.EndpointSlice
	for _, o := range t.rec.Replay.Objects(endpointSlices, seq) {
		if o.Namespace != t.service.Namespace {
			continue
		}
		if slice, ok := t.typed(o, seq).(*discoveryv1.EndpointSlice); ok {
			all = append(all, slice)
		}
	}
	return service, kubeproxy.NewObjects(service, all)
}

// typed is an object after a record; nil if it does not exist then, or does not fit its type.
func (t *Traffic) typed(o trace.Object, seq int64) any {
	fields := t.rec.Replay.ObjectAt(o, seq)
	if fields == nil {
		return nil
	}
	return manifest.Typed(o.Resource, fields)
}

// nodesAt are the nodes after a record, with what kube-proxy knows of them: their names and labels.
func (t *Traffic) nodesAt(seq int64) []*corev1.Node {
	var all []*corev1.Node
	for _, o := range t.rec.Replay.Objects(nodes, seq) {
		all = append(all, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: o.Name, Labels: labelsOf(t.rec.Replay.ObjectAt(o, seq))}})
	}
	return all
}

func labelsOf(fields map[string]any) map[string]string {
	metadata, _ := fields["metadata"].(map[string]any)
	of, _ := metadata["labels"].(map[string]any)
	labels := map[string]string{}
	for name, value := range of {
		labels[name], _ = value.(string)
	}
	return labels
}
