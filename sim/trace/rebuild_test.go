package trace

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace/diff"
)

// manyVersions is a Replay of n Pods, each with some versions: first all are created, then all are changed, again and again. It returns the
// Pods and the number of the last record.
func manyVersions(t *testing.T, n, changes int) (replay *Replay, pods []Object, last int64) {
	t.Helper()
	replay = NewReplay()
	apply := func(o Object, w Write) {
		last++
		w.Object, w.RV = o, uint64(last)
		if err := replay.Apply(&Record{Seq: last, Kind: KindRequest, Request: &Request{Writes: []Write{w}}}); err != nil {
			t.Fatal(err)
		}
	}
	for i := range n {
		pods = append(pods, Object{Resource: "pods", Namespace: "default", Name: fmt.Sprintf("web-%d", i)})
		text := fmt.Sprintf(`{"metadata":{"name":%q},"status":{"restarts":0}}`, pods[i].Name)
		apply(pods[i], Write{Op: OpCreate, New: json.RawMessage(text)})
	}
	for change := range changes {
		for _, o := range pods {
			apply(o, Write{Op: OpUpdate, Changes: []diff.Change{{Path: "status.restarts", New: json.RawMessage(fmt.Sprint(change + 1))}}})
		}
	}
	return replay, pods, last
}

// eachAt are the objects at a record, each looked up alone.
func eachAt(replay *Replay, objects []Object, seq int64) []map[string]any {
	found := make([]map[string]any, len(objects))
	for i, o := range objects {
		found[i] = replay.ObjectAt(o, seq)
	}
	return found
}

// TestRebuildsBetweenLookups rebuilds many objects while each step is followed by a lookup of another version of one of them, which is then
// the one that was looked up last.
func TestRebuildsBetweenLookups(t *testing.T) {
	replay, pods, last := manyVersions(t, 3, 20)
	for seq := range last {
		want := eachAt(replay, pods, seq+1)
		replay.ObjectAt(pods[1], last/2)
		found, steps := replay.plan(pods, func(of *versions, _ int) int { return of.before(seq + 1) })
		for i, s := range steps {
			found[s.object] = replay.rebuild(s, found[s.object])
			replay.ObjectAt(pods[i%len(pods)], int64(7*i)%last+1)
		}
		for i := range pods {
			replay.ObjectAt(pods[i], int64(i)*last/3+1)
		}
		if unequal := cmp.Diff(want, found); unequal != "" {
			t.Fatalf("after record %d: %s", seq+1, unequal)
		}
	}
}

// TestRebuildsBesideLookups does so on several goroutines.
func TestRebuildsBesideLookups(t *testing.T) {
	replay, pods, last := manyVersions(t, 5, 20)
	want := map[int64][]map[string]any{}
	for seq := int64(1); seq <= last; seq++ {
		want[seq] = eachAt(replay, pods, seq)
	}
	var all sync.WaitGroup
	for _, many := range []bool{true, true, false} {
		all.Go(func() {
			for seq := last; seq > 0; seq-- {
				var found []map[string]any
				if many {
					found = replay.ObjectsAt(pods, seq)
				} else {
					found = eachAt(replay, pods, seq)
				}
				if unequal := cmp.Diff(want[seq], found); unequal != "" {
					t.Errorf("after record %d: %s", seq, unequal)
				}
			}
		})
	}
	all.Wait()
}
