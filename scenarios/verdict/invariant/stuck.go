package invariant

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/verdict/liveness"
	"github.com/kubestep/kubestep/sim/trace"
)

// Stuck is what the invariant not-stuck finds: an object that is not in its desired state, or a key that its controller has dropped, of
// an object that has no goal.
type Stuck struct {
	// Object is its name: deployments/web -n team. Missing is the difference to what it wants. Both are empty if only the key is known.
	Object, Missing string
	// Relation is the name of the relation between objects that does not hold; empty if the goal is about the object alone.
	Relation string
	// Dropped means that the controller has dropped the object's key after failures.
	Dropped bool
	// Key is set if only the key is known.
	Key *Requeue
	// look says when the controller last looked at the object, and what lets it look again; empty if it is not known.
	look string
}

// Reason is what is wrong, without what differs from run to run: how often something failed, when, and with which error.
func (s *Stuck) Reason() string {
	switch {
	case s.Key != nil:
		return s.Key.subject()
	case s.Dropped:
		return s.missing() + " dropped"
	}
	return s.missing()
}

// String returns a sentence.
func (s *Stuck) String() string {
	switch {
	case s.Key != nil:
		return s.Key.String()
	case s.look != "":
		return s.missing() + "; " + s.look
	}
	return s.missing()
}

func (s *Stuck) missing() string { return s.Object + ": " + s.Missing }

// Stuck describes an object that is stuck: when a controller last looked at it, what came of it, and what lets it look again.
func (r *Run) Stuck(f *liveness.Finding) *Stuck {
	s := &Stuck{Object: trace.ObjectName(f.Object), Missing: f.Missing, Relation: f.Goal.Relation, look: "nothing is queued for it"}
	turns := r.requeues.of(f.Controller, f.Key())
	if turns == nil {
		return s
	}
	last := trace.Seconds(turns.last)
	switch {
	case turns.failures > 0:
		s.Dropped = true
		s.look = fmt.Sprintf("%s dropped it after %d failures in a row, the last at %s: %s", f.Controller, turns.failures, last, turns.err)
	case turns.pending:
		s.look = fmt.Sprintf("%s last looked at it at %s, and set a timer to look again", f.Controller, last)
	default:
		s.look = fmt.Sprintf("%s last looked at it at %s, and nothing is queued for it", f.Controller, last)
	}
	return s
}
