package invariant

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/verdict/overwrite"
	"github.com/kubestep/kubestep/sim/trace"
)

var updatedAsRead = Invariant{
	Name:     "updated-as-read",
	Sentence: "A controller does not change a field of a spec that a user has changed since the sync began: it decided from the old value.",
	Forgives: "What a controller does outside of a sync, and a field that the user and the controller set to the same value.",
	Upstream: "resourceVersion; API Conventions, Concurrency Control and Consistency: after a conflict, a client applies its change afresh",
	watch: func(r *Run) watcher {
		isUser := func(actor string) bool {
			process, _ := r.Process(actor)
			return process == "" && !isKubelet(actor)
		}
		return &asUpdated{run: r, finder: overwrite.NewFinder(isUser)}
	},
}

type asUpdated struct {
	passive
	run    *Run
	finder *overwrite.Finder
}

func (a *asUpdated) hasLooked() bool { return a.finder.HasLooked() }

func (a *asUpdated) record(record *trace.Record) {
	for _, o := range a.finder.Add(record) {
		a.run.broken(o.Record, fmt.Sprintf("%s set %s of %s to %s, and a user had set it to %s since the sync began",
			o.Actor, o.Field, trace.ObjectName(o.Object), o.New, o.Old))
	}
}
