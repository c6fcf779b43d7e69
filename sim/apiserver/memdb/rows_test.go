package memdb

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestRows compares rows with a map of the same entries, while thousands of keys come and go in a random order: what each key holds, and
// the order from each key on. No block may grow beyond its size, or be empty.
func TestRows(t *testing.T) {
	draws := rand.New(rand.NewPCG(1, 2))
	var r rows
	want := map[string]*entry{}
	for step := range 20_000 {
		key := fmt.Sprintf("/pods/%d", draws.IntN(2000))
		// Keys come more often than they go for some time, and go more often then.
		if comes := draws.IntN(3) > 0; comes == (step/5000%2 == 0) {
			e := &entry{key: key}
			if before := r.set(e); before != want[key] {
				t.Fatalf("step %d: set %s: %v was there, want %v", step, key, before, want[key])
			}
			want[key] = e
		} else {
			if before := r.remove(key); before != want[key] {
				t.Fatalf("step %d: remove %s: %v was there, want %v", step, key, before, want[key])
			}
			delete(want, key)
		}
		if got := r.get(key); got != want[key] || r.count != len(want) {
			t.Fatalf("step %d: %s holds %v, want %v; %d entries, want %d", step, key, got, want[key], r.count, len(want))
		}
		if step%500 == 0 {
			compareRows(t, &r, want, fmt.Sprintf("/pods/%d", draws.IntN(2000)))
		}
	}
	for key := range want {
		r.remove(key)
	}
	if r.count != 0 || len(r.blocks) != 0 {
		t.Errorf("%d entries in %d blocks are left", r.count, len(r.blocks))
	}
}

func compareRows(t *testing.T, r *rows, want map[string]*entry, from string) {
	t.Helper()
	for _, from := range []string{"", from, "/q"} {
		var keys []string
		for key := range want {
			if key >= from {
				keys = append(keys, key)
			}
		}
		slices.Sort(keys)
		var got []string
		for e := range r.from(from) {
			got = append(got, e.key)
		}
		if !slices.Equal(got, keys) {
			t.Fatalf("from %q: %d keys %v, want %d %v", from, len(got), got, len(keys), keys)
		}
	}
	for _, block := range r.blocks {
		if len(block) == 0 || len(block) > blockMax {
			t.Fatalf("a block of %d entries", len(block))
		}
	}
}
