package film

import (
	"time"

	"github.com/kubestep/kubestep/sim/recording"
)

// Axis is a scale of time for a bar.
type Axis interface {
	// Place is where a record is on it, from 0 to 1, or a time after the record.
	Place(seq int64, at time.Duration) float64
	// Time is the time at a place; cut means that it is in a wait that the scale shortens.
	Time(place float64) (at time.Duration, cut bool)
	// Record is the record at a place.
	Record(place float64) int64
}

// Live is the scale that is in proportion to virtual time. A Film is the other one.
func Live(rec *recording.Recording) Axis { return live{rec} }

type live struct{ rec *recording.Recording }

// Place implements Axis.
func (l live) Place(_ int64, at time.Duration) float64 { return l.rec.Axis().Place(at) }

// Time implements Axis.
func (l live) Time(place float64) (at time.Duration, cut bool) { return l.rec.Axis().Time(place) }

// Record implements Axis.
func (l live) Record(place float64) int64 {
	at, _ := l.Time(place)
	return l.rec.Find(at)
}
