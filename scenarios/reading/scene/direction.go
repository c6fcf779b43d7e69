package scene

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
)

// Direction is what a scenario directs the reader to.
type Direction struct {
	// Seq is the record of the direction, 0 if there is none so far.
	Seq int64
	// View is the view to look at; nil if the direction names none.
	View *view.View
	// Programs are the names of components, Objects those that it names, in its order, and Workloads the indexes of the workloads
	// among them.
	Programs  []string
	Objects   []trace.Object
	Workloads []int
}

// Focused are the names of all that the directions of the scenario focus on.
func (s *Scenes) Focused() (names []string) {
	for _, seq := range s.Rec.Marks().Shows {
		names = append(names, s.Rec.Record(seq).Show.Focus...)
	}
	return names
}

// Direction is the last direction of the scenario at a record.
func (s *Scenes) Direction(seq int64) Direction {
	seq = recording.Latest(s.Rec.Marks().Shows, seq)
	if seq == 0 {
		return Direction{}
	}
	d, ok := s.directions[seq]
	if !ok {
		d = s.direction(seq)
		s.directions[seq] = d
	}
	return d
}

// direction reads a direction.
func (s *Scenes) direction(seq int64) Direction {
	show := s.Rec.Record(seq).Show
	d := Direction{Seq: seq, View: view.Named(show.View)}
	for _, name := range show.Focus {
		if !strings.Contains(name, "/") {
			d.Programs = append(d.Programs, name)
			continue
		}
		object, ok := s.named(name)
		if !ok {
			continue
		}
		d.Objects = append(d.Objects, object)
		if i := slices.IndexFunc(s.Rec.Workloads(), func(w *recording.Workload) bool { return w.Object == object }); i >= 0 {
			d.Workloads = append(d.Workloads, i)
		}
	}
	return d
}

// subjects are what the directions of the scenario say that it is about.
func (s *Scenes) subjects() (all []film.Subject) {
	for _, seq := range s.Rec.Marks().Shows {
		d := s.Direction(seq)
		all = append(all, film.Subject{Seq: seq, Programs: d.Programs, Objects: d.Objects})
	}
	return all
}

// named is the object that a scenario names as KIND/NAME. The kinds of a recording are known, unless it is of another kubestep.
func (s *Scenes) named(name string) (trace.Object, bool) {
	target, err := notation.ParseTarget(s.History.Kinds(), name)
	if err != nil {
		return trace.Object{}, false
	}
	return trace.Object{Resource: target.Kind().GroupResource().String(), Namespace: target.Namespace, Name: target.Name}, true
}
