package recording

import (
	"slices"
	"time"
)

// Next is the first of the sorted numbers after seq, or 0.
func Next(of []int64, seq int64) int64 {
	i, found := slices.BinarySearch(of, seq)
	if found {
		i++
	}
	if i >= len(of) {
		return 0
	}
	return of[i]
}

// Previous is the last of the sorted numbers before seq, or 0.
func Previous(of []int64, seq int64) int64 {
	i, _ := slices.BinarySearch(of, seq)
	if i == 0 {
		return 0
	}
	return of[i-1]
}

// Latest is the last of the sorted numbers that is not after seq, or 0.
func Latest(of []int64, seq int64) int64 { return Previous(of, seq+1) }

// AsksBefore reports whether the scenario asks a question between a record, which may ask it, and a time. What happens at that time may
// be the answer, so nothing foretells it.
func (r *Recording) AsksBefore(at time.Duration, seq int64) bool {
	notes := r.Marks().Notes
	for asked := Next(notes, seq-1); asked != 0 && r.At(asked) < at; asked = Next(notes, asked) {
		if r.Record(asked).Ask != nil {
			return true
		}
	}
	return false
}
