package traffic

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubestep/kubestep/controllers/kubeproxy"
	"github.com/kubestep/kubestep/sim/trace"
)

// Course is what happens to the connections to a Service during a run.
type Course struct {
	Service trace.Object `json:"service"`
	// From is when the Service is created, and To the end of the run, or when the Service is deleted.
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"`
	// Removals are the Pods that nodes choose when, or after, they are deleted.
	Removals []Removal `json:"removals"`
	// Refusals are the times in which nodes have no endpoint to choose.
	Refusals []Refusal `json:"refusals"`
}

// Removal is a Pod that is deleted while nodes choose it.
type Removal struct {
	Pod  string `json:"pod"`
	UID  string `json:"uid"`
	Node string `json:"node,omitempty"`
	// Deleted is when somebody deletes it.
	Deleted time.Duration `json:"deleted"`
	// Until is when the last node stops choosing it; Open means that it does not during the run.
	Until time.Duration `json:"until"`
	Open  bool          `json:"open,omitempty"`
	// Terminating is for how long it is chosen although the EndpointSlices say that it terminates.
	Terminating time.Duration `json:"terminating"`
	// Ended is when nothing answers any more at its port: its container ends, or without upstream's kubelet, the Pod is removed.
	Ended *time.Duration `json:"ended,omitempty"`
	// Dead is for how long it is chosen after that.
	Dead time.Duration `json:"dead"`

	chosen, listed bool
	// since is when the EndpointSlices first say that it terminates while it is chosen.
	since time.Duration
	port  int32
	spec  *corev1.Pod
}

// Refusal is a time in which nodes have no endpoint to choose.
type Refusal struct {
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"`
	Open bool          `json:"open,omitempty"`
	// Port is the port of the Service, and Family its address family.
	Port   int             `json:"port"`
	Family corev1.IPFamily `json:"family"`
	// External means connections from outside of the cluster.
	External bool              `json:"external,omitempty"`
	Policy   kubeproxy.Policy  `json:"policy"`
	Verdict  kubeproxy.Verdict `json:"verdict"`
	Nodes    []string          `json:"nodes"`
}

// refusalKey is one kind of connection at one node.
type refusalKey struct {
	node     string
	port     int
	family   corev1.IPFamily
	external bool
}

// follower goes through a run.
type follower struct {
	*Traffic
	out  *Course
	pods map[string]*Removal
	// listed are the Pods that are endpoints now, with one of their ports, and chosen those that a node chooses, with whether the
	// EndpointSlices say that they terminate.
	listed   map[string]int32
	chosen   map[string]bool
	refusals map[refusalKey]*Refusal
	labels   map[trace.Object]map[string]string
}

// Course goes through all writes of the run.
func (t *Traffic) Course() *Course {
	f := &follower{
		Traffic: t, out: &Course{Service: t.service, Removals: []Removal{}, Refusals: []Refusal{}},
		pods: map[string]*Removal{}, refusals: map[refusalKey]*Refusal{}, labels: map[trace.Object]map[string]string{},
	}
	exists := false
	for _, seq := range t.rec.Marks().Writes {
		record := t.rec.Record(seq)
		decides := false
		for i := range record.Request.Writes {
			w := &record.Request.Writes[i]
			if w.Resource == pods && w.Namespace == t.service.Namespace {
				f.pod(record, w)
			}
			decides = f.decides(w) || decides
		}
		if !decides {
			continue
		}
		switch is := t.rec.Replay.ObjectAt(t.service, seq) != nil; {
		case is && !exists:
			exists, f.out.From = true, record.At
		case !is && exists:
			exists, f.out.To = false, record.At
		}
		f.decide(seq, record.At)
	}
	end := max(t.rec.At(t.rec.Len()), t.rec.End)
	if exists {
		f.out.To = end
	}
	f.close(end)
	return f.out
}

// decides reports whether a write changes what kube-proxies receive. Of a node that is its labels.
func (f *follower) decides(w *trace.Write) bool {
	switch w.Resource {
	case services:
		return w.Object == f.service
	case endpointSlices:
		return w.Namespace == f.service.Namespace
	case nodes:
		fields := f.rec.Replay.ObjectVersion(w.Object, w.RV)
		before, known := f.labels[w.Object]
		if fields == nil {
			delete(f.labels, w.Object)
			return known
		}
		f.labels[w.Object] = labelsOf(fields)
		return !known || !reflect.DeepEqual(before, f.labels[w.Object])
	}
	return false
}

// pod notes the deletion of a Pod that is chosen, and its end.
func (f *follower) pod(record *trace.Record, w *trace.Write) {
	pod, exists := f.typed(w.Object, record.Seq).(*corev1.Pod)
	if exists && pod.DeletionTimestamp == nil {
		return
	}
	if !exists {
		if pod, _ = f.typed(w.Object, record.Seq-1).(*corev1.Pod); pod == nil {
			return
		}
	}
	uid := string(pod.UID)
	of := f.pods[uid]
	if port, listed := f.listed[uid]; of == nil && listed {
		of = &Removal{Pod: pod.Name, UID: uid, Node: pod.Spec.NodeName, Deleted: record.At, Until: record.At, port: port, spec: pod}
		terminating, chosen := f.chosen[uid]
		of.chosen, of.listed = chosen, chosen
		if terminating {
			of.since = record.At
		}
		f.pods[uid] = of
	}
	if of != nil && !exists && of.Ended == nil {
		of.Ended = &record.At
	}
}

// decide asks what all nodes do after a record.
func (f *follower) decide(seq int64, at time.Duration) {
	f.listed, f.chosen = map[string]int32{}, map[string]bool{}
	refusals := map[refusalKey]*Refusal{}
	if service, of := f.objectsAt(seq); service != nil {
		for _, node := range f.nodesAt(seq) {
			d := of.Decide(node)
			for n := range d.Ports {
				f.port(&d.Ports[n])
				for key, refusal := range refusalsOf(node.Name, &d.Ports[n]) {
					refusals[key] = refusal
				}
			}
		}
	}
	f.change(at)
	for key, refusal := range f.refusals {
		if now := refusals[key]; now == nil || now.Verdict != refusal.Verdict || now.Policy != refusal.Policy {
			f.end(refusal, at)
			delete(f.refusals, key)
		}
	}
	for key, refusal := range refusals {
		if f.refusals[key] == nil {
			refusal.From, f.refusals[key] = at, refusal
		}
	}
}

// port notes which Pods one port has, and which of them the node chooses.
func (f *follower) port(p *kubeproxy.Port) {
	for _, e := range p.Endpoints {
		if e.UID == "" {
			continue
		}
		f.listed[e.UID] = portOf(e.Address)
		if p.Internal.Has(e) || p.FromOutside != nil && p.FromOutside.Has(e) {
			f.chosen[e.UID] = e.Terminating
		}
	}
}

// refusalsOf are the kinds of connections for which a node has no endpoint.
func refusalsOf(node string, p *kubeproxy.Port) map[refusalKey]*Refusal {
	refusals := map[refusalKey]*Refusal{}
	add := func(r *kubeproxy.Route, external bool) {
		if r != nil && r.Verdict != kubeproxy.Forward {
			refusals[refusalKey{node, p.Number, p.Family, external}] = &Refusal{
				Port: p.Number, Family: p.Family, External: external, Policy: r.Policy, Verdict: r.Verdict, Nodes: []string{node},
			}
		}
	}
	add(&p.Internal, false)
	add(p.FromOutside, true)
	return refusals
}

// change notes for deleted Pods that the choice of the nodes has changed.
func (f *follower) change(at time.Duration) {
	for uid, of := range f.pods {
		terminating, chosen := f.chosen[uid]
		if of.chosen && (!chosen || !terminating) && of.since > 0 {
			of.Terminating, of.since = of.Terminating+at-of.since, 0
		}
		if chosen && terminating && of.since == 0 {
			of.since = at
		}
		if of.chosen && !chosen {
			of.Until = at
		}
		of.chosen, of.listed = chosen, of.listed || chosen
	}
}

// end adds a refusal, together with those of other nodes.
func (f *follower) end(refusal *Refusal, at time.Duration) {
	refusal.To = at
	for n := range f.out.Refusals {
		g := &f.out.Refusals[n]
		alone, others := *refusal, *g
		alone.Nodes, others.Nodes = nil, nil
		if reflect.DeepEqual(alone, others) {
			g.Nodes = append(g.Nodes, refusal.Nodes...)
			return
		}
	}
	if refusal.From < at || refusal.Open {
		f.out.Refusals = append(f.out.Refusals, *refusal)
	}
}

// close ends what is open, and sorts.
func (f *follower) close(end time.Duration) {
	for _, refusal := range f.refusals {
		refusal.Open = true
		f.end(refusal, end)
	}
	for n := range f.out.Refusals {
		slices.Sort(f.out.Refusals[n].Nodes)
	}
	slices.SortFunc(f.out.Refusals, func(a, b Refusal) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(a.Port, b.Port), cmp.Compare(a.Family, b.Family),
			cmp.Compare(a.Verdict, b.Verdict), slices.Compare(a.Nodes, b.Nodes))
	})
	exits := f.exits()
	for _, uid := range slices.Sorted(maps.Keys(f.pods)) {
		of := f.pods[uid]
		if !of.listed {
			continue
		}
		if of.chosen {
			of.Until, of.Open = end, true
			if of.since > 0 {
				of.Terminating += end - of.since
			}
		}
		if ended := endOf(of.spec, of.port, exits[uid]); ended != nil {
			of.Ended = ended
		}
		if of.Ended != nil {
			of.Dead = max(0, of.Until-max(*of.Ended, of.Deleted))
		}
		f.out.Removals = append(f.out.Removals, *of)
	}
	slices.SortStableFunc(f.out.Removals, func(a, b Removal) int {
		return cmp.Or(cmp.Compare(a.Deleted, b.Deleted), cmp.Compare(a.Pod, b.Pod))
	})
}
