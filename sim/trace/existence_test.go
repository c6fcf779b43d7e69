package trace

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExistence asks at all records, forwards, backwards and in any order, which objects exist, and compares with a list of each record.
func TestExistence(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	replay, exists := NewReplay(), map[string]bool{}
	want := [][]string{nil}
	for seq := int64(1); seq <= 600; seq++ {
		name, namespace := fmt.Sprint(random.IntN(40)), string(rune('a'+random.IntN(2)))
		w := Write{Object: Object{Resource: "pods", Namespace: namespace, Name: name}, RV: uint64(seq)}
		place := namespace + "/" + name
		switch {
		case !exists[place]:
			w.Op, w.New = OpCreate, json.RawMessage(`{}`)
			exists[place] = true
		case random.IntN(3) == 0:
			w.Op = OpUpdate
		default:
			w.Op = OpDelete
			delete(exists, place)
		}
		other := Write{Object: Object{Resource: "nodes", Name: fmt.Sprint(seq)}, Op: OpCreate, New: json.RawMessage(`{}`), RV: uint64(seq)}
		record := &Record{Seq: seq, Kind: KindRequest, Request: &Request{Writes: []Write{w, other}}}
		if err := replay.Apply(record); err != nil {
			t.Fatal(err)
		}
		var places []string
		for place := range exists {
			places = append(places, place)
		}
		slices.Sort(places)
		want = append(want, places)
	}
	check := func(seq int) {
		t.Helper()
		var places []string
		for _, o := range replay.Objects("pods", int64(seq)) {
			places = append(places, o.Namespace+"/"+o.Name)
		}
		if diff := cmp.Diff(want[seq], places); diff != "" {
			t.Errorf("after record %d:\n%s", seq, diff)
		}
	}
	for seq := range want {
		check(seq)
	}
	for seq := range want {
		check(len(want) - 1 - seq)
	}
	for range 500 {
		check(random.IntN(len(want)))
	}
	if got := replay.Objects("secrets", 600); len(got) != 0 {
		t.Errorf("objects of a resource that there is not: %v", got)
	}
}
