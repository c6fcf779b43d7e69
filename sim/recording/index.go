package recording

import (
	"slices"
	"sort"
	"sync"
	"time"

	"github.com/kubestep/kubestep/sim/trace"
)

// Marks are the numbers of the records to which a reader may want to jump.
type Marks struct {
	// Writes are requests that changed the store, Syncs the starts of syncs.
	Writes, Syncs []int64
	// Actions are steps of the scenario, Notes its texts, questions and answers, and Answers only the answers.
	Actions, Notes, Answers []int64
	// Shows are the directions of the scenario for the reader's screen.
	Shows []int64
	// Story are the records that say what happened: see trace.InStory.
	Story []int64
	// Faults are the scenario's faults. Errors are failed requests, errors that controllers reported, failed steps and
	// failed checks; FailedChecks are only the last.
	Faults, Errors, FailedChecks []int64
}

// index are the lists of records that follow from the facts of all records. Each is made when it is asked for.
type index struct {
	marks, actors, causes, axis sync.Once

	marked  Marks
	byActor [][]int64
	kinds   sync.Mutex
	byKind  map[trace.Kind][]int64
	// effects are the records that have causes, in the order of their causes: those of record seq are from effectsOf[seq-1] to before
	// effectsOf[seq].
	effects   []int64
	effectsOf []int32
	scale     *Axis
}

// Marks returns the recording's marks.
func (r *Recording) Marks() *Marks {
	r.index.marks.Do(func() { r.index.marked = r.marks() })
	return &r.index.marked
}

func (r *Recording) marks() Marks {
	facts := &r.records.facts
	number := map[trace.Kind]uint8{}
	for i, kind := range facts.kinds {
		number[kind] = uint8(i)
	}
	of := func(kinds ...trace.Kind) []int64 {
		return facts.seqs(func(f *fact) bool { return f.is&isBackground == 0 && slices.Contains(kinds, facts.kinds[f.kind]) })
	}
	with := func(is is) []int64 {
		return facts.seqs(func(f *fact) bool { return f.is&is != 0 && f.is&isBackground == 0 })
	}
	checks, known := number[trace.KindCheck]
	return Marks{
		Writes: with(isWrite), Syncs: with(isStart), Errors: with(isFailed),
		Actions: of(trace.KindAction), Notes: of(trace.KindNote, trace.KindAsk, trace.KindAnswer), Answers: of(trace.KindAnswer),
		Shows: of(trace.KindShow), Faults: of(trace.KindFault),
		Story: facts.seqs(func(f *fact) bool { return f.is&isStory != 0 }),
		FailedChecks: facts.seqs(func(f *fact) bool {
			return known && f.kind == checks && f.is&isFailed != 0 && f.is&isBackground == 0
		}),
	}
}

// Step is the record of a step of the scenario by its index, or 0. A note is not an action and has no index.
func (r *Recording) Step(index int) int64 {
	for _, seq := range r.Marks().Actions {
		if r.Record(seq).Action.Step == index {
			return seq
		}
	}
	return 0
}

// OfActor lists records by their actor.
func (r *Recording) OfActor(actor string) []int64 {
	number, known := r.records.facts.number[actor]
	if !known {
		return nil
	}
	r.index.actors.Do(func() {
		facts := &r.records.facts
		counts := make([]int, len(facts.actors))
		for seq := int64(1); seq <= facts.n; seq++ {
			counts[facts.of(seq).actor]++
		}
		r.index.byActor = make([][]int64, len(counts))
		all := make([]int64, facts.n)
		for actor, n := range counts {
			r.index.byActor[actor], all = all[:0:n], all[n:]
		}
		for seq := int64(1); seq <= facts.n; seq++ {
			list := &r.index.byActor[facts.of(seq).actor]
			*list = append(*list, seq)
		}
	})
	return r.index.byActor[number]
}

// OfKind lists records by their kind.
func (r *Recording) OfKind(kind trace.Kind) []int64 {
	facts := &r.records.facts
	number := slices.Index(facts.kinds, kind)
	if number < 0 {
		return nil
	}
	r.index.kinds.Lock()
	defer r.index.kinds.Unlock()
	list, known := r.index.byKind[kind]
	if !known {
		list = facts.seqs(func(f *fact) bool { return int(f.kind) == number })
		if r.index.byKind == nil {
			r.index.byKind = map[trace.Kind][]int64{}
		}
		r.index.byKind[kind] = list
	}
	return list
}

// Effects are the records that record seq caused directly.
func (r *Recording) Effects(seq int64) []int64 {
	if seq < 1 || seq > r.Len() {
		return nil
	}
	r.index.causes.Do(r.findEffects)
	from, to := r.index.effectsOf[seq-1], r.index.effectsOf[seq]
	if from == to {
		return nil
	}
	return r.index.effects[from:to:to]
}

// findEffects sorts the records by their causes.
func (r *Recording) findEffects() {
	facts := &r.records.facts
	end := make([]int32, facts.n+1)
	for seq := int64(1); seq <= facts.n; seq++ {
		if cause := facts.of(seq).cause; cause > 0 {
			end[cause]++
		}
	}
	for i := range end[1:] {
		end[i+1] += end[i]
	}
	// end[cause-1] is where the effects of a cause begin, and moves to where they end, which is where those of the next begin.
	r.index.effects = make([]int64, end[facts.n])
	next := slices.Clone(end)
	for seq := int64(1); seq <= facts.n; seq++ {
		if cause := facts.of(seq).cause; cause > 0 {
			r.index.effects[next[cause-1]] = seq
			next[cause-1]++
		}
	}
	r.index.effectsOf = end
}

// Axis is the time scale of the recording's bars.
func (r *Recording) Axis() *Axis {
	r.index.axis.Do(func() {
		var times []time.Duration
		for _, seq := range r.Marks().Story {
			if at := r.At(seq); at >= 0 {
				times = append(times, at)
			}
		}
		slices.Sort(times)
		r.index.scale = newAxis(times)
	})
	return r.index.scale
}

// Find is the last record at or before a time; 1 if there is none.
func (r *Recording) Find(at time.Duration) int64 {
	i := sort.Search(int(r.Len()), func(i int) bool { return r.records.facts.of(int64(i)+1).at > at })
	return max(int64(i), 1)
}
