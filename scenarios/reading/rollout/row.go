package rollout

import (
	"fmt"
	"strings"
	"time"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording/film"
	"github.com/kubestep/kubestep/sim/trace"
)

// Row is the line of a table that one sync has.
type Row struct {
	// At is when the sync began, and Record the record of that.
	At     time.Duration
	Record int64
	// Pods and Available are the numbers that a sync of a Deployment begins with, Old and New the sizes of the ReplicaSets before and
	// after it, Up and Down how much they grow and shrink. Syncs of other controllers have none of these.
	Pods, Available, Old, New, Up, Down string
	// Does is what the sync of another controller asks for: "create 3 pods".
	Does string
	// Why is the arithmetic behind it, and Verdict the whole sentence.
	Why, Verdict string
	// Deferred means that the explanation is not computed yet.
	Deferred bool
}

// rowOf is the line of a sync.
func rowOf(e *arithmetic.Explanation) Row {
	r := Row{At: e.At, Record: e.Start, Why: e.Verdict, Verdict: e.Verdict, Deferred: e.Deferred}
	if e.Rollout == nil {
		var does []string
		for _, action := range e.Actions {
			does = append(does, action.String())
		}
		r.Does = strings.Join(does, ", ")
		if e.Why != "" {
			r.Why = e.Why
		}
		return r
	}
	c := changeOf(e)
	r.Pods, r.Available = fmt.Sprint(e.Rollout.Pods), fmt.Sprint(e.Rollout.Available)
	r.Old, r.New = arrow(e.Rollout.Old, c.old), arrow(e.Rollout.New, c.new)
	r.Up, r.Down, r.Why = counted("+", c.up), counted("-", c.down), reason(e)
	return r
}

// Decisions are the syncs in which the controller of an object changed something; empty if that controller is not explained. explained is
// explain.At, or remembers what that said. Deferred explanations have rows, too: whether they change something is not known.
func Decisions(f *film.Film, o trace.Object, explained func(seq int64) *arithmetic.Explanation) []Row {
	rec, controller, rows := f.Recording(), explain.ControllerOf(o.Resource), []Row{}
	key := o.Namespace + "/" + o.Name
	for _, start := range f.Decisions() {
		if name, _ := trace.SplitActor(rec.Actor(start)); name != controller || rec.SyncKey(start) != key {
			continue
		}
		if e := explained(start); e != nil && (e.Deferred || len(e.Effects)+len(e.Actions) > 0) {
			rows = append(rows, rowOf(e))
		}
	}
	return rows
}

// change is what a sync does to the sizes.
type change struct{ old, new, up, down int32 }

func changeOf(e *arithmetic.Explanation) change {
	c := change{old: e.Rollout.Old, new: e.Rollout.New}
	for _, effect := range e.Effects {
		difference := effect.To - effect.From
		if effect.ReplicaSet == e.Rollout.NewReplicaSet {
			c.new += difference
		} else {
			c.old += difference
		}
		c.up += max(difference, 0)
		c.down += max(-difference, 0)
	}
	return c
}

func arrow(from, to int32) string {
	if from == to {
		return fmt.Sprint(from)
	}
	return fmt.Sprintf("%d -> %d", from, to)
}

func counted(sign string, n int32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s%d", sign, n)
}

// reason is the last column: the arithmetic, the way if it is not a rollout, and what the API server refused. That a
// status has to be written again is not worth a word.
func reason(e *arithmetic.Explanation) string {
	text := e.Why
	if text == "" {
		text = e.Verdict
	}
	for _, effect := range e.Effects {
		if effect.Deleted {
			text += "; " + effect.String()
		}
	}
	if e.Branch != arithmetic.BranchRolling && e.Branch != arithmetic.BranchRecreate {
		text = e.Branch + ": " + text
	}
	if n := len(e.Requests); e.Refused != "" && n > 0 && !strings.HasSuffix(e.Requests[n-1], "/status") {
		text += "; then " + e.Refused
	}
	return text
}
