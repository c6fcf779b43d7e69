package memdb

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
)

func TestConcurrentWritersLoseNothing(t *testing.T) {
	const writers, increments = 8, 25
	var seen []uint64
	// Without a lock of its own, to let the race detector check that reports do not overlap.
	w := newWorld(t, Options{
		HistoryLimit: 10,
		OnCommit:     func(c Commit) { seen = append(seen, c.Revision) },
	})
	w.create("counter")
	watch := w.watch("2")
	results := watch.ResultChan()
	increment := func(in runtime.Object, _ storage.ResponseMeta) (runtime.Object, *uint64, error) {
		in.(*core.Pod).Generation++
		return in, nil, nil
	}
	var group sync.WaitGroup
	for range writers {
		group.Go(func() {
			for range increments {
				err := w.pods.GuaranteedUpdate(w.ctx, key("counter"), &core.Pod{}, false, nil,
					increment, nil)
				if err != nil {
					t.Error(err)
				}
				opts := storage.ListOptions{Predicate: storage.Everything, Recursive: true}
				if _, err := w.list("/pods/", opts); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for want := int64(1); want <= writers*increments; want++ {
		if got := (<-results).Object.(*core.Pod).Generation; got != want {
			t.Fatalf("watched generation %d, want %d", got, want)
		}
	}
	group.Wait()
	for i, revision := range seen {
		if revision != uint64(i+2) {
			t.Fatalf("report %d is of revision %d", i, revision)
		}
	}
	if len(seen) != writers*increments+1 {
		t.Errorf("%d reports, want %d", len(seen), writers*increments+1)
	}
}

// TestNotifyCountsUnderConcurrency opens and closes watches while others write: each open watch is
// notified exactly as often as it has events.
func TestNotifyCountsUnderConcurrency(t *testing.T) {
	const writers, writes = 4, 50
	w := newWorld(t, Options{})
	for i := range writers {
		w.create(fmt.Sprint("pod-", i))
	}
	var group sync.WaitGroup
	for i := range writers {
		group.Go(func() {
			for n := range writes {
				w.relabel(fmt.Sprint("pod-", i), "n", fmt.Sprint(n))
			}
		})
	}
	var watches []*watcher
	notified := make([]atomic.Int64, 40)
	for i := range notified {
		watch := w.watch("")
		watch.SetNotify(func() { notified[i].Add(1) })
		if i%2 == 0 {
			watch.Stop()
			watch = nil
		}
		watches = append(watches, watch)
	}
	group.Wait()
	for i, watch := range watches {
		if watch == nil {
			continue
		}
		events := pending(watch)
		if got := notified[i].Load(); got != int64(len(events)) {
			t.Errorf("watch %d: notified %d times of %d events", i, got, len(events))
		}
		last := fmt.Sprintf("@%d", w.db.Revision())
		if !strings.HasSuffix(events[len(events)-1], last) {
			t.Errorf("watch %d ends with %s, want %s", i, events[len(events)-1], last)
		}
	}
}
