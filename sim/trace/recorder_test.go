package trace

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// TestRecorderOrder lets goroutines write in any order, and expects the same recording each time.
func TestRecorderOrder(t *testing.T) {
	want := ""
	for seed := range uint64(50) {
		got := deferredRecording(rand.New(rand.NewPCG(seed, 1)))
		if want == "" {
			want = got
		}
		if got != want {
			t.Fatalf("seed %d:\n%s\nwant:\n%s", seed, got, want)
		}
	}
}

func deferredRecording(random *rand.Rand) string {
	var file bytes.Buffer
	recorder := NewRecorder(func() time.Duration { return time.Second }, func(_ *Record, line []byte) { file.Write(line) })
	recorder.Emit(note("before"))
	type task struct {
		actor string
		rank  Rank
		key   string
	}
	var tasks []task
	for _, actor := range []string{"job-controller", "deployment-controller"} {
		for rank := RankHandler; rank <= RankOther; rank++ {
			for _, key := range []string{"a", "b", "c"} {
				tasks = append(tasks, task{actor, rank, key})
			}
		}
	}
	random.Shuffle(len(tasks), func(i, j int) { tasks[i], tasks[j] = tasks[j], tasks[i] })
	var group sync.WaitGroup
	for _, task := range tasks {
		group.Go(func() {
			// What one goroutine writes stays in its order.
			for i := range 3 {
				text := fmt.Sprint(task.key, i)
				recorder.Defer(&Record{Kind: KindNote, Actor: task.actor}, task.rank, func() string { return task.key },
					func(r *Record) { r.Note = &Note{Text: text} }, func(r *Record) { r.Note.Text += " unseen" })
			}
		})
	}
	group.Wait()
	recorder.Flush()
	recorder.Flush()
	recorder.Emit(note("after"))
	return file.String() + recorder.Hash()
}

// TestRecorderNumbers expects that written is told the number that the line has, and that deferred records
// keep the time at which they were deferred.
func TestRecorderNumbers(t *testing.T) {
	now := time.Second
	var seqs []int64
	recorder := NewRecorder(func() time.Duration { return now })
	learn := func(r *Record) { seqs = append(seqs, r.Seq) }
	later := note("later")
	recorder.Defer(later, RankOther, nil, nil, learn)
	now = 2 * time.Second
	recorder.Defer(note("last"), RankHandler, nil, nil, learn)
	recorder.Flush()
	if fmt.Sprint(seqs) != "[1 2]" || later.Seq != 1 || later.At != time.Second || recorder.Len() != 2 {
		t.Errorf("numbers %v, first at %s, %d records", seqs, later.At, recorder.Len())
	}
}

// TestLateLines: the lines of the hash may be made when somebody asks for it, and it is the same.
func TestLateLines(t *testing.T) {
	now := func() time.Duration { return time.Second }
	recorder, late := NewRecorder(now), NewRecorder(now, func(_ *Record, line []byte) {
		if line != nil {
			t.Errorf("a sink gets %q", line)
		}
	})
	late.LateLines = true
	for _, text := range []string{"one", "two", "three"} {
		recorder.Emit(note(text))
		late.Emit(note(text))
		if text == "one" {
			continue
		}
		if got, want := late.Hash(), recorder.Hash(); got != want {
			t.Errorf("after %s: %s, want %s", text, got, want)
		}
	}
}
