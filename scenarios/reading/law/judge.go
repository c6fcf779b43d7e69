package law

import (
	"maps"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/sim/trace"
)

// Move is an object that changes for the last time at another time.
type Move struct {
	Object trace.Object `json:"object"`
	// By made the last change in the run with the longer time.
	By string `json:"by"`
	// Short and Long are when the object changed for the last time with the shorter and with the longer time.
	Short time.Duration `json:"short"`
	Long  time.Duration `json:"long"`
	// Times is how often the difference of the lengths is in that.
	Times int `json:"times,omitempty"`
}

// Shift is how two runs differ, of which one has a longer time.
type Shift struct {
	// Ends are the objects that end otherwise, of which A is the run of the scenario itself.
	Ends []compare.FinalPair
	// Most is the object that moves most.
	Most Move
	// Often are the objects that move by more than the difference for each object that waits. Late are those that change later with
	// the shorter time.
	Often, Late []Move
	// Waiting counts the objects that can wait one after another, at least one.
	Waiting int
	// Branches means that other objects were created or deleted on the way, or that objects had another phase or reason.
	Branches bool
}

// slack is how much an object may move for other reasons, and rounding how much longer each wait may be: objects have times in seconds.
const (
	slack    = 2 * time.Second
	rounding = time.Second
)

// Judge compares the times of two runs, of which one has a longer time than the other one.
func Judge(t *Time, shorter, longer time.Duration, short, long *Look) (s Shift) {
	s.Waiting = max(short.Waiting(t, shorter), long.Waiting(t, longer))
	s.Branches = len(short.history.Compare(long.history)) > 0 || !maps.Equal(short.stages, long.stages)
	difference := longer - shorter
	play := slack + t.Field.Grain
	for object, last := range long.settled.All {
		first, ok := short.settled.Of(object)
		if !ok {
			continue
		}
		move := Move{Object: object, By: last.By, Short: first.At, Long: last.At}
		moved := last.At - first.At
		switch {
		case moved < -play:
			s.Late = append(s.Late, move)
			continue
		case moved <= play:
			continue
		case moved <= difference+play:
			move.Times = 1
		default:
			each := difference + rounding + t.Field.Grain
			move.Times = int((moved - play + each - 1) / each)
		}
		if move.Times > s.Waiting && !t.Field.Repeats {
			s.Often = append(s.Often, move)
		}
		if moved > s.Most.Long-s.Most.Short {
			s.Most = move
		}
	}
	return s
}

// And is what two shifts have in common, which are those of other seeds.
func (s Shift) And(other Shift) Shift {
	s.Ends = compare.Common(s.Ends, other.Ends)
	s.Late, s.Often = common(s.Late, other.Late), common(s.Often, other.Often)
	s.Branches = s.Branches || other.Branches
	return s
}

// common are the moves of objects that are in both lists.
func common(moves, others []Move) (both []Move) {
	for _, move := range moves {
		for _, other := range others {
			if other.Object == move.Object {
				both = append(both, move)
			}
		}
	}
	return both
}

// Breaks reports whether there is something that the law of a time does not allow. A time that races with something else decides how a run
// ends, and when.
func (s Shift) Breaks(t *Time) bool {
	if s.Decides(t) {
		return false
	}
	return len(s.Ends)+len(s.Late)+len(s.Often) > 0
}

// Decides reports whether the time has won or lost a race in one of the runs only.
func (s Shift) Decides(t *Time) bool { return t.Field.Races && (s.Branches || len(s.Ends) > 0) }
