// Package film paces a recording for people who watch it. Controllers act in bursts of milliseconds and then wait for seconds: played
// in proportion to virtual time, all that matters happens between two frames. A film shows each record for a beat instead, and
// those that matter for a longer one: a decision of a controller, a step of the scenario, a fault.
//
// A decision is a write in which a controller says what it wants: it creates or deletes an object, or changes the spec of one. A sync
// that only reports, in a status or an Event, decides nothing. Neither does kube-scheduler when it binds a Pod: a rollout has as many
// bindings as Pods, and few of them are worth a stop. It decides when it deletes Pods to make room for others.
//
// A lesson is about messages, too: those of the components that it directs its reader to, and all while a question is open and there is
// no direction. The first message of each kind takes as long as a decision, and the following ones go by. See Subject.
//
//	f := film.New(rec, subjects)
//	f.Beat(seq, next)  // how long record seq is shown before record next
//	f.Decisions()      // where to go with a key
//	f.Place(seq, at)   // where a record is in the film, from 0 to 1
package film

import (
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/diff"
	"github.com/kubestep/kubestep/sim/trace/file/outline"
)

// The beats at normal pace.
const (
	// decisionBeat is that of a decision, a fault or a failed check: time to read a sentence.
	decisionBeat = 1500 * time.Millisecond
	// stepBeat is that of a step of the scenario.
	stepBeat = 700 * time.Millisecond
	// changeBeat is that of a change of the cluster: a Pod that is created, bound, ready or gone, and of an error.
	changeBeat = 200 * time.Millisecond
	// reportBeat is that of a sync that decides nothing, and of a status that a controller writes.
	reportBeat = 50 * time.Millisecond
	// passingBeat is that of a record that is not part of the story.
	passingBeat = 20 * time.Millisecond
	// newBeat is that of a message that the scenario is about, the first time that such a message is shown.
	newBeat = 1500 * time.Millisecond
)

// A lesson with few messages can show each for longer. Its floor rises until the film is as long as lessonLength, or a message takes
// longestFloor: "create" has 50 messages, of which 30 have been shown before, and at 50 ms each nobody would follow them.
const (
	lessonLength = 65 * time.Second
	floorStep    = 10 * time.Millisecond
	longestFloor = time.Second
)

// A wait that is longer than shortWait is seen as one, for at most longWait.
const (
	shortWait = 200 * time.Millisecond
	longWait  = 900 * time.Millisecond
)

// Film is a recording with a pace.
type Film struct {
	rec       *recording.Recording
	classes   []class
	decisions []int64
	decided   map[int64]bool
	// news are the messages that the scenario is about, as far as each is the first of its kind.
	news map[int64]bool
	// floor is the shortest beat of a message.
	floor time.Duration
	// story are the records of the story, and starts after how much of the film each is shown; the last element is the film's length.
	story  []int64
	starts []time.Duration
}

// class is what a record is to a film.
type class uint8

const (
	// change is a change of the cluster, or anything else.
	change class = iota
	// wish is a request that changes what is wanted.
	wish
	// report is a sync without an error, or a status that says what is so elsewhere.
	report
	// remark is what the scenario says, and a check that passed.
	remark
	step
	// fault is a fault or a failed check.
	fault
)

// Maker makes a film of records, which are added in order, so that nobody has to go through a large recording for it alone.
type Maker struct{ classes []class }

// Add adds the next record. Its outline is enough.
func (m *Maker) Add(record *trace.Record) {
	of := change
	switch {
	case record.Fault != nil, record.Check != nil && !record.Check.Passed:
		of = fault
	case record.Action != nil:
		of = step
	case record.Note != nil, record.Ask != nil, record.Answer != nil, record.Check != nil:
		of = remark
	case Decides(record):
		of = wish
	case record.Sync != nil && record.Sync.Error == "", reports(record.Request):
		of = report
	}
	m.classes = append(m.classes, of)
}

// New paces a recording whose scenario directs its reader to the subjects, in their order.
func New(rec *recording.Recording, subjects []Subject) *Film {
	m := &Maker{}
	for record := range rec.Outlines() {
		m.Add(record)
	}
	return m.Film(rec, subjects)
}

// Film paces the recording whose records were added.
func (m *Maker) Film(rec *recording.Recording, subjects []Subject) *Film {
	f := &Film{rec: rec, classes: m.classes, decided: map[int64]bool{}, news: newMessages(rec, subjects), story: rec.Marks().Story}
	for _, start := range rec.Marks().Syncs {
		if slices.ContainsFunc(rec.Effects(start), func(seq int64) bool { return f.classes[seq-1] == wish }) {
			f.decisions, f.decided[start] = append(f.decisions, start), true
		}
	}
	f.start()
	if asks := len(rec.Marks().Answers) > 0; asks {
		for f.floor < longestFloor && f.Length() < lessonLength {
			f.floor += floorStep
			f.start()
		}
	}
	return f
}

// start adds up the beats.
func (f *Film) start() {
	f.starts = append(f.starts[:0], 0)
	for i, seq := range f.story {
		next := int64(0)
		if i+1 < len(f.story) {
			next = f.story[i+1]
		}
		f.starts = append(f.starts, f.starts[i]+f.Beat(seq, next))
	}
}

// Decides reports whether a record is a request that changed what is wanted.
func Decides(record *trace.Record) bool {
	r := record.Request
	if r == nil || isBookkeeping(r.Resource) || r.Subresource == "binding" {
		return false
	}
	return slices.ContainsFunc(r.Writes, func(w trace.Write) bool {
		return w.Op != trace.OpUpdate || slices.ContainsFunc(w.Changes, func(c diff.Change) bool { return outline.IsWanted(c.Path) })
	})
}

// isBookkeeping reports whether nobody acts on the objects of a resource: what controllers say, and how they stay leaders.
func isBookkeeping(resource string) bool {
	return strings.HasPrefix(resource, "events") || strings.HasPrefix(resource, "leases")
}

// Recording is what the film shows.
func (f *Film) Recording() *recording.Recording { return f.rec }

// Decisions are the starts of the syncs that decide something, in order.
func (f *Film) Decisions() []int64 { return f.decisions }

// Decides reports whether a record starts a sync that decides something.
func (f *Film) Decides(seq int64) bool { return f.decided[seq] }

// Length is how long the film takes at normal pace, without the time to read notes and to answer questions.
func (f *Film) Length() time.Duration { return f.starts[len(f.starts)-1] }

// Beat is how long a record is shown before the next one, which is 0 at the end.
func (f *Film) Beat(seq, next int64) time.Duration {
	beat := f.beat(seq)
	if next == 0 {
		return beat
	}
	if wait := f.rec.At(next) - f.rec.At(seq); wait > shortWait {
		beat = max(beat, min(wait, longWait))
	}
	return beat
}

// beat is that of a record by itself.
func (f *Film) beat(seq int64) time.Duration {
	if seq < 1 || seq > int64(len(f.classes)) {
		return 0
	}
	switch of := f.classes[seq-1]; {
	case f.decided[seq], of == fault:
		return decisionBeat
	case f.news[seq]:
		return newBeat
	case of == step:
		return stepBeat
	case !f.rec.IsStory(seq):
		return passingBeat
	case of == remark:
		return changeBeat
	case of == report:
		return max(reportBeat, f.floor)
	}
	return max(changeBeat, f.floor)
}

// reports reports whether a request only writes a status that says what is so elsewhere. The status of a Pod is what its kubelet does.
func reports(r *trace.Request) bool {
	return r != nil && r.Subresource == "status" && r.Resource != "pods" && r.Code < 400
}

// Place is where a record is in the film, from 0 to 1, or a time between it and the next record of the story. Records of the same time
// have places of their own.
func (f *Film) Place(seq int64, at time.Duration) float64 {
	i, found := slices.BinarySearch(f.story, seq)
	if !found {
		i--
	}
	if i < 0 || f.Length() == 0 {
		return 0
	}
	within := 0.0
	if gap := f.gap(i); gap > 0 {
		within = min(float64(at-f.rec.At(f.story[i]))/float64(gap), 1) * float64(f.starts[i+1]-f.starts[i])
	}
	return (float64(f.starts[i]) + within) / float64(f.Length())
}

// Record is the record of the story that is shown at a place of the film, 0 if there is no story.
func (f *Film) Record(place float64) int64 {
	if len(f.story) == 0 {
		return 0
	}
	i, _ := f.at(place)
	return f.story[i]
}

// at is the index in the story of what is shown at a place, and how much of the film has been shown there.
func (f *Film) at(place float64) (i int, reached time.Duration) {
	reached = time.Duration(math.Round(min(max(place, 0), 1) * float64(f.Length())))
	i = sort.Search(len(f.starts), func(i int) bool { return f.starts[i] > reached }) - 1
	return min(max(i, 0), len(f.story)-1), reached
}

// Time is the time at a place of the film, and whether that is in a wait that the film shortens.
func (f *Film) Time(place float64) (at time.Duration, cut bool) {
	if len(f.story) == 0 {
		return 0, false
	}
	i, reached := f.at(place)
	at = f.rec.At(f.story[i])
	gap, beat := f.gap(i), f.starts[i+1]-f.starts[i]
	if beat > 0 {
		at += time.Duration(float64(gap) * float64(reached-f.starts[i]) / float64(beat))
	}
	return at, gap > shortWait && gap > beat
}

// gap is the virtual time from one record of the story to the next.
func (f *Film) gap(i int) time.Duration {
	if i+1 >= len(f.story) {
		return 0
	}
	return f.rec.At(f.story[i+1]) - f.rec.At(f.story[i])
}

// paceWindow is how much of the film before and behind a place counts for its pace.
const paceWindow = 2 * time.Second

// Pace is how much virtual time passes in one second of the film around a place: 0.025 means that the film is 40 times slower.
func (f *Film) Pace(place float64) float64 {
	if f.Length() == 0 {
		return 1
	}
	part := float64(paceWindow) / float64(f.Length())
	from, to := max(place-part, 0), min(place+part, 1)
	first, _ := f.Time(from)
	last, _ := f.Time(to)
	return float64(last-first) / ((to - from) * float64(f.Length()))
}
