package why

import (
	"math"
	"slices"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// explanations are those of syncs, by their first records. Each is computed once: who looks at each record of a run asks for the same syncs
// again and again.
type explanations struct {
	of map[int64]*arithmetic.Explanation
	// most is how many objects the controller may list at once in a sync that is explained when somebody asks. lacking are the syncs with
	// more that were asked for.
	most    int
	lacking []int64
}

func newExplanations() explanations {
	return explanations{of: map[int64]*arithmetic.Explanation{}, most: math.MaxInt}
}

// Explained is the arithmetic of the sync that a record belongs to, as explain.At computes it; nil if it is not explained.
func (h *History) Explained(seq int64) *arithmetic.Explanation {
	start := h.rec.SyncOf(seq)
	if start == 0 {
		return explain.At(h.rec, seq)
	}
	known := &h.explained
	e, found := known.of[start]
	if !found {
		e = explain.Within(h.rec, start, known.most)
		known.of[start] = e
	}
	if e != nil && e.Deferred && !slices.Contains(known.lacking, start) {
		known.lacking = append(known.lacking, start)
	}
	return e
}

// Defer makes Explained answer at once, for a screen: of a sync in which the controller lists more objects at once than some, it says that
// the explanation is being computed. Somebody else computes it with explain.At, beside the screen, and calls Explain.
func (h *History) Defer(objects int) { h.explained.most = objects }

// Defers reports whether explanations are deferred.
func (h *History) Defers() bool { return h.explained.most != math.MaxInt }

// Lacking are the first records of the syncs that were asked for since the last call and whose explanations are not there.
func (h *History) Lacking() []int64 {
	lacking := h.explained.lacking
	h.explained.lacking = nil
	return lacking
}

// Explain adds the explanation of the sync that began with a record; nil if it is not explained.
func (h *History) Explain(start int64, e *arithmetic.Explanation) { h.explained.of[start] = e }
