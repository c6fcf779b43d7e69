package memdb

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
)

// record is a commit in the log. Its Object and Previous are nil: after and before have them.
type record struct {
	Commit
	table *table
	// after is what the key holds since then, for a delete what it held last; before is what it held before, or nil.
	after, before *entry
	// leaving is the object of before with the resourceVersion of this commit, for watches whose selector it no longer
	// matches. It is made when the first watch needs it.
	leaving runtime.Object
}

// left returns the object before, as s reads it and a DELETED event shows it: the client must learn that the object is
// gone as of this commit, not as of the one before.
func (r *record) left(s *store, before runtime.Object) runtime.Object {
	if !s.decodes && r.leaving != nil {
		return r.leaving
	}
	leaving := before.DeepCopyObject()
	stamp(leaving, r.Revision)
	if !s.decodes {
		r.leaving = leaving
	}
	return leaving
}

// commit writes c into the log and hands it to the watchers. The table is already changed. The
// caller holds db.mu, and calls report when it has released it.
func (db *DB) commit(t *table, c Commit, after, before *entry) {
	if c.Revision != db.revision+1 {
		panic(fmt.Sprintf("memdb: revision %d is followed by %d", db.revision, c.Revision))
	}
	db.revision = c.Revision
	r := &record{Commit: c, table: t, after: after, before: before}
	r.Object, r.Previous = nil, nil
	db.log = append(db.log, r)
	t.log = append(t.log, r)
	if limit := db.options.HistoryLimit; limit > 0 && len(db.log) > limit {
		db.forget(db.log[len(db.log)-limit-1].Revision)
	}
	if db.options.OnCommit != nil {
		db.outbox = append(db.outbox, func() { db.options.OnCommit(c) })
	}
	for _, w := range t.watchers {
		w.offer(r)
	}
	r.rest()
}

// rest lets go of the objects that nobody is expected to read, when the watches have seen the commit. Of what a key held in the past, the
// log keeps the data only. It is decoded again if a watch or a list begins in the past. Most of the objects of a rollout are of that kind:
// a Pod is written a dozen times.
func (r *record) rest() {
	if before := r.before; before != nil && before.object != nil {
		r.before = before.encoded()
		if before.written != nil {
			before.written.after = r.before
		}
	}
	switch {
	case r.after.object == nil:
	case r.Op == OpDelete:
		r.after = r.after.encoded()
	case r.Resource.Resource == "events":
		// No controller reads Events, and there are more of them than of anything else.
		r.after = r.after.encoded()
		r.table.set(r.after)
	default:
		r.after.written = r
	}
}

// encoded is the entry without its object: whoever reads it decodes it.
func (e *entry) encoded() *entry {
	return &entry{key: e.key, revision: e.revision, data: e.data, writer: e.writer}
}

// Advance makes an empty DB begin at a revision, as though it had seen earlier commits and forgotten them.
func (db *DB) Advance(revision uint64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if len(db.log) > 0 || revision < db.revision {
		panic(fmt.Sprintf("memdb: advance a DB at revision %d, with %d commits, to %d", db.revision, len(db.log), revision))
	}
	db.revision, db.compacted = revision, revision
}

// Skip makes the next commit have at least this revision, as though keys that nobody sees had been written before it.
func (db *DB) Skip(revision uint64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.revision = max(db.revision, revision-1)
}

// Compact forgets how the DB came to be what it was at revision. Exact lists and continued lists of
// an older revision, and watches from an older one, fail with 410 Expired from now on. Open watches
// are not concerned: they already have their events.
//
// Example: with commits 2, 3, 4 and 5, Compact(3) keeps the commits 4 and 5. A list at revision 3
// can still be computed by undoing them and a watch from 3 can still be given them, but one at 2
// cannot.
func (db *DB) Compact(revision uint64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.forget(min(revision, db.revision))
}

// forget drops the commits up to and including revision.
func (db *DB) forget(revision uint64) {
	if revision <= db.compacted {
		return
	}
	db.compacted = revision
	for len(db.log) > 0 && db.log[0].Revision <= revision {
		// The oldest commit of all is the oldest of its table, too.
		oldest := db.log[0]
		if oldest.after.written == oldest {
			oldest.after.written = nil
		}
		t := oldest.table
		t.log[0], db.log[0] = nil, nil
		t.log, db.log = t.log[1:], db.log[1:]
	}
}

// since returns the commits of the table after revision, oldest first.
func (t *table) since(revision uint64) []*record {
	first := sort.Search(len(t.log), func(i int) bool { return t.log[i].Revision > revision })
	return t.log[first:]
}

// readAt is read as it would have been at revision, which must not be compacted.
//
// A key that was written since then held what the first of those writes found there:
//
//	commits     2: create a    3: create b    4: update a    5: delete a
//	list at 3   a as commit 4 found it, that is as of 2; b as it is
func (t *table) readAt(revision uint64, span span, from string) []*entry {
	current := t.read(span, from)
	found := map[string]*entry{}
	for _, r := range t.since(revision) {
		if !span.covers(r.Key) || r.Key < from {
			continue
		}
		if _, ok := found[r.Key]; !ok {
			found[r.Key] = r.before
		}
	}
	if len(found) == 0 {
		return current
	}
	past := slices.DeleteFunc(current, func(e *entry) bool {
		_, written := found[e.key]
		return written
	})
	for _, before := range found {
		if before != nil {
			past = append(past, before)
		}
	}
	slices.SortFunc(past, func(a, b *entry) int { return strings.Compare(a.key, b.key) })
	return past
}

// The messages of a 410 for a list. Clients show them to people and some match on them, so they are
// kube-apiserver's words (etcd3/errors.go).
const (
	listExpired = "The resourceVersion for the provided list is too old."
	pageExpired = "The provided continue parameter is too old " +
		"to display a consistent list result. You can start a new list without " +
		"the continue parameter"
	pageInconsistent = pageExpired + ", or use the continue token in this response to " +
		"retrieve the remainder of the results. Continuing with the provided " +
		"token results in an inconsistent list - objects that were created, " +
		"modified, or deleted between the time the first chunk was returned " +
		"and now may show up in the list."
)

// expiredWatch is the error of a watch from a compacted revision, as the watch cache words it.
func expiredWatch(revision, compacted uint64) *apierrors.StatusError {
	return apierrors.NewResourceExpired(
		fmt.Sprintf("too old resource version: %d (%d)", revision, compacted))
}

// expiredList is the error of a list at a compacted revision. For a continued list it brings a token that continues at
// the same key with the newest state, for clients that accept an inconsistent list.
func expiredList(prefix, continueKey string) error {
	if continueKey == "" {
		return apierrors.NewResourceExpired(listExpired)
	}
	const newest = -1
	token, err := storage.EncodeContinue(continueKey, prefix, newest)
	if err != nil {
		return apierrors.NewResourceExpired(pageExpired + ".")
	}
	expired := apierrors.NewResourceExpired(pageInconsistent)
	expired.ErrStatus.ListMeta.Continue = token
	return expired
}
