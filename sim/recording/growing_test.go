package recording

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/sim/trace"
)

// TestARecordingThatGrows adds the records of a run in three parts, as a session does, and asks the recording after each: it knows what one
// of the same records knows that was made at once.
func TestARecordingThatGrows(t *testing.T) {
	const pods = 20
	whole := manyPods(t, pods)
	growing, made := NewBuilder(), int64(0)
	for _, until := range []int64{whole.Len() / 3, 2 * whole.Len() / 3, whole.Len()} {
		once := NewBuilder()
		for record := range whole.All() {
			if record.Seq > until {
				break
			}
			if err := once.Add(record); err != nil {
				t.Fatal(err)
			}
			if record.Seq <= made {
				continue
			}
			if err := growing.Add(record); err != nil {
				t.Fatal(err)
			}
		}
		made = until
		got, want := growing.Done(Origin{}, ""), once.Done(Origin{}, "")
		if diff := cmp.Diff(known(want), known(got)); diff != "" {
			t.Fatalf("after %d records (-at once +grown):\n%s", until, diff)
		}
	}
}

// known is what a recording says of all of its records.
func known(rec *Recording) map[string]any {
	var effects []int
	for seq := int64(1); seq <= rec.Len(); seq++ {
		effects = append(effects, len(rec.Effects(seq)))
	}
	all := map[string]any{
		"marks": *rec.Marks(), "effects": effects, "workloads": len(rec.Workloads()), "axis": rec.Axis().Place(rec.At(rec.Len()) / 2),
		"requests": rec.OfKind(trace.KindRequest), "objects": len(rec.objects()),
	}
	for _, actor := range []string{"deployment-controller", "kubectl"} {
		all[actor] = rec.OfActor(actor)
	}
	return all
}
