package compare

import (
	"cmp"
	"slices"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Outage is how long a workload had fewer Ready Pods than before, or a Service fewer ready endpoints. Before means since the
// last change of spec.replicas: whoever scales down wants fewer.
type Outage struct {
	// Total is the time of all periods, and Fewest the least number in any of them, where there were Of before.
	Total   time.Duration `json:"total"`
	Fewest  int           `json:"fewest"`
	Of      int           `json:"of"`
	Periods []Period      `json:"periods,omitempty"`
}

// Period is one time of an outage.
type Period struct {
	From time.Duration `json:"from"`
	To   time.Duration `json:"to"`
	// Lasts means that the run ended before the outage did.
	Lasts  bool `json:"lasts,omitempty"`
	Fewest int  `json:"fewest"`
	Of     int  `json:"of"`
}

// Length is how long it was.
func (p Period) Length() time.Duration { return p.To - p.From }

// Longest is the longest period.
func (o Outage) Longest() Period {
	if len(o.Periods) == 0 {
		return Period{}
	}
	return slices.MaxFunc(o.Periods, func(a, b Period) int { return cmp.Compare(a.Length(), b.Length()) })
}

// OutagePair is an object whose outages differ.
type OutagePair struct {
	trace.Object
	A Outage `json:"a"`
	B Outage `json:"b"`
	// Long means that B is out for longer than its faults explain; see Report.OutLonger.
	Long bool `json:"long,omitempty"`
}

// outageNoise is by how much the outages of two runs may differ without being told: Pods start and stop within a second.
const outageNoise = time.Second

// compareOutages pairs the outages that differ.
func compareOutages(a, b map[trace.Object]Outage) []OutagePair {
	var pairs []OutagePair
	for _, object := range keys(a, b, compareObjects) {
		x, y := a[object], b[object]
		if (x.Total-y.Total).Abs() >= outageNoise || x.Fewest != y.Fewest && x.Of > 0 && y.Of > 0 {
			pairs = append(pairs, OutagePair{Object: object, A: x, B: y})
		}
	}
	return pairs
}

// replaceAfter is by when the Pods of a node that does not recover are replaced: after the grace period of the node, 50 s, the
// tolerationSeconds of 300 that Pods have by default, and some time to start.
const replaceAfter = 7 * time.Minute

// OutLonger marks the outages of B that its faults do not explain, and reports whether there are any: they are longer than in A
// by more than the time for which the faults acted, and a minute; and replaceAfter if a node did not recover.
func (r *Report) OutLonger() bool {
	allowed := r.B.course.acted() + lateAfter
	if r.B.course.lost > 0 {
		allowed += replaceAfter
	}
	for i := range r.Outages {
		pair := &r.Outages[i]
		pair.Long = pair.B.Total-pair.A.Total > allowed
	}
	return slices.ContainsFunc(r.Outages, func(pair OutagePair) bool { return pair.Long })
}

// gauge follows the number of one object.
type gauge struct {
	// before is the most that there was, as far as it is still wanted.
	before int
	open   *Period
	outage Outage
}

// set notes a number, and how many are wanted.
func (g *gauge) set(at time.Duration, count, wanted int) {
	g.before = min(max(g.before, count), wanted)
	switch {
	case count < g.before && g.open == nil:
		g.open = &Period{From: at, Fewest: count, Of: g.before}
	case count < g.before && (count < g.open.Fewest || g.before > g.open.Of):
		g.open.Fewest, g.open.Of = min(count, g.open.Fewest), max(g.before, g.open.Of)
	case count >= g.before:
		g.close(at, false)
	}
}

// close ends the open period, if there is one.
func (g *gauge) close(at time.Duration, lasts bool) {
	if g.open == nil {
		return
	}
	p := *g.open
	p.To, p.Lasts, g.open = at, lasts, nil
	if p.Length() <= 0 {
		return
	}
	o := &g.outage
	if len(o.Periods) == 0 || p.Fewest < o.Fewest {
		o.Fewest, o.Of = p.Fewest, p.Of
	}
	o.Total, o.Periods = o.Total+p.Length(), append(o.Periods, p)
}
