package memdb

import (
	"container/heap"
	"time"
)

// deadline is when a key is to be removed.
type deadline struct {
	at time.Time
	// revision is that of the write which set the deadline. It orders deadlines of the same
	// instant.
	revision uint64
	store    *store
	key      string
	// index is the place in the heap.
	index int
}

// deadlines knows the deadlines of all keys that have one, and the earliest of them.
type deadlines struct {
	byKey map[string]*deadline
	queue deadlineHeap
}

func newDeadlines() deadlines {
	return deadlines{byKey: map[string]*deadline{}}
}

// set makes key expire in ttl seconds, 0 meaning never, and drops the deadline that it had.
func (d *deadlines) set(s *store, key string, revision, ttl uint64) {
	d.clear(key)
	if ttl == 0 {
		return
	}
	next := &deadline{
		at:       time.Now().Add(time.Duration(ttl) * time.Second),
		revision: revision,
		store:    s,
		key:      key,
	}
	d.byKey[key] = next
	heap.Push(&d.queue, next)
}

func (d *deadlines) clear(key string) {
	if old, ok := d.byKey[key]; ok {
		heap.Remove(&d.queue, old.index)
		delete(d.byKey, key)
	}
}

// NextExpiry returns when the next key is due to expire. ok is false when no key ever will.
func (db *DB) NextExpiry() (at time.Time, ok bool) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.deadlines.queue) == 0 {
		return time.Time{}, false
	}
	return db.deadlines.queue[0].at, true
}

// Expire removes the keys that are due at now, earliest first, each by a commit of its own.
func (db *DB) Expire(now time.Time) {
	for {
		s, held := db.due(now)
		if held == nil {
			return
		}
		object, err := s.decoded(held)
		if err != nil {
			panic("memdb: " + held.key + " was decoded when it was written: " + err.Error())
		}
		// A concurrent write makes this fail, and may have put off the deadline: look again.
		s.remove(held, object)
	}
}

// due returns what the next key to expire at now holds, with the store that wrote it.
func (db *DB) due(now time.Time) (*store, *entry) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.deadlines.queue) == 0 {
		return nil, nil
	}
	next := db.deadlines.queue[0]
	if next.at.After(now) {
		return nil, nil
	}
	return next.store, next.store.table.get(next.key)
}

// deadlineHeap implements heap.Interface; the earliest deadline comes first.
type deadlineHeap []*deadline

func (h deadlineHeap) Len() int { return len(h) }

func (h deadlineHeap) Less(i, j int) bool {
	if order := h[i].at.Compare(h[j].at); order != 0 {
		return order < 0
	}
	return h[i].revision < h[j].revision
}

func (h deadlineHeap) Swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	h[i].index, h[j].index = i, j
}

func (h *deadlineHeap) Push(x any) {
	d := x.(*deadline)
	d.index = len(*h)
	*h = append(*h, d)
}

func (h *deadlineHeap) Pop() any {
	last := len(*h) - 1
	d := (*h)[last]
	(*h)[last] = nil
	*h = (*h)[:last]
	return d
}
