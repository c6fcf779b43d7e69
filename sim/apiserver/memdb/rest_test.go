package memdb

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
)

// TestThePastIsKeptEncoded writes at random. Only what a key holds now has an object; what the log has of the past is the data of entries
// whose objects were as they are when they are decoded again.
func TestThePastIsKeptEncoded(t *testing.T) {
	var commits []Commit
	w := newWorld(t, Options{OnCommit: func(c Commit) { commits = append(commits, c) }})
	random := rand.New(rand.NewPCG(1, 0))
	for range 200 {
		w.writeAtRandom(random)
	}
	s := w.pods.(*store)
	for i, r := range w.db.log {
		object, err := s.decoded(r.after)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(commits[i].Object, object); diff != "" {
			t.Fatalf("commit %d decoded again: %s", r.Revision, diff)
		}
		previous, err := s.decoded(r.before)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(commits[i].Previous, previous); diff != "" {
			t.Fatalf("what was before commit %d, decoded again: %s", r.Revision, diff)
		}
		if r.before != nil && r.before.object != nil {
			t.Errorf("commit %d keeps the object that was there before", r.Revision)
		}
		if current := s.table.get(r.Key) == r.after; (r.after.object != nil) != current {
			t.Errorf("commit %d has an object: %t, but it is the current one: %t", r.Revision, r.after.object != nil, current)
		}
	}
	w.db.Compact(w.db.Revision())
	for e := range s.table.rows.from("") {
		if e.written != nil {
			t.Errorf("%s keeps a commit that is compacted", e.key)
		}
	}
}

// TestEventsAreKeptEncoded writes an Event twice and deletes it. All who read it, and all who see the commits, see the objects.
func TestEventsAreKeptEncoded(t *testing.T) {
	var commits []Commit
	w := newWorld(t, Options{OnCommit: func(c Commit) { commits = append(commits, c) }})
	events := w.store("events", func() runtime.Object { return &core.Event{} }, func() runtime.Object { return &core.EventList{} })
	const key = "/events/default/e"
	event := &core.Event{}
	event.Name, event.Namespace, event.Count = "e", "default", 1
	if err := events.Create(w.ctx, key, event, &core.Event{}, 0); err != nil {
		t.Fatal(err)
	}
	updated := &core.Event{}
	err := events.GuaranteedUpdate(w.ctx, key, updated, false, nil,
		func(in runtime.Object, _ storage.ResponseMeta) (runtime.Object, *uint64, error) {
			in.(*core.Event).Count++
			return in, nil, nil
		}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if e := events.(*store).table.get("/registry" + key); e.object != nil {
		t.Error("the table keeps the object of an Event")
	}
	read := &core.Event{}
	if err := events.Get(w.ctx, key, storage.GetOptions{}, read); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(updated, read); diff != "" || read.Count != 2 {
		t.Errorf("read %d, which differs from what was written: %s", read.Count, diff)
	}
	gone := &core.Event{}
	if err := events.Delete(w.ctx, key, gone, nil, storage.ValidateAllObjectFunc, nil, storage.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct{ object, previous runtime.Object }{{commits[0].Object, nil}, {updated, commits[0].Object}, {gone, updated}} {
		if diff := cmp.Diff(want.object, commits[i].Object) + cmp.Diff(want.previous, commits[i].Previous); diff != "" {
			t.Errorf("commit %d: %s", i, diff)
		}
	}
}

// TestAnEventExpires lets the time to live of an Event pass, which is kept encoded.
func TestAnEventExpires(t *testing.T) {
	var last Commit
	w := newWorld(t, Options{OnCommit: func(c Commit) { last = c }})
	events := w.store("events", func() runtime.Object { return &core.Event{} }, func() runtime.Object { return &core.EventList{} })
	event := &core.Event{}
	event.Name, event.Namespace, event.Count = "e", "default", 7
	const hour = 3600
	if err := events.Create(w.ctx, "/events/default/e", event, &core.Event{}, hour); err != nil {
		t.Fatal(err)
	}
	at, ok := w.db.NextExpiry()
	if !ok {
		t.Fatal("nothing will expire")
	}
	w.db.Expire(at)
	if gone, isEvent := last.Object.(*core.Event); last.Op != OpDelete || !isEvent || gone.Count != 7 {
		t.Errorf("the last commit is %s of %v", last.Op, last.Object)
	}
}
