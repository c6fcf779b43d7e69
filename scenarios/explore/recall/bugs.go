package recall

import (
	"slices"
	"strings"
)

// Bug is a bug of the gallery that shows only under a fault.
type Bug struct {
	// Scenario is its name in the gallery.
	Scenario string
	// Needs says which fault it needs, in words.
	Needs string

	// checks are what can fail: stuck, same-end, late or an invariant; object is what the failure is about, and part what it says of it.
	checks       []string
	object, part string
	// kinds are the kinds of places that can cause it. Another kind may hurt the same object for another reason.
	kinds []string
}

// Failure is a group of failures of a sweep.
type Failure struct {
	// Check is what failed, Message what it says, and Kind the kind of the place.
	Check, Message, Kind string
}

// Shows reports whether a failure shows the bug. A failure without a kind is one of a fault space.
func (b *Bug) Shows(f Failure) bool {
	about := strings.HasPrefix(f.Message, b.object) || strings.Contains(f.Message, " "+b.object)
	caused := f.Kind == "" || slices.Contains(b.kinds, f.Kind)
	return slices.Contains(b.checks, f.Check) && about && strings.Contains(f.Message, b.part) && caused
}

// Names of checks that are no invariants.
const (
	stuck   = "stuck"
	sameEnd = "same-end"
)

var (
	outages   = []string{"outage"}
	staleness = []string{"stale-restart-after-write", "stale-restart-after-event"}
)

// Bugs lists the bugs of the gallery that need a fault rule: those whose status is open, design or gate. Two others are left out:
// crash-in-the-middle-of-a-sync does no harm, and swallowed-scale-down-error-thrice is the bug of swallowed-scale-down-error.
func Bugs() []Bug {
	return []Bug{
		{
			Scenario: "controller-gives-up-on-a-rollout", Needs: "16 refused creations",
			checks: []string{stuck}, object: "deployments/web", part: "dropped it after", kinds: outages,
		},
		{
			Scenario: "failure-stays-while-paused", Needs: "a refused creation just before a pause",
			checks: []string{sameEnd, stuck}, object: "deployments/web", part: "ReplicaFailure", kinds: []string{"refused-write", "outage"},
		},
		{
			Scenario: "scale-in-the-middle-stops-a-rollout", Needs: "refused updates during a scale",
			checks: []string{stuck}, object: "deployments/web", part: "4 of 4 replicas are available; deployment-controller last looked",
			kinds: []string{"crash-after-write", "refused-write", "outage", "crash-before-write", "late-write"},
		},
		{
			Scenario: "swallowed-scale-down-error", Needs: "two refused updates",
			checks: []string{stuck}, object: "deployments/web", part: "last looked at it", kinds: outages,
		},
		{
			Scenario: "back-off-keeps-a-dead-endpoint", Needs: "an outage of minutes",
			checks: []string{sameEnd}, object: "endpointslices/web-*", kinds: outages,
		},
		{
			Scenario: "dropped-out-of-the-queue", Needs: "an outage of two hours",
			checks: []string{stuck}, object: "services/web", part: "dropped it after", kinds: outages,
		},
		{
			Scenario: "retry-overwrites-a-user", Needs: "an update that arrives late",
			checks: []string{"updated-as-read"}, object: "deployments/web", part: "spec.replicas", kinds: []string{"late-write"},
		},
		{
			Scenario: "done-and-run-again", Needs: "a restart on a stale list",
			checks: []string{"job-parallelism"}, object: "Job once", part: "succeeded", kinds: staleness,
		},
		{
			Scenario: "last-words-of-a-leader", Needs: "a lost lease, and a creation that arrives late",
			checks: []string{"replicaset-pods"}, object: "ReplicaSet web", kinds: []string{"deposed-leader"},
		},
		{
			Scenario: "lost-answer-keeps-a-dead-endpoint", Needs: "a lost answer, or a crash",
			checks: []string{stuck}, object: "pods/web-", part: "its node node-1 does not report",
			kinds: []string{"lost-answer", "crash-after-write", "stale-restart-after-write"},
		},
		{
			Scenario: "expectations-expire", Needs: "a watch that is silent for five minutes",
			checks: []string{"replicaset-pods"}, object: "ReplicaSet web", kinds: []string{"silent-watch"},
		},
		{
			Scenario: "restart-on-a-stale-list", Needs: "a restart on a stale list",
			checks: []string{"replicaset-pods"}, object: "ReplicaSet web", kinds: staleness,
		},
		{
			Scenario: "stale-restart-deletes-a-healthy-pod", Needs: "a restart on a stale list",
			checks: []string{"deleted-as-read"}, object: "default/db-0", kinds: staleness,
		},
		{
			Scenario: "five-errors-lose-an-eviction", Needs: "five refused deletions",
			checks: []string{stuck}, object: "pods/tolerant", part: "nothing is queued for it", kinds: outages,
		},
	}
}
