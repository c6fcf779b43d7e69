package compare

import (
	"iter"

	"github.com/kubestep/kubestep/sim/trace"
)

// Recording is one side of a comparison.
type Recording struct {
	// Name is the scenario or the file; Seed, Result and Hash are known of a run.
	Name   string `json:"name"`
	Seed   *int64 `json:"seed,omitempty"`
	Result string `json:"result,omitempty"`
	Hash   string `json:"traceHash,omitempty"`

	records   []*trace.Record
	finder    *Decisions
	decisions []Decision
	replay    *trace.Replay
	tallies   map[string]*Tally
	writes    map[trace.Object]int
	history   map[history]int
	owners    map[trace.Object]string
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

// NewRecording returns a Recording before its first record.
func NewRecording(name string) *Recording {
	return &Recording{
		Name: name, finder: NewDecisions(), replay: trace.NewReplay(),
		tallies: map[string]*Tally{}, writes: map[trace.Object]int{},
		checks: map[string]Verdict{}, history: map[history]int{}, owners: map[trace.Object]string{},
	}
}

// Add takes the next record.
func (r *Recording) Add(record *trace.Record) error {
	if err := r.replay.Apply(record); err != nil {
		return err
	}
	r.records = append(r.records, record)
	if decision, ok := r.finder.Add(record); ok {
		r.decisions = append(r.decisions, decision)
	}
	switch {
	case record.Check != nil:
		r.checks[record.Check.Name] = Verdict{record.Check.Passed, record.Check.Message}
	case record.Sync != nil && record.Sync.Phase == trace.PhaseStart:
		r.tally(record.Actor).Syncs++
	case record.Sync != nil && record.Sync.Error != "":
		r.tally(record.Actor).Failed++
	case record.Request != nil && !record.Background:
		r.count(record)
		r.remember(record.Request)
	}
	return nil
}

func (r *Recording) count(record *trace.Record) {
	if record.Request.Reason == "Conflict" {
		r.tally(record.Actor).Conflicts++
	}
	for i := range record.Request.Writes {
		r.tally(record.Actor).Writes++
		r.writes[r.finder.names.object(record.Request.Writes[i].Object)]++
	}
}

func (r *Recording) tally(actor string) *Tally {
	t := r.tallies[actor]
	if t == nil {
		t = &Tally{}
		r.tallies[actor] = t
	}
	return t
}

// Len is how many records there are.
func (r *Recording) Len() int { return len(r.records) }

func (r *Recording) all() iter.Seq2[*trace.Record, error] {
	return func(yield func(*trace.Record, error) bool) {
		for _, record := range r.records {
			if !yield(record, nil) {
				return
			}
		}
	}
}
