package tui

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
)

// place is where one can go in a recording.
type place struct {
	kind placeKind
	// n is the number of the record or of the step.
	n  int64
	at time.Duration
}

type placeKind int

const (
	placeTime placeKind = iota
	placeRecord
	placeStep
)

// parsePlace reads where to go: 12.4s or 12.4 is a time, 412 a record, step:3 a step of the scenario.
func parsePlace(text string) (place, error) {
	text = strings.TrimSpace(text)
	if number, ok := strings.CutPrefix(text, "step:"); ok {
		if n, err := strconv.ParseInt(number, 10, 64); err == nil && n >= 0 {
			return place{kind: placeStep, n: n}, nil
		}
		return place{}, badPlace(text)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return place{kind: placeRecord, n: n}, nil
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e9 {
		return place{at: time.Duration(seconds * float64(time.Second))}, nil
	}
	if d, err := time.ParseDuration(text); err == nil && d >= 0 {
		return place{at: d}, nil
	}
	return place{}, badPlace(text)
}

func badPlace(text string) error {
	return fmt.Errorf("%q is not a time, record or step: try 12.4s, 412 or step:3", text)
}

// extent is how much of a trace has the place. Nobody knows where a step is.
func (p place) extent() recording.Extent {
	switch p.kind {
	case placeRecord:
		return recording.Extent{Records: p.n}
	case placeStep:
		return recording.All
	}
	return recording.Extent{At: p.at}
}

// reach goes to a place that was typed, and reads on if it is in the part of a trace that was not read.
func (m *Model) reach(text string) tea.Cmd {
	to, err := parsePlace(text)
	if rec := m.viewer.Rec; err == nil && !rec.Extent().Reaches(to.extent()) && (to.kind != placeStep || rec.Step(int(to.n)) == 0) {
		if cmd := m.more(to.extent(), func() tea.Cmd { return m.reach(text) }); cmd != nil {
			return cmd
		}
	}
	_ = m.goTo(text)
	return nil
}

// goTo goes to a place, and remembers from where.
func (v *viewer) goTo(to place) error {
	from := v.Seq
	switch to.kind {
	case placeRecord:
		if v.Rec.Record(to.n) == nil {
			return fmt.Errorf("the recording has the records 1 to %d", v.Rec.Len())
		}
		v.move(to.n)
	case placeStep:
		seq := v.Rec.Step(int(to.n))
		if seq == 0 {
			return fmt.Errorf("the recording has no step %d", to.n)
		}
		v.move(seq)
	default:
		v.seek(to.at)
	}
	if v.Seq != from {
		v.trail = append(v.trail, from)
	}
	return nil
}
