package network

import (
	"strconv"
	"time"
)

// origin is the record behind a revision.
type origin struct {
	seq int64
	at  time.Duration
}

// history maps each revision of the store to the record that wrote it.
type history map[uint64]origin

// revisionAt is the resourceVersion that the store had at a virtual time.
func (h history) revisionAt(at time.Duration) string {
	newest := uint64(1)
	for revision, origin := range h {
		if origin.at <= at && revision > newest {
			newest = revision
		}
	}
	return strconv.FormatUint(newest, 10)
}
