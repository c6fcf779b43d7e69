package scene

import (
	"slices"
	"strings"

	"k8s.io/kubernetes/cmd/kube-controller-manager/names"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/reading/rollout"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Sum is the arithmetic of a sync.
type Sum struct {
	// Hidden says why there is nothing to see; everything else is empty then.
	Hidden string `json:"hidden,omitempty"`
	// Seq is the first record of the sync.
	Seq int64 `json:"seq,omitempty"`
	// Title says which sync it is: The sync at 7.514s: rolling.
	Title string `json:"title,omitempty"`
	// Steps are its parts, and Verdict is what comes of them.
	Steps   []Step `json:"steps,omitempty"`
	Verdict string `json:"verdict,omitempty"`

	explanation *arithmetic.Explanation
}

// Step is a part of a Sum: lines with a label, a formula and a value each. Function is that of upstream.
type Step struct {
	Title    string      `json:"title"`
	Function string      `json:"function,omitempty"`
	Lines    [][3]string `json:"lines"`
}

// Lines are the sum as text.
func (s *Sum) Lines(width int) []arithmetic.TextLine { return s.explanation.Lines(width) }

// Sum is the arithmetic of the sync that the record belongs to, or else of the last sync of a workload or, without one, of the last
// decision that is explained.
func (b *Beat) Sum(w *recording.Workload) *Sum {
	if b.Asked {
		return &Sum{Hidden: "The arithmetic is part of the question."}
	}
	e := b.explanation(w)
	switch {
	case e == nil && w != nil && explain.ControllerOf(w.Object.Resource) != "":
		return &Sum{Hidden: explain.ControllerOf(w.Object.Resource) + " has not synced " + w.Object.Name + " yet."}
	case e == nil:
		return &Sum{Hidden: "No controller has decided anything yet that is explained in numbers."}
	case b.Conceals(e.Start):
		return &Sum{Hidden: "The arithmetic is part of the next question."}
	case e.Deferred:
		return &Sum{Hidden: "At " + trace.Seconds(e.At) + ", " + e.Controller + " syncs " + e.Key + ": " + e.Verdict + "."}
	}
	sum := &Sum{Seq: e.Start, Title: titleOf(e, w), Verdict: e.Verdict, explanation: e}
	for _, of := range e.Steps {
		step := Step{Title: of.Title, Function: strings.TrimSpace(of.File + " " + of.Function), Lines: [][3]string{}}
		for _, line := range of.Lines {
			step.Lines = append(step.Lines, [3]string{line.Label, line.Formula, line.Value})
		}
		sum.Steps = append(sum.Steps, step)
	}
	return sum
}

// explanation is that of the sync to be seen.
func (b *Beat) explanation(w *recording.Workload) *arithmetic.Explanation {
	if e := b.at(b.Seq); e != nil {
		return e
	}
	if w != nil {
		return explain.Last(b.Rec, w, b.Seq, b.History.Explained)
	}
	decisions := b.Film.Decisions()
	for start := recording.Latest(decisions, b.Seq); start != 0; start = recording.Previous(decisions, start) {
		if e := b.at(start); e != nil && !b.Instant().IsInterrupted(start) {
			return e
		}
	}
	return nil
}

// at explains the sync of a record; nil if it has none, or if the sync did nothing since its cache was behind.
func (b *Beat) at(seq int64) *arithmetic.Explanation {
	start := b.Rec.SyncOf(seq)
	if start == 0 || b.Rec.Sync(start).Stale {
		return nil
	}
	return b.History.Explained(start)
}

// titleOf says which sync it is, in words that are true at every beat: a page has the sum once.
func titleOf(e *arithmetic.Explanation, w *recording.Workload) string {
	title := "The sync"
	if w == nil || e.Key != w.Key() || e.Controller != explain.ControllerOf(w.Object.Resource) {
		title += " of " + e.Key + " by " + e.Controller
	}
	return title + " at " + trace.Seconds(e.At) + ": " + e.Branch
}

// Table is what the controller of an object changed, a line for each sync.
type Table struct {
	Head []string `json:"head"`
	Rows []Row    `json:"rows"`
}

// Row is a line of a Table.
type Row struct {
	// Seq is the first record of the sync, and End the last one, 0 if it does not end.
	Seq   int64    `json:"seq"`
	End   int64    `json:"end"`
	Cells []string `json:"cells"`
	// Verdict is the whole sentence, of which the last cell has a part.
	Verdict string `json:"verdict"`
}

// Until is the table without the syncs that go on after a record, which would tell what comes of them; 0 leaves out nothing. at is the
// index of the last line at or before another record, -1 if there is none.
func (t *Table) Until(until, seq int64) (rows []Row, at int) {
	at = -1
	for i, row := range t.Rows {
		if until > 0 && (row.End == 0 || row.End > until) {
			return t.Rows[:i], at
		}
		if row.Seq <= seq {
			at = i
		}
	}
	return t.Rows, at
}

// Decisions is the table of an object. It has no rows if nothing explains its controller.
func (s *Scenes) Decisions(o trace.Object) *Table {
	if t := s.tables[o]; t != nil {
		return t
	}
	list := rollout.Decisions(s.Film, o, s.History.Explained)
	t := &Table{Head: []string{"time", "does", "why"}, Rows: []Row{}}
	numbers := len(list) > 0 && explain.ControllerOf(o.Resource) == names.DeploymentController
	if numbers {
		t.Head = []string{"time", "pods", "avail", "old", "new", "why"}
	}
	for i := range list {
		of := &list[i]
		row := Row{Seq: of.Record, End: s.Rec.SyncEnd(of.Record), Verdict: of.Verdict}
		row.Cells = []string{trace.Seconds(of.At), of.Does, of.Why}
		if numbers {
			row.Cells = []string{trace.Seconds(of.At), of.Pods, of.Available, of.Old, of.New, of.Why}
		}
		t.Rows = append(t.Rows, row)
	}
	if !slices.ContainsFunc(list, func(of rollout.Row) bool { return of.Deferred }) {
		s.tables[o] = t
	}
	return t
}
