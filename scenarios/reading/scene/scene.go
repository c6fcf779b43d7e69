package scene

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
)

// Scenes are those of a recording. They are not safe for concurrent use.
type Scenes struct {
	Rec *recording.Recording
	// History says why nothing happens, and Film how long each record is shown.
	History *why.History
	Film    *film.Film
	// Components are all components, in a fixed order, so that a reader can follow them.
	Components []*Component

	events, reads map[informer][]int64
	holds         []int64

	// tables are those of the objects that were looked at.
	tables map[trace.Object]*Table
	// directions are those of the scenario, by their records.
	directions map[int64]Direction
}

// Maker makes the scenes of records, which are added in order, so that nobody has to go through a large recording for it alone.
type Maker struct {
	film   film.Maker
	finder *finder
}

// NewMaker returns a Maker before the first record.
func NewMaker() *Maker { return &Maker{finder: newFinder()} }

// Add adds the next record. Its outline is enough.
func (m *Maker) Add(record *trace.Record) {
	m.film.Add(record)
	m.finder.add(record)
}

// Scenes are those of the recording whose records were added.
func (m *Maker) Scenes(rec *recording.Recording) *Scenes {
	s := &Scenes{
		Rec: rec, History: why.New(rec), Components: m.finder.components(rec), events: m.finder.events, reads: m.finder.reads,
		holds:  m.finder.holds,
		tables: map[trace.Object]*Table{}, directions: map[int64]Direction{},
	}
	s.Film = m.film.Film(rec, s.subjects())
	return s
}

// New returns the scenes of a recording. It goes through the outlines of all records (recording.Pass).
func New(rec *recording.Recording) *Scenes {
	m := NewMaker()
	rec.Pass(m.Add)
	return m.Scenes(rec)
}

// Beat is what is to be seen after a record.
type Beat struct {
	*Scenes
	Seq int64
	// Now is the virtual time, which is not before that of the record and not after that of the next one.
	Now time.Duration
	// Asked says that the record is a question without an answer: nothing that tells the answer is to be seen.
	Asked bool
	// Times are the words for virtual times.
	Times Times

	instant *why.Instant
	held    []*trace.Record
	queues  []Queue
	caches  []Cache
}

// At is what is to be seen after a record, for a drawing that stays while time passes: 3 seconds later, what it says of a time is
// still true. Others set Times to Relative(now).
func (s *Scenes) At(seq int64, now time.Duration) *Beat {
	return &Beat{Scenes: s, Seq: seq, Now: now, Times: Absolute}
}

// Times are the words for a virtual time: when something ended, when it began, and when it is due.
type Times struct{ Ended, Since, Due func(at time.Duration) string }

// Relative are the words of a screen that follows the time: 3 s ago, for 3 s, in 3 s.
func Relative(now time.Duration) Times {
	return Times{
		Ended: func(at time.Duration) string { return recording.Short(now-at) + " ago" },
		Since: func(at time.Duration) string { return "for " + recording.Short(now-at) },
		Due:   func(at time.Duration) string { return "in " + recording.Short(at-now) },
	}
}

// Absolute are the words of a picture that is drawn once for many times.
var Absolute = Times{
	Ended: func(at time.Duration) string { return "at " + trace.Seconds(at) },
	Since: func(at time.Duration) string { return "since " + trace.Seconds(at) },
	Due:   func(at time.Duration) string { return "at " + trace.Seconds(at) },
}

// Instant answers questions about the beat.
func (b *Beat) Instant() *why.Instant {
	if b.instant == nil {
		b.instant = b.History.At(b.Seq, b.Now)
	}
	return b.instant
}

// Conceals reports whether what a sync decides would answer a question: the one that is open, or one that comes before the sync ends.
func (b *Beat) Conceals(start int64) bool { return b.Asked || b.Instant().IsInterrupted(start) }
