package pane

import (
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
)

// Moment is the reader's position: the recording, the record in it, and what is selected and shown. It is a value;
// changing a copy changes nothing else.
type Moment struct {
	Rec *recording.Recording
	// Scenes say what is to be seen in Rec.
	Scenes *scene.Scenes
	// cast makes the objects of the stage when they are asked for first.
	cast func() *stage.Cast
	// Live means that bars of time are in proportion to virtual time, and not to the film.
	Live bool
	// Seq is the number of the record at the cursor. Now is the virtual time, which is at or after that of the
	// record: what waits for a time changes without a record.
	Seq int64
	Now time.Duration
	// Phase is how far the message of the record is on its way while the film plays, from 1 to Phases, in which it has arrived. It is 0
	// where nothing moves.
	Phase int

	// Present means that the recording grows: what follows its last record has not happened yet.
	Present bool
	// Session means that the recording is that of a session, which is no lesson even if its scenario is one.
	Session bool

	// Visible are the records that are listed, sorted: those of the story or All, as far as Filter lets them through.
	Visible []int64
	All     bool
	Filter  string
	// Diverged is the first record that the parent of a branch does not have, or 0.
	Diverged int64

	// Selected is the object that is looked at. Workload is the index of the workload that is shown, and Row the
	// line in it that is selected.
	Selected      trace.Object
	Workload, Row int
	// Program is the program of the stage that is selected, and Message the record of the message. Both are empty if an object is.
	Program string
	Message int64
	// Scroll is how many lines are left out at the top of panes that have more lines than room.
	Scroll int

	// Answers are the reader's, by the step of the question; an empty one was skipped. Choice is the marked one of
	// the choices of the question at the cursor.
	Answers map[int]string
	Choice  int

	// Runs are the run of the scenario and its branches, Run the index of that which Rec is of, and MarkedRun that
	// of the selected one.
	Runs           []Run
	Run, MarkedRun int
}

// Phases is how many phases the way of a message has.
const Phases = 4

// NewMoment returns the beginning of a recording, for a reader who has answered nothing.
func NewMoment(scenes *scene.Scenes) Moment {
	return Moment{Answers: map[int]string{}}.Renewed(scenes)
}

// Renewed returns the moment in a recording that has grown, or that is whole now.
func (m Moment) Renewed(scenes *scene.Scenes) Moment {
	m.Rec, m.Scenes = scenes.Rec, scenes
	m.cast = sync.OnceValue(func() *stage.Cast { return stage.New(scenes) })
	return m
}

// Cast are the objects that the stage shows.
func (m Moment) Cast() *stage.Cast { return m.cast() }

// axis is the scale of bars of time.
func (m Moment) axis() film.Axis {
	if m.Live {
		return film.Live(m.Rec)
	}
	return m.Scenes.Film
}

// Beat is what is to be seen at the cursor.
func (m Moment) Beat() *scene.Beat { return m.BeatAt(m.Seq) }

// Passing is what is to be seen of what changes while time passes: it is at the last record that has happened.
func (m Moment) Passing() *scene.Beat { return m.BeatAt(m.Latest()) }

// BeatAt is what is to be seen after a record, at the time of the cursor.
func (m Moment) BeatAt(seq int64) *scene.Beat {
	b := m.Scenes.At(seq, m.Now)
	b.Asked, b.Times = m.Question() != nil, scene.Relative(m.Now)
	return b
}

// Run is a run in the tree of branches.
type Run struct {
	Rec    *recording.Recording
	Scenes *scene.Scenes
	// Parent is the index of the run that it left, -1 for the scenario itself, at a time, by a step.
	Parent int
	Step   string
	At     time.Duration
	// Varied means that Step is a number that differs from the start on.
	Varied bool
	// Session means that it is a session, from which branches leave.
	Session bool
	// Diverged is the first record that the parent does not have, or 0.
	Diverged int64
}

// Question is the question at the cursor if the reader has not answered it yet, else nil.
func (m Moment) Question() *trace.Ask {
	if record := m.Rec.Record(m.Seq); record != nil && record.Ask != nil && !m.answered(record.Ask) {
		return record.Ask
	}
	return nil
}

func (m Moment) answered(ask *trace.Ask) bool {
	_, ok := m.Answers[ask.Step]
	return ok
}

// openQuestion is the next question from the cursor on that the reader has not answered, or 0. What comes after
// it would tell the answer.
func (m Moment) openQuestion() int64 {
	notes := m.Rec.Marks().Notes
	for seq := recording.Next(notes, m.Seq-1); seq != 0; seq = recording.Next(notes, seq) {
		if ask := m.Rec.Record(seq).Ask; ask != nil && !m.answered(ask) {
			return seq
		}
	}
	return 0
}

// conceals reports whether what a sync decides would answer a question: the one at the cursor, or one that comes before the sync ends.
func (m Moment) conceals(start int64) bool { return m.Beat().Conceals(start) }

// next is the record that follows among some, or 0 if there is none or an open question conceals it.
func (m Moment) next(of []int64) int64 {
	if m.Question() != nil {
		return 0
	}
	return recording.Next(of, m.Seq)
}

// Latest is the last record that has happened: that at the cursor, or one that is not listed and came after it while
// time passed.
func (m Moment) Latest() int64 {
	if m.Now <= m.Rec.At(m.Seq) {
		return m.Seq
	}
	return m.Rec.Find(m.Now)
}

// At returns the moment at another record, from which on time passes.
func (m Moment) At(seq int64) Moment {
	m.Seq = min(max(seq, 1), m.Rec.Len())
	m.Now, m.Scroll, m.Phase = m.Rec.At(m.Seq), 0, 0
	return m
}

// selecting returns the moment with another selected object of a list, some lines from the one that is selected.
func (m Moment) selecting(list []trace.Object, by int) Moment {
	if len(list) == 0 {
		return m
	}
	if at := slices.Index(list, m.Selected); at >= 0 {
		m.Selected = list[min(max(at+by, 0), len(list)-1)]
	} else {
		m.Selected = list[0]
	}
	m.Scroll = 0
	return m
}
