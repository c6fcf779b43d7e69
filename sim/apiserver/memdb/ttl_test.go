package memdb

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/utils/ptr"
)

// runUntil lets time pass as the owner of a DB does: it sleeps until the next key is due.
func (w *world) runUntil(end time.Time) {
	for {
		at, ok := w.db.NextExpiry()
		if !ok || at.After(end) {
			time.Sleep(time.Until(end))
			return
		}
		time.Sleep(time.Until(at))
		w.db.Expire(time.Now())
	}
}

func TestKeysExpireInTheOrderOfTheirDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var log []string
		w := newWorld(t, Options{OnCommit: func(c Commit) {
			if c.Op == OpDelete {
				log = append(log, time.Since(start).String()+" "+c.Key)
			}
		}})
		w.createTTL("late", 20)
		w.createTTL("soon", 10)
		w.createTTL("also-soon", 10)
		w.create("never")
		watch := w.watch("5")
		w.runUntil(start.Add(time.Minute))
		want := []string{
			"10s /registry/pods/default/soon",
			"10s /registry/pods/default/also-soon",
			"20s /registry/pods/default/late",
		}
		if diff := cmp.Diff(want, log); diff != "" {
			t.Error(diff)
		}
		want = []string{"DELETED soon@6", "DELETED also-soon@7", "DELETED late@8"}
		if diff := cmp.Diff(want, pending(watch)); diff != "" {
			t.Error(diff)
		}
		if at, ok := w.db.NextExpiry(); ok {
			t.Errorf("something is due at %s", at)
		}
	})
}

func TestWhatMovesADeadline(t *testing.T) {
	tests := map[string]struct {
		ttl *uint64
		// label makes the update one that changes something.
		label string
		want  time.Duration // from the update, at 6 s; 0 is never
	}{
		"a nil ttl keeps it":                {nil, "new", 4 * time.Second},
		"a ttl renews it":                   {ptr.To(uint64(10)), "new", 10 * time.Second},
		"a ttl of 0 removes it":             {ptr.To(uint64(0)), "new", 0},
		"an update of nothing leaves it":    {ptr.To(uint64(10)), "", 4 * time.Second},
		"a shorter ttl brings it forward":   {ptr.To(uint64(1)), "new", time.Second},
		"the same deadline may be set anew": {ptr.To(uint64(4)), "new", 4 * time.Second},
	}
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld(t, Options{})
				w.createTTL("a", 10)
				time.Sleep(6 * time.Second)
				err := w.pods.GuaranteedUpdate(w.ctx, key("a"), &core.Pod{}, false, nil,
					func(in runtime.Object, _ storage.ResponseMeta) (
						runtime.Object, *uint64, error,
					) {
						if tc.label != "" {
							setLabels(in.(*core.Pod), tc.label, "1")
						}
						return in, tc.ttl, nil
					}, nil)
				if err != nil {
					t.Fatal(err)
				}
				at, ok := w.db.NextExpiry()
				if ok != (tc.want > 0) || ok && time.Until(at) != tc.want {
					t.Errorf("due in %s (%t), want %s", time.Until(at), ok, tc.want)
				}
			})
		})
	}
}

func TestDeletedKeyHasNoDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t, Options{})
		w.createTTL("a", 10)
		w.delete("a")
		w.create("a")
		w.runUntil(time.Now().Add(time.Minute))
		if got := len(w.everything().Items); got != 1 {
			t.Errorf("%d pods, want the second a to live on", got)
		}
	})
}
