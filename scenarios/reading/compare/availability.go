package compare

import (
	"cmp"
	"math"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// level is a number from a time on.
type level struct {
	at time.Duration
	n  int
}

// wanted is how many Pods a workload wants over time: none while it is being deleted.
type wanted struct {
	*recording.Workload
	levels []level
	// labels are those of its Pod template.
	labels map[string]any
}

// unlimited is what is wanted where nothing says how many.
const unlimited = math.MaxInt

func newWanted(rec *recording.Recording, w *recording.Workload) *wanted {
	out := &wanted{Workload: w}
	for _, v := range rec.Versions(w.Object) {
		if v.Seq < w.Born() {
			continue
		}
		fields := rec.Replay.ObjectAt(w.Object, v.Seq)
		out.levels = append(out.levels, level{rec.At(v.Seq), wantedBy(w.Kind, fields)})
		if fields == nil {
			break
		}
		if labels, ok := field(fields, "spec", "template", "metadata", "labels").(map[string]any); ok {
			out.labels = labels
		}
	}
	return out
}

// wantedBy is how many Pods a version of a workload wants.
func wantedBy(kind string, fields map[string]any) int {
	switch {
	case fields == nil || field(fields, "metadata", "deletionTimestamp") != nil:
		return 0
	case kind == "DaemonSet":
		n, _ := field(fields, "status", "desiredNumberScheduled").(int64)
		return int(n)
	}
	if n, ok := field(fields, "spec", "replicas").(int64); ok {
		return int(n)
	}
	return 1
}

// at is how many Pods it wants at a time.
func (w *wanted) at(when time.Duration) int {
	i, found := slices.BinarySearchFunc(w.levels, when, func(l level, when time.Duration) int { return cmp.Compare(l.at, when) })
	for found && i+1 < len(w.levels) && w.levels[i+1].at == when {
		i++
	}
	if !found {
		i--
	}
	if i < 0 {
		return 0
	}
	return w.levels[i].n
}

// matches reports whether its Pods have the labels of a selector.
func (w *wanted) matches(namespace string, selector map[string]any) bool {
	if w.Object.Namespace != namespace {
		return false
	}
	for key, value := range selector {
		if w.labels[key] != value {
			return false
		}
	}
	return true
}

// outages are those of all workloads and Services of a recording, by the patterns of their names. Jobs end, so they have none.
func outages(rec *recording.Recording, names names) map[trace.Object]Outage {
	all := map[trace.Object]Outage{}
	add := func(o trace.Object, g *gauge, end time.Duration) {
		g.close(end, true)
		if g.outage.Total > 0 {
			o = names.object(o)
			all[o] = all[o].plus(g.outage)
		}
	}
	end := max(rec.End, rec.At(rec.Len()))
	var workloads []*wanted
	for _, w := range rec.Workloads() {
		if w.Kind == "Job" {
			continue
		}
		of := newWanted(rec, w)
		workloads = append(workloads, of)
		add(w.Object, of.follow(), end)
	}
	for o, g := range newServices(rec, workloads).follow() {
		add(o, g, end)
	}
	return all
}

// follow goes through what there was, and what was wanted, in the order of time.
func (w *wanted) follow() *gauge {
	g, n := &gauge{}, 0
	for _, l := range w.levels {
		for ; n < len(w.Series) && w.Series[n].At <= l.at; n++ {
			g.set(w.Series[n].At, w.Series[n].Available, w.at(w.Series[n].At))
		}
		if n > 0 {
			g.set(l.at, w.Series[n-1].Available, l.n)
		}
	}
	for ; n < len(w.Series); n++ {
		g.set(w.Series[n].At, w.Series[n].Available, w.at(w.Series[n].At))
	}
	return g
}

// plus adds the outage of another object of the same pattern.
func (o Outage) plus(other Outage) Outage {
	if len(o.Periods) == 0 || len(other.Periods) > 0 && other.Fewest < o.Fewest {
		o.Fewest, o.Of = other.Fewest, other.Of
	}
	o.Total, o.Periods = o.Total+other.Total, slices.Concat(o.Periods, other.Periods)
	return o
}

// field is a field of an object, by its path; nil if there is none.
func field(fields map[string]any, path ...string) any {
	value, _, _ := unstructured.NestedFieldNoCopy(fields, path...)
	return value
}
