package runner

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubestep/kubestep/scenarios/language/expr"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
	"github.com/kubestep/kubestep/sim/trace"
)

// keep collects the records that somebody may ask for.
func (r *run) keep(record *trace.Record, _ []byte) {
	if record.Request != nil && !record.Background {
		for _, w := range record.Request.Writes {
			r.written[w.Object] = record.Seq
		}
	}
	switch {
	case r.forgets:
	case !record.Background:
		r.records = append(r.records, record)
	case record.Kind == trace.KindSync:
		r.early = append(r.early, record)
	}
}

// mayForget reports whether nobody asks for records: no condition of the run does, nor one that a session or a branch can bring, and the
// order of all controllers is closed. In a long run, records are most of what is in memory.
func (r *run) mayForget(options RunOptions) bool {
	return exact.Enabled() && options.Session == nil && options.Become == nil &&
		!slices.ContainsFunc(slices.Collect(maps.Values(r.conditions)), (*expr.Condition).ReadsTrace)
}

// reads is the simulation of a condition, with a note of what the condition looks at.
type reads struct {
	expr.World
	// objects are what it looked at. Without a name it is all objects of a resource, in a namespace or in all of them.
	objects []trace.Object
}

// Get implements expr.World.
func (r *reads) Get(resource schema.GroupResource, namespace, name string) (runtime.Object, bool) {
	r.note(trace.Object{Resource: resource.String(), Namespace: namespace, Name: name})
	return r.World.Get(resource, namespace, name)
}

// List implements expr.World.
func (r *reads) List(resource schema.GroupResource, namespace string) []runtime.Object {
	r.note(trace.Object{Resource: resource.String(), Namespace: namespace})
	return r.World.List(resource, namespace)
}

func (r *reads) note(o trace.Object) {
	if !slices.Contains(r.objects, o) {
		r.objects = append(r.objects, o)
	}
}

// cover reports whether an object is among what the condition looked at.
func (r *reads) cover(o trace.Object) bool {
	return slices.ContainsFunc(r.objects, func(read trace.Object) bool {
		return read.Resource == o.Resource && (read.Namespace == "" || read.Namespace == o.Namespace) &&
			(read.Name == "" || read.Name == o.Name)
	})
}

// causeOf is the record of the last write of what a condition reads, which is why a check with that condition fails now; 0 for none. A
// write of an object that does not exist any more is its deletion.
func (r *run) causeOf(condition *expr.Condition) int64 {
	seen := &reads{World: r}
	// What it comes to, even an error, is known already.
	_, _ = r.budgeted(condition, func(expr.World) (expr.Result, error) { return condition.Eval(seen) })
	last := int64(0)
	for object, seq := range r.written {
		if seen.cover(object) {
			last = max(last, seq)
		}
	}
	return last
}
