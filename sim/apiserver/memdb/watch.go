package memdb

import (
	"context"
	"errors"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
	utilflowcontrol "k8s.io/apiserver/pkg/util/flowcontrol"
)

// retrySeconds is when a client that asks for a revision of the future shall try again. Upstream
// draws it at random from 1 to 4.
const retrySeconds = 1

// Watch implements storage.Interface. The returned watch is an EventSource, too.
func (s *store) Watch(
	ctx context.Context, key string, opts storage.ListOptions,
) (watch.Interface, error) {
	key, err := s.prepareKey(key, opts.Recursive)
	if err != nil {
		return nil, err
	}
	revision, err := versioner.ParseResourceVersion(opts.ResourceVersion)
	if err != nil {
		return nil, err
	}
	needsBookmarks := opts.ProgressNotify || wantsInitialEventsEnd(opts)
	if needsBookmarks && s.newFunc == nil {
		return nil, apierrors.NewInternalError(
			errors.New("memdb: bookmarks need a newFunc, and the store has none"))
	}
	w := &watcher{
		store:     s,
		ctx:       ctx,
		span:      span{key: key, recursive: opts.Recursive},
		predicate: opts.Predicate,
		progress:  opts.ProgressNotify,
	}
	if ctx.Err() != nil {
		// The client has gone before it came, which is not an error of the server's.
		w.Stop()
		return w, nil
	}
	s.open(w, revision, opts)
	w.stopWithContext()
	// The flow control of kube-apiserver counts a watch as expensive until its initial events are
	// queued.
	utilflowcontrol.WatchInitialized(ctx)
	return w, nil
}

// open queues the events that a watch begins with and registers it for those to come, in one step,
// so that no commit falls in between.
func (s *store) open(w *watcher, revision uint64, opts storage.ListOptions) {
	db := s.db
	db.mu.Lock()
	defer db.mu.Unlock()
	switch {
	case wantsInitialEvents(revision, opts):
		if revision > db.revision {
			err := storage.NewTooLargeResourceVersionError(revision, db.revision, retrySeconds)
			w.fail(err.(apierrors.APIStatus))
			return
		}
		for _, e := range s.table.read(w.span, "") {
			w.enqueue(queued{initial: e})
		}
		if wantsInitialEventsEnd(opts) {
			w.push(queued{event: s.initialEventsEnd(db.revision)})
		}
		w.since = db.revision
	case revision == 0:
		// sendInitialEvents=false: what happens from now on.
		w.since = db.revision
	case revision < db.compacted:
		w.fail(expiredWatch(revision, db.compacted))
		return
	default:
		// A revision of the future is waited for: nothing up to it is delivered.
		w.since = revision
		for _, r := range s.table.since(revision) {
			w.offer(r)
		}
	}
	s.table.watchers = append(s.table.watchers, w)
}

// close ends the delivery of events to w.
func (s *store) close(w *watcher) {
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	if i := slices.Index(s.table.watchers, w); i >= 0 {
		s.table.watchers = slices.Delete(s.table.watchers, i, i+1)
	}
}

// wantsInitialEvents reports whether a watch begins with an ADDED event for each object that exists.
// With sendInitialEvents unset, the resourceVersions "" and "0" ask for that.
func wantsInitialEvents(revision uint64, opts storage.ListOptions) bool {
	if opts.SendInitialEvents == nil {
		return revision == 0
	}
	return *opts.SendInitialEvents
}

// wantsInitialEventsEnd reports whether a bookmark marks the end of the initial events.
func wantsInitialEventsEnd(opts storage.ListOptions) bool {
	return opts.SendInitialEvents != nil && *opts.SendInitialEvents &&
		opts.Predicate.AllowWatchBookmarks
}

// bookmark is an event that carries nothing but a revision.
func (s *store) bookmark(revision uint64) watch.Event {
	object := s.newFunc()
	stamp(object, revision)
	return watch.Event{Type: watch.Bookmark, Object: object}
}

// initialEventsEnd is the bookmark at which a streaming client knows that its list is complete.
func (s *store) initialEventsEnd(revision uint64) watch.Event {
	event := s.bookmark(revision)
	if err := storage.AnnotateInitialEventsEndBookmark(event.Object); err != nil {
		panic("memdb: a bookmark has metadata, but: " + err.Error())
	}
	return event
}

// RequestWatchProgress implements storage.Interface: watches of this store that were opened with
// ProgressNotify get a bookmark.
func (s *store) RequestWatchProgress(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	defer s.db.report()
	s.db.mu.Lock()
	defer s.db.mu.Unlock()
	for _, w := range s.table.watchers {
		if w.store == s && w.progress {
			w.push(queued{event: s.bookmark(s.db.revision)})
		}
	}
	return nil
}

// offer queues the event that a commit is for this watch, if it is one. The caller holds DB.mu.
func (w *watcher) offer(r *record) {
	if r.Revision <= w.since || !w.span.covers(r.Key) {
		return
	}
	w.enqueue(queued{record: r})
}

// enqueue queues what an event is made of, if the Store may not decode it now, or else the event, if the watch selects it.
func (w *watcher) enqueue(p queued) {
	if w.store.decodes {
		w.push(p)
		return
	}
	// Whoever does not decode does not fail.
	if event, ok, _ := w.resolve(p); ok {
		w.push(queued{event: event})
	}
}

// see translates a commit for a client that knows only of the objects its selector matches: one
// that begins to match is new to it, and one that ceases to match is gone.
func (w *watcher) see(r *record) (event watch.Event, ok bool, err error) {
	if w.store.decodes && selectsAll(w.predicate) {
		// What was there before need not be decoded.
		after, err := w.store.decoded(r.after)
		return watch.Event{Type: eventTypes[r.Op], Object: after}, true, err
	}
	before, did, err := w.matching(r.before)
	if err != nil {
		return watch.Event{}, false, err
	}
	if r.Op == OpDelete && !did {
		return watch.Event{}, false, nil
	}
	if r.Op == OpDelete {
		after, err := w.store.decoded(r.after)
		return watch.Event{Type: watch.Deleted, Object: after}, true, err
	}
	after, does, err := w.matching(r.after)
	switch {
	case err != nil:
		return watch.Event{}, false, err
	case did && does:
		return watch.Event{Type: watch.Modified, Object: after}, true, nil
	case does:
		return watch.Event{Type: watch.Added, Object: after}, true, nil
	case did:
		return watch.Event{Type: watch.Deleted, Object: r.left(w.store, before)}, true, nil
	}
	return watch.Event{}, false, nil
}

var eventTypes = map[Op]watch.EventType{OpCreate: watch.Added, OpUpdate: watch.Modified, OpDelete: watch.Deleted}

// matching is the object of an entry, if there is one, and whether the watch selects it. As upstream does, an object whose
// attributes cannot be read counts as not matching.
func (w *watcher) matching(e *entry) (object runtime.Object, ok bool, err error) {
	object, err = w.store.decoded(e)
	if err != nil || object == nil {
		return nil, false, err
	}
	ok, err = w.predicate.Matches(object)
	return object, err == nil && ok, nil
}
