package memdb

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/utils/ptr"
)

// withBookmarks selects everything, for a client that understands bookmarks.
func withBookmarks() storage.SelectionPredicate {
	p := storage.Everything
	p.AllowWatchBookmarks = true
	return p
}

// watchCases are watches opened in the middle of a story. Before: create a, create b, relabel a
// with x=1, delete b, that is revisions 2 to 5. After: create c with x=1, relabel it with x=2,
// delete a, that is revisions 6 to 8.
var watchCases = map[string]struct {
	key  string
	opts storage.ListOptions
	want []string
}{
	"from nothing: what exists, then changes": {
		key:  "/pods",
		opts: storage.ListOptions{Recursive: true, Predicate: storage.Everything},
		want: []string{"ADDED a@4", "ADDED c@6", "MODIFIED c@7", "DELETED a@8"},
	},
	"from 0: the same": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: storage.Everything, ResourceVersion: "0",
		},
		want: []string{"ADDED a@4", "ADDED c@6", "MODIFIED c@7", "DELETED a@8"},
	},
	"from a revision: what came after it": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: storage.Everything, ResourceVersion: "3",
		},
		want: []string{
			"MODIFIED a@4", "DELETED b@5", "ADDED c@6", "MODIFIED c@7", "DELETED a@8",
		},
	},
	"from the future: nothing up to it": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: storage.Everything, ResourceVersion: "7",
		},
		want: []string{"DELETED a@8"},
	},
	"one key": {
		key:  key("a"),
		opts: storage.ListOptions{Predicate: storage.Everything, ResourceVersion: "1"},
		want: []string{"ADDED a@2", "MODIFIED a@4", "DELETED a@8"},
	},
	"a selector that objects begin and cease to match": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: selecting("x=1", ""), ResourceVersion: "1",
		},
		want: []string{"ADDED a@4", "ADDED c@6", "DELETED c@7", "DELETED a@8"},
	},
	"initial events with their end": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: withBookmarks(), SendInitialEvents: ptr.To(true),
		},
		want: []string{
			"ADDED a@4", "BOOKMARK @5 end of initial events",
			"ADDED c@6", "MODIFIED c@7", "DELETED a@8",
		},
	},
	"initial events at least as new as a revision": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: storage.Everything, SendInitialEvents: ptr.To(true),
			ResourceVersion: "2",
		},
		want: []string{"ADDED a@4", "ADDED c@6", "MODIFIED c@7", "DELETED a@8"},
	},
	"initial events of the future": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: storage.Everything, SendInitialEvents: ptr.To(true),
			ResourceVersion: "9",
		},
		want: []string{"ERROR 504 Timeout: Too large resource version: 9, current: 5"},
	},
	"no initial events": {
		key: "/pods",
		opts: storage.ListOptions{
			Recursive: true, Predicate: withBookmarks(), SendInitialEvents: ptr.To(false),
		},
		want: []string{"ADDED c@6", "MODIFIED c@7", "DELETED a@8"},
	},
}

func TestWatch(t *testing.T) {
	for name, tc := range watchCases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, Options{})
			w.create("a")
			w.create("b")
			w.relabel("a", "x", "1")
			w.delete("b")
			watch := w.watchWith(tc.key, tc.opts)
			w.create("c", "x", "1")
			w.relabel("c", "x", "2")
			w.delete("a")
			if diff := cmp.Diff(tc.want, pending(watch)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLeavingASelectorShowsThePreviousObject(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a", "x", "1")
	opts := storage.ListOptions{
		Recursive: true, Predicate: selecting("x=1", ""), ResourceVersion: "2",
	}
	watches := []*watcher{w.watchWith("/pods", opts), w.watchWith("/pods", opts)}
	w.relabel("a", "x", "2")
	for _, watch := range watches {
		event, _ := watch.Next()
		left := event.Object.(*core.Pod)
		if left.Labels["x"] != "1" || left.ResourceVersion != "3" {
			t.Errorf("%s with label %q, want the labels it had and resourceVersion 3",
				eventText(event), left.Labels["x"])
		}
	}
	if got := w.everything().Items[0].ResourceVersion; got != "3" {
		t.Errorf("resourceVersion %s", got)
	}
}

func TestWatchFromACompactedRevisionIsExpired(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	w.create("b")
	w.create("c")
	open := w.watch("1")
	w.db.Compact(3)
	all := []string{"ADDED a@2", "ADDED b@3", "ADDED c@4"}
	for rv, want := range map[string][]string{
		"1": {"ERROR 410 too old resource version: 1 (3)"},
		"2": {"ERROR 410 too old resource version: 2 (3)"},
		"3": {"ADDED c@4"},
		"4": nil,
		"":  all,
	} {
		if diff := cmp.Diff(want, pending(w.watch(rv))); diff != "" {
			t.Errorf("from %q: %s", rv, diff)
		}
	}
	if diff := cmp.Diff(all, pending(open)); diff != "" {
		t.Errorf("a watch that was open: %s", diff)
	}
}

func TestResultChannelEndsAfterAnError(t *testing.T) {
	w := newWorld(t, Options{})
	w.create("a")
	w.db.Compact(2)
	var got []string
	for event := range w.watch("1").ResultChan() {
		got = append(got, eventText(event))
	}
	if diff := cmp.Diff([]string{"ERROR 410 too old resource version: 1 (2)"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSlowReadersHoldUpNobody(t *testing.T) {
	const writes = 5 * resultBuffer
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		channel, source := w.watch("1"), w.watch("1")
		results := channel.ResultChan()
		w.create("a")
		for i := range writes {
			w.relabel("a", "i", fmt.Sprint(i))
		}
		if got := len(pending(source)); got != writes+1 {
			t.Errorf("%d events are pending, want %d", got, writes+1)
		}
		for i := range writes + 1 {
			event := <-results
			if got := event.Object.(*core.Pod).ResourceVersion; got != fmt.Sprint(i+2) {
				t.Fatalf("event %d has resourceVersion %s", i, got)
			}
		}
		channel.Stop()
		if _, open := <-results; open {
			t.Error("the channel is open after Stop")
		}
		// A goroutine that is left would fail the bubble; so would a source that had started one.
	})
}

func TestNotifyIsCalledOncePerEvent(t *testing.T) {
	var log []string
	w := newWorld(t, Options{OnCommit: func(c Commit) {
		log = append(log, fmt.Sprintf("commit %d", c.Revision))
	}})
	w.create("a")
	selector := selecting("x!=2", "")
	first := w.watchWith("/pods", storage.ListOptions{Recursive: true, Predicate: selector})
	second := w.watchWith("/pods", storage.ListOptions{Recursive: true, Predicate: selector})
	w.create("b")
	// A callback may use the DB and the watch: no lock is held.
	first.SetNotify(func() {
		event, _ := first.Next()
		log = append(log, fmt.Sprintf("first %s at %d", eventText(event), w.db.Revision()))
	})
	second.SetNotify(func() { log = append(log, "second") })
	w.create("c", "x", "2")
	w.delete("a")
	second.Stop()
	w.create("d")
	want := []string{
		"commit 2", "commit 3",
		"first ADDED a@2 at 3", "first ADDED b@3 at 3", "second", "second",
		"commit 4",
		"commit 5", "first DELETED a@5 at 5", "second",
		"commit 6", "first ADDED d@6 at 6",
	}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Error(diff)
	}
	if _, ok := second.Next(); ok {
		t.Error("an event is pending after Stop")
	}
}

func TestWatchStoppedByTheReportOfACommitIsNotNotified(t *testing.T) {
	var watch *watcher
	w := newWorld(t, Options{OnCommit: func(Commit) { watch.Stop() }})
	watch = w.watch("")
	watch.SetNotify(func() { t.Error("notified after Stop") })
	w.create("a") // the event is pending before OnCommit is called
}

func TestContextEndsAWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		ctx, cancel := context.WithCancel(t.Context())
		everything := storage.ListOptions{Recursive: true, Predicate: storage.Everything}
		var channels []<-chan watch.Event
		for range 3 {
			opened, err := w.pods.Watch(ctx, "/pods", everything)
			if err != nil {
				t.Fatal(err)
			}
			channels = append(channels, opened.ResultChan())
		}
		source, err := w.pods.Watch(ctx, "/pods", everything)
		if err != nil {
			t.Fatal(err)
		}
		source.(EventSource).SetNotify(func() { t.Error("notified after the context ended") })
		cancel()
		w.create("a") // before the goroutines that stop the watches have run
		synctest.Wait()
		for i, channel := range channels {
			if event, open := <-channel; open {
				t.Errorf("watch %d got %s after its context ended", i, eventText(event))
			}
		}
		if left := len(w.db.table("/registry/pods").watchers); left != 0 {
			t.Errorf("%d watchers are left", left)
		}
	})
}

func TestStopIsFinal(t *testing.T) {
	w := newWorld(t, Options{})
	watch := w.watch("")
	watch.Stop()
	watch.Stop()
	w.create("a")
	if _, open := <-watch.ResultChan(); open {
		t.Error("an event after Stop")
	}
	if got := pending(watch); len(got) != 0 {
		t.Errorf("pending after Stop: %v", got)
	}
}

func TestProgressIsABookmark(t *testing.T) {
	w := newWorld(t, Options{})
	asked := w.watchWith("/pods", storage.ListOptions{
		Recursive: true, Predicate: storage.Everything, ProgressNotify: true,
	})
	other := w.watch("")
	notified := 0
	asked.SetNotify(func() { notified++ })
	if err := w.pods.RequestWatchProgress(w.ctx); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"BOOKMARK @1"}, pending(asked)); diff != "" || notified != 1 {
		t.Errorf("notified %d times; %s", notified, diff)
	}
	if got := pending(other); len(got) != 0 {
		t.Errorf("a watch that did not ask got %v", got)
	}
}
