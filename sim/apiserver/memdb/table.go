package memdb

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
)

// entry is what a key holds. Entries are never changed once they are in a table: a write replaces the entry, so a
// reader that has one can continue reading it without the lock.
type entry struct {
	key      string
	revision uint64
	// object is data decoded, in the internal version, with its resourceVersion set. It is nil if the Stores of the table decode
	// for themselves: then views has what they have decoded. It is also nil in an entry that is seldom read: see encoded.
	object runtime.Object
	views  views
	// writer is the Store that decodes data if object is nil, and written the commit in the log that made this the entry of its key.
	writer  *store
	written *record
	// data is the encoded object.
	data []byte
}

// table holds the keys of one resource and what happened to them. DB.mu guards it.
type table struct {
	rows rows
	// log holds the commits of this table, oldest first, as far back as DB.log does.
	log []*record
	// watchers is in the order in which they were opened, so that events are delivered in an order
	// that does not depend on chance.
	watchers []*watcher
	// bytes is the size of all data in rows.
	bytes int64
}

// span is the part of a table that a request is about: one key, or all keys that begin with key,
// which then ends in "/".
type span struct {
	key       string
	recursive bool
}

func (s span) covers(key string) bool {
	if s.recursive {
		return strings.HasPrefix(key, s.key)
	}
	return key == s.key
}

// get returns what key holds, or nil.
func (t *table) get(key string) *entry { return t.rows.get(key) }

// read returns what the keys of a span hold, in the order of the keys, beginning with key from. An
// empty from stands for the beginning of the span.
func (t *table) read(span span, from string) (entries []*entry) {
	for e := range t.rows.from(max(span.key, from)) {
		if !span.covers(e.key) {
			break
		}
		entries = append(entries, e)
	}
	return entries
}

// set makes e what its key holds.
func (t *table) set(e *entry) {
	if before := t.rows.set(e); before != nil {
		t.bytes -= int64(len(before.data))
	}
	t.bytes += int64(len(e.data))
}

// remove makes key hold nothing.
func (t *table) remove(key string) {
	e := t.rows.remove(key)
	if e == nil {
		panic("memdb: removing a key that the table does not hold: " + key)
	}
	t.bytes -= int64(len(e.data))
}
