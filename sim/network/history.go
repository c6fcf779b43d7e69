package network

import (
	"cmp"
	"slices"
	"time"
)

// origin is the record behind a revision.
type origin struct {
	revision uint64
	seq      int64
	at       time.Duration
}

// history has the record that wrote each revision of the store, by revision. It lasts as long as the run, since a watch may begin with an
// object of any age.
type history []origin

// add notes what wrote a revision, usually the newest.
func (h *history) add(o origin) {
	i, known := h.find(o.revision)
	if known {
		(*h)[i] = o
		return
	}
	*h = slices.Insert(*h, i, o)
}

// of is what wrote a revision; nothing if it is unknown, as that of a bookmark may be.
func (h history) of(revision uint64) origin {
	if i, known := h.find(revision); known {
		return h[i]
	}
	return origin{}
}

func (h history) find(revision uint64) (at int, known bool) {
	if n := len(h); n > 0 && h[n-1].revision < revision {
		return n, false
	}
	return slices.BinarySearchFunc(h, revision, func(o origin, revision uint64) int { return cmp.Compare(o.revision, revision) })
}

// revisionAt is the resourceVersion that the store had at a virtual time.
func (h history) revisionAt(at time.Duration) uint64 {
	newest := uint64(1)
	for _, o := range slices.Backward(h) {
		if o.at <= at {
			newest = max(newest, o.revision)
			break
		}
	}
	return newest
}
