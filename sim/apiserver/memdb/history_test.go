package memdb

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/kubernetes/pkg/apis/core"
)

// TestAnyRevisionCanBeListed writes at random, keeps a naive copy of the list at each revision, and
// then asks for each of them in whole and in pages.
func TestAnyRevisionCanBeListed(t *testing.T) {
	for seed := range uint64(20) {
		t.Run(fmt.Sprintf("seed=%d", seed), func(t *testing.T) {
			checkHistory(t, rand.New(rand.NewPCG(seed, 0)), 120, int(seed%3)*40)
		})
	}
}

func FuzzAnyRevisionCanBeListed(f *testing.F) {
	f.Add(uint64(1), uint8(20), uint8(0))
	f.Add(uint64(2), uint8(60), uint8(10))
	f.Add(uint64(1), uint8(82), uint8(71)) // exactly as many commits as are kept
	f.Fuzz(func(t *testing.T, seed uint64, writes, limit uint8) {
		checkHistory(t, rand.New(rand.NewPCG(seed, 1)), int(writes), int(limit))
	})
}

func checkHistory(t *testing.T, random *rand.Rand, writes, historyLimit int) {
	w := newWorld(t, Options{HistoryLimit: historyLimit})
	copies := map[uint64]*core.PodList{w.db.Revision(): w.everything()}
	for range writes {
		w.writeAtRandom(random)
		copies[w.db.Revision()] = w.everything()
	}
	compacted := uint64(w.pods.CompactRevision())
	if historyLimit == 0 && compacted != 0 {
		t.Errorf("compacted up to %d without a limit", compacted)
	}
	kept := w.db.Revision() - max(compacted, firstRevision)
	if kept != uint64(len(w.db.log)) {
		t.Errorf("the log holds %d commits, want the %d that are not compacted",
			len(w.db.log), kept)
	}
	if historyLimit > 0 && kept > uint64(historyLimit) {
		t.Errorf("%d commits are kept, want at most %d", kept, historyLimit)
	}
	for revision, want := range copies {
		got, err := w.listAt(revision, 1+random.Int64N(4))
		if revision < compacted {
			if !apierrors.IsResourceExpired(err) {
				t.Errorf("list at %d, compacted at %d: %v", revision, compacted, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Items, got.Items); diff != "" {
			t.Fatalf("list at %d: %s", revision, diff)
		}
	}
}

// writeAtRandom creates, updates or deletes one of a few pods.
func (w *world) writeAtRandom(random *rand.Rand) {
	name := string(rune('a' + random.IntN(6)))
	out := &core.Pod{}
	opts := storage.GetOptions{IgnoreNotFound: true}
	if err := w.pods.Get(w.ctx, key(name), opts, out); err != nil {
		w.t.Fatal(err)
	}
	switch {
	case out.Name == "":
		w.create(name)
	case random.IntN(3) == 0:
		w.delete(name)
	default:
		w.relabel(name, "x", fmt.Sprint(random.IntN(3)))
	}
}

func (w *world) everything() *core.PodList {
	w.t.Helper()
	list, err := w.list("/pods", storage.ListOptions{
		Recursive: true, Predicate: selecting("", ""),
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return list
}

// listAt lists exactly at a revision, in pages.
func (w *world) listAt(revision uint64, limit int64) (*core.PodList, error) {
	opts := storage.ListOptions{
		Recursive:            true,
		Predicate:            paged(selecting("", ""), limit, ""),
		ResourceVersion:      fmt.Sprint(revision),
		ResourceVersionMatch: metav1.ResourceVersionMatchExact,
	}
	all := &core.PodList{Items: []core.Pod{}}
	for {
		page, err := w.list("/pods", opts)
		if err != nil {
			return nil, err
		}
		all.Items = append(all.Items, page.Items...)
		if page.Continue == "" {
			return all, nil
		}
		opts.ResourceVersion, opts.ResourceVersionMatch = "", ""
		opts.Predicate.Continue = page.Continue
	}
}

// TestReplayLeadsToTheList follows watches from random revisions and checks that what they tell
// adds up to what a list shows.
func TestReplayLeadsToTheList(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	w := newWorld(t, Options{})
	selector := selecting("x=1", "")
	known := map[uint64]map[string]string{}
	for range 150 {
		w.writeAtRandom(random)
		list, err := w.list("/pods", storage.ListOptions{Recursive: true, Predicate: selector})
		if err != nil {
			t.Fatal(err)
		}
		known[w.db.Revision()] = byName(list)
	}
	newest := known[w.db.Revision()]
	for revision, state := range known {
		watch := w.watchWith("/pods", storage.ListOptions{
			Recursive: true, Predicate: selector, ResourceVersion: fmt.Sprint(revision),
		})
		for {
			event, ok := watch.Next()
			if !ok {
				break
			}
			p := event.Object.(*core.Pod)
			_, had := state[p.Name]
			switch event.Type {
			case "ADDED", "MODIFIED":
				if had != (event.Type == "MODIFIED") {
					t.Fatalf("from %d: %s, but known: %t", revision, eventText(event), had)
				}
				state[p.Name] = p.ResourceVersion
			case "DELETED":
				if !had {
					t.Fatalf("from %d: %s of an unknown pod", revision, eventText(event))
				}
				delete(state, p.Name)
			}
		}
		if revision != w.db.Revision() {
			if diff := cmp.Diff(newest, state); diff != "" {
				t.Fatalf("from %d: %s", revision, diff)
			}
		}
		watch.Stop()
	}
}

func byName(list *core.PodList) map[string]string {
	revisions := map[string]string{}
	for _, p := range list.Items {
		revisions[p.Name] = p.ResourceVersion
	}
	return revisions
}

func TestHistoryLimitAndCompact(t *testing.T) {
	w := newWorld(t, Options{HistoryLimit: 3})
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		w.create(name)
	}
	steps := []struct {
		name string
		do   func()
		want int64
	}{
		{"five commits, 4 to 6 kept", func() {}, 3},
		{"an older revision changes nothing", func() { w.db.Compact(2) }, 3},
		{"a newer one compacts", func() { w.db.Compact(5) }, 5},
		{"the future is not compacted", func() { w.db.Compact(99) }, 6},
	}
	for _, step := range steps {
		step.do()
		if got := w.pods.CompactRevision(); got != step.want {
			t.Errorf("%s: compacted at %d, want %d", step.name, got, step.want)
		}
	}
	if len(w.db.log) != 0 || len(w.db.table("/registry/pods").log) != 0 {
		t.Error("the log still holds compacted commits")
	}
	if got := len(w.everything().Items); got != 5 {
		t.Errorf("%d pods are left, want 5", got)
	}
}
