package why

import (
	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
)

// Explained is the arithmetic of the sync that a record belongs to, as explain.At computes it; nil if it is not explained. It is computed
// once: who looks at each record of a run asks for the same syncs again and again.
func (h *History) Explained(seq int64) *arithmetic.Explanation {
	start := h.rec.SyncOf(seq)
	if start == 0 {
		return explain.At(h.rec, seq)
	}
	e, known := h.explained[start]
	if !known {
		e = explain.At(h.rec, start)
		h.explained[start] = e
	}
	return e
}
