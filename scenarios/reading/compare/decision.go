package compare

import (
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Decision is a write of a controller that says what it wants: no status, no Event.
type Decision struct {
	At  time.Duration `json:"at"`
	Seq int64         `json:"seq"`
	// Actor is the controller and Key what it was syncing; for a controller without a queue, the object.
	Actor string `json:"actor"`
	Key   string `json:"key"`
	// Text is what it did, without what the seed draws.
	Text string `json:"text"`
	// Path stands for this decision and all those before it of the same controller for the same key.
	Path string `json:"path"`
}

// String is the decision in words.
func (d Decision) String() string {
	return trace.Seconds(d.At) + "  " + d.Actor + "  " + d.Text
}

// world are the actors that are not controllers: stand-ins, the server itself, and the user.
var world = map[string]bool{
	"kubelet": true, "kube-scheduler": true, "kubectl": true, "system:apiserver": true, "etcd": true,
	"shared-informers": true, "metadata-informers": true, "external-provisioner": true,
	trace.AttacherActor: true,
}

// Decides reports whether an actor is a controller, and not a stand-in, the server or the user.
func Decides(actor string) bool { return !world[actor] }

// Decisions finds the decisions of a recording.
type Decisions struct {
	names names
	// roles may be nil.
	roles *roles
	// keys are the keys of the syncs, by the record of their start.
	keys   map[int64]string
	chains map[string]uint64
}

// NewDecisions returns Decisions before the first record.
func NewDecisions() *Decisions {
	return &Decisions{names: names{}, keys: map[int64]string{}, chains: map[string]uint64{}}
}

// Again returns Decisions before the first record of a run that has objects of this one, with their names: a name that was generated for
// this run has its pattern there, too.
func (d *Decisions) Again() *Decisions {
	again := NewDecisions()
	maps.Copy(again.names, d.names)
	return again
}

// Key is the key of a work queue with the pattern of its name.
func (d *Decisions) Key(key string) string { return d.names.key(key) }

// Add takes the next record and reports whether it is a decision.
func (d *Decisions) Add(record *trace.Record) (Decision, bool) {
	if record.Sync != nil && record.Sync.Phase == trace.PhaseStart {
		d.keys[record.Seq] = record.Sync.Key
	}
	if record.Request == nil {
		return Decision{}, false
	}
	if d.roles != nil {
		d.roles.add(d.names, record.Request)
	}
	d.names.add(record.Request)
	r := record.Request
	if record.Background || !Decides(record.Actor) || len(r.Writes) == 0 || r.Subresource == "status" {
		return Decision{}, false
	}
	row := trace.Describe(record)
	object := r.Object
	if object.Name == "" || r.Verb == "create" {
		// What was generated is known by the write only.
		object.Name = r.Writes[0].Name
	}
	object = d.names.object(object)
	decision := Decision{At: record.At, Seq: record.Seq, Actor: record.Actor, Key: d.names.key(d.keys[record.Cause])}
	if decision.Key == "" {
		decision.Key = trace.ObjectName(object)
	}
	decision.Text = strings.TrimRight(row.Verb+" "+trace.ObjectName(object)+"  "+d.names.words(row.Detail), " ")
	chain := decision.Actor + "\x00" + decision.Key
	h := fnv.New64a()
	fmt.Fprintf(h, "%d\x00%s\x00%s", d.chains[chain], chain, decision.Text)
	d.chains[chain] = h.Sum64()
	decision.Path = fmt.Sprintf("%016x", h.Sum64())
	return decision, true
}

// DecisionPair is where the decisions of two recordings diverge: what one controller did next for one key, of which
// one is nil if it did no more.
type DecisionPair struct {
	Actor string    `json:"actor"`
	Key   string    `json:"key"`
	A     *Decision `json:"a,omitempty"`
	B     *Decision `json:"b,omitempty"`
}

// at is when the divergence shows.
func (p *DecisionPair) at() time.Duration {
	switch {
	case p.A == nil:
		return p.B.At
	case p.B == nil:
		return p.A.At
	}
	return min(p.A.At, p.B.At)
}

// firstDecision compares chain by chain and returns the divergence that shows first; nil if there is none.
func firstDecision(a, b []Decision) *DecisionPair {
	chainsA, order := chainsOf(a, nil)
	chainsB, order := chainsOf(b, order)
	var first *DecisionPair
	for _, chain := range order {
		p := diverging(chainsA[chain], chainsB[chain])
		if p != nil && (first == nil || p.at() < first.at()) {
			first = p
		}
	}
	return first
}

// chainsOf sorts decisions by controller and key, and adds the chains to those that are known already.
func chainsOf(decisions []Decision, order []string) (map[string][]*Decision, []string) {
	known := map[string]bool{}
	for _, chain := range order {
		known[chain] = true
	}
	chains := map[string][]*Decision{}
	for i := range decisions {
		d := &decisions[i]
		chain := d.Actor + "\x00" + d.Key
		if !known[chain] {
			known[chain] = true
			order = append(order, chain)
		}
		chains[chain] = append(chains[chain], d)
	}
	return chains, order
}

func diverging(a, b []*Decision) *DecisionPair {
	i, j, differ := recording.Diverge(slices.Values(a), slices.Values(b), nil, func(x, y *Decision) bool { return x.Path == y.Path })
	if !differ {
		return nil
	}
	p := &DecisionPair{}
	if i < len(a) {
		p.A, p.Actor, p.Key = a[i], a[i].Actor, a[i].Key
	}
	if j < len(b) {
		p.B, p.Actor, p.Key = b[j], b[j].Actor, b[j].Key
	}
	return p
}
