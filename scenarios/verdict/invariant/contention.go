package invariant

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/sim/trace"
)

// newContention looks for fields that go back and forth in a run.
func newContention(r *Run) *contention.Finder {
	return contention.NewFinder(contention.Actors{
		IsController: r.isController,
		IsProgram: func(actor string) bool {
			return r.isController(actor) || isKubelet(actor) || isScheduler(actor)
		},
		KeyOf: r.requeues.keyOf,
	})
}

// fights are those of a finder that are not over at a time.
func fights(finder *contention.Finder, now time.Duration) (hot []*Hot) {
	for _, f := range finder.Fights(now) {
		hot = append(hot, HotOf(&f))
	}
	return hot
}

// HotOf is what controllers do who disagree about a field.
func HotOf(f *contention.Fight) *Hot {
	h := &Hot{
		Object: trace.ObjectName(f.Object), Controllers: f.Controllers(), Work: HotAlternates, Field: f.Field,
		Values: []string{orNothing(f.Old), orNothing(f.New)}, Count: f.Count, Resource: f.Resource, first: f.First,
	}
	if len(h.Controllers) == 1 && len(f.Writers) > 1 {
		for _, w := range f.Writers {
			h.Keys = append(h.Keys, w.Key)
		}
	}
	h.until(f.Last)
	return h
}

// orNothing is a value in a few words.
func orNothing(value []byte) string {
	const longest = 40
	switch runes := []rune(string(value)); {
	case value == nil:
		return "nothing"
	case len(runes) > longest:
		return string(runes[:longest]) + "..."
	}
	return string(value)
}
