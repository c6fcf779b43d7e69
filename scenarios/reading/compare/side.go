package compare

import (
	"cmp"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Side is one of the two recordings, with what is counted in it.
type Side struct {
	// Name is the scenario or the file; Seed, Result and Hash are known of a run.
	Name   string `json:"name"`
	Seed   *int64 `json:"seed,omitempty"`
	Result string `json:"result,omitempty"`
	Hash   string `json:"traceHash,omitempty"`

	rec       *recording.Recording
	finder    *Decisions
	decisions []Decision
	tallies   map[string]*Tally
	writes    map[trace.Object]int
	history   *History
	course    *Course
	checks    map[string]Verdict
}

// Tally counts what an actor did. Failed are syncs that ended with an error, and Conflicts the requests that
// came back with 409 Conflict.
type Tally struct {
	Syncs     int `json:"syncs"`
	Failed    int `json:"failedSyncs"`
	Writes    int `json:"writes"`
	Conflicts int `json:"conflicts"`
}

// Verdict is how a check ended.
type Verdict struct {
	Passed  bool   `json:"passed"`
	Message string `json:"message,omitempty"`
}

// newSide counts what is in a recording.
func newSide(rec *recording.Recording) *Side { return sideOf(rec, NewDecisions()) }

// sideOf counts with a finder of decisions.
func sideOf(rec *recording.Recording, finder *Decisions) *Side {
	s := headOf(rec, finder)
	for record := range rec.AllOf(trace.KindRequest, trace.KindSync, trace.KindCheck, trace.KindFault, trace.KindAction) {
		s.add(record)
	}
	s.course.collected = len(rec.OfActor(garbageCollector)) > 0
	return s
}

// headOf is a side of which nothing is counted.
func headOf(rec *recording.Recording, finder *Decisions) *Side {
	s := &Side{
		Name: rec.Name, Result: cmp.Or(rec.Result, string(rec.Halted)), Hash: rec.Hash, rec: rec,
		finder: finder, tallies: map[string]*Tally{}, writes: map[trace.Object]int{},
		checks: map[string]Verdict{},
	}
	s.history, s.course = s.finder.History(), s.finder.Course()
	if rec.Ran {
		s.Seed = &rec.Seed
	}
	return s
}

// Len is how many records there are.
func (s *Side) Len() int64 { return s.rec.Len() }

func (s *Side) add(record *trace.Record) {
	if decision, ok := s.finder.Add(record); ok {
		s.decisions = append(s.decisions, decision)
	}
	s.history.Add(record)
	s.course.Add(record)
	switch {
	case record.Check != nil:
		s.checks[record.Check.Name] = Verdict{record.Check.Passed, record.Check.Message}
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		s.tally(record.Actor).Syncs++
	case record.Sync != nil && record.Sync.Error != "":
		s.tally(record.Actor).Failed++
	case record.Request != nil && !record.Background:
		s.count(record)
	}
}

func (s *Side) count(record *trace.Record) {
	if record.Request.Reason == "Conflict" {
		s.tally(record.Actor).Conflicts++
	}
	for i := range record.Request.Writes {
		s.tally(record.Actor).Writes++
		s.writes[s.finder.names.object(record.Request.Writes[i].Object)]++
	}
}

func (s *Side) tally(actor string) *Tally {
	t := s.tallies[actor]
	if t == nil {
		t = &Tally{}
		s.tallies[actor] = t
	}
	return t
}
