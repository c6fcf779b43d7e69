// Package order is about the order of what happens at one time in a run.
//
// A seed draws how long everything takes, and the order follows from that. A run with an Order is the other way round: nothing takes time,
// and a list of choices says which of the events that are under way comes next. So all orders can be enumerated.
package order

import (
	"fmt"

	"github.com/kubestep/kubestep/sim"
)

// Order makes nothing take time in a run: requests, responses and watch events arrive at the instant at which they are sent. So several
// events are often due at one time, in no order. Where several may come next, the run has a choice.
type Order struct {
	// Choices are those of the run, each the place of the event that comes next. All further ones are 0: the event that was sent first.
	Choices []int
	// Fork, if set, is called before each choice, with those that the run has made. It returns the choices of the run from now on, and
	// whether it continues: the process may have been copied, and each of the copies makes another run.
	Fork func(made []int) (choices []int, continues bool)
	// Chose is called for each choice, before the event happens, and says whether the run continues. May be nil.
	Chose func(Choice) (continues bool)
}

// Choice is a choice of a run.
type Choice struct {
	sim.Point
	// Chosen is the place of the event that comes next among the open ones.
	Chosen int
	// Facts finds the objects that a reader looks at.
	Facts func() []Fact
}

// Error means that a run does not have a choice that it was asked to make.
type Error struct {
	// Choice is its number, from 1, and Chosen what it was to be.
	Choice, Chosen int
	// Of is how many events there were to choose from; 0 means that the run has only Had choices.
	Of, Had int
}

// Error implements error.
func (e *Error) Error() string {
	if e.Of == 0 {
		return fmt.Sprintf("choice %d is %d, but the run has only %d choices", e.Choice, e.Chosen, e.Had)
	}
	return fmt.Sprintf("choice %d is %d, but only %d events may come next: 0 to %d", e.Choice, e.Chosen, e.Of, e.Of-1)
}

// Progress is how far a run with an Order is; nil for a run without one.
type Progress struct {
	Order
	made  []int
	wrong *Error
	// ended means that Fork or Chose has ended the run.
	ended bool
}

// Begin begins a run. The Order may be nil.
func (o *Order) Begin() *Progress {
	if o == nil {
		return nil
	}
	return &Progress{Order: *o}
}

// Wrong is what is wrong with the choices after the run.
func (p *Progress) Wrong() error {
	if p == nil {
		return nil
	}
	for i := len(p.made); !p.ended && p.wrong == nil && i < len(p.Choices); i++ {
		if p.Choices[i] != 0 {
			p.wrong = &Error{Choice: i + 1, Chosen: p.Choices[i], Had: len(p.made)}
		}
	}
	if p.wrong == nil {
		return nil
	}
	return p.wrong
}

// Choose makes a choice at a point, and reports whether the run continues.
func (p *Progress) Choose(point sim.Point, state *sim.State) (chosen int, continues bool) {
	if p.Fork != nil {
		if p.Choices, continues = p.Fork(p.made); !continues {
			p.ended = true
			return 0, false
		}
	}
	if number := len(p.made); number < len(p.Choices) {
		chosen = p.Choices[number]
	}
	p.made = append(p.made, chosen)
	if of := len(point.Open); chosen >= of || chosen < 0 {
		p.wrong = &Error{Choice: len(p.made), Chosen: chosen, Of: of}
		return 0, false
	}
	if p.Chose != nil {
		p.ended = !p.Chose(Choice{Point: point, Chosen: chosen, Facts: func() []Fact { return Facts(state) }})
	}
	return chosen, !p.ended
}

// HasEnded reports whether Chose has ended the run, so that nothing can be said of its end.
func (p *Progress) HasEnded() bool { return p != nil && p.ended }
