package invariant

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/sim/trace"
)

// HotWork is what a hot controller does.
type HotWork string

// The kinds of work of a hot controller.
const (
	// HotCreates means that it creates far more objects than their owner wants.
	HotCreates HotWork = "creates"
	// HotRecreates means that it creates an object that has no owner each time that it is deleted.
	HotRecreates HotWork = "creates again"
	// HotUpdates means that it updates an object more often than any other change explains.
	HotUpdates HotWork = "updates"
	// HotConflicts means that its requests to write an object are refused with 409: Conflict or AlreadyExists.
	HotConflicts HotWork = "is refused"
	// HotNothing means that it updates, patches or deletes an object again and again, and that this changes nothing.
	HotNothing HotWork = "changes nothing"
	// HotAlternates means that a field alternates between values.
	HotAlternates HotWork = "alternates"
	// HotRepeats means that each of its updates of an object causes its next sync, which updates the object again.
	HotRepeats HotWork = "repeats"
	// HotSyncs means that it syncs a key again and again, and writes nothing.
	HotSyncs HotWork = "syncs"
)

// Hot is work that controllers do again and again although nothing changes that they have not changed themselves.
type Hot struct {
	// Object is the name of the object that they write: daemonsets/agent -n team. For HotCreates, it is the owner of what they
	// create, and for HotSyncs the key.
	Object string `json:"object"`
	// Resource is that of the object, with its group; empty if it is not known.
	Resource string `json:"resource,omitempty"`
	// Controllers do it; two of them disagree about a field.
	Controllers []string `json:"controllers"`
	// Keys are those whose syncs disagree, if it is one controller that disagrees with itself.
	Keys []string `json:"keys,omitempty"`
	Work HotWork  `json:"work"`
	// Kind is what a controller creates, Deleted is how many of them were deleted, and Wanted is how many the owner wants at most; -1
	// if that is not known.
	Kind    string `json:"kind,omitempty"`
	Deleted int    `json:"deleted,omitempty"`
	Wanted  int    `json:"wanted,omitempty"`
	// Field is what is updated or alternates, and Values are what a field alternates between.
	Field  string   `json:"field,omitempty"`
	Values []string `json:"values,omitempty"`
	// Verb is that of requests that are refused or change nothing, and Refusal the reason of the answer.
	Verb    string `json:"verb,omitempty"`
	Refusal string `json:"refusal,omitempty"`
	// Count is how often it happened in Seconds of virtual time, until LastSeconds.
	Count       int     `json:"count"`
	Seconds     float64 `json:"seconds"`
	LastSeconds float64 `json:"lastSeconds"`

	// first is when it began.
	first time.Duration
}

// until notes that it happened once more.
func (h *Hot) until(at time.Duration) {
	h.Seconds, h.LastSeconds = (at - h.first).Seconds(), at.Seconds()
}

// PerMinute is how often it happened in a virtual minute, on average.
func (h *Hot) PerMinute() int {
	if h.Seconds <= 0 {
		return h.Count
	}
	return int(math.Round(float64(h.Count) * time.Minute.Seconds() / h.Seconds))
}

// IsAsHotAs reports whether this happens at least half as often as what another run has. How often differs a little from run to run: a
// controller that syncs a key 626 times a minute with a fault does so 615 times without it.
func (h *Hot) IsAsHotAs(other *Hot) bool { return 2*h.PerMinute() >= other.PerMinute() }

// Reason says who does what to objects of which kind, without what differs from run to run: numbers and names.
func (h *Hot) Reason() string {
	return strings.Join(strings.Fields(strings.Join(
		[]string{cmp.Or(h.Resource, h.Object), strings.Join(h.Controllers, " and "), string(h.Work), h.Verb, h.Kind, h.Field}, " ")), " ")
}

// String returns a sentence with the numbers.
func (h *Hot) String() string {
	who := strings.Join(h.Controllers, " and ")
	if len(h.Keys) > 0 {
		who += " in its syncs of " + strings.Join(h.Keys, " and ")
	}
	last := trace.Seconds(duration(h.LastSeconds))
	switch h.Work {
	case HotCreates:
		return fmt.Sprintf("%s: %s created %s in %s%s", h.Object, who, trace.Count(h.Count, h.Kind), rounded(h.Seconds), h.against())
	case HotRecreates:
		return fmt.Sprintf("%s: %s created it %d times in %s, and it was deleted %d times",
			h.Object, who, h.Count, rounded(h.Seconds), h.Deleted)
	case HotAlternates:
		return fmt.Sprintf("%s: %s alternates between %s and %s: %s, %d times a minute, %d times in a row, the last at %s",
			h.Object, h.Field,
			h.Values[0], h.Values[1], who, h.PerMinute(), h.Count, last)
	case HotRepeats:
		return fmt.Sprintf("%s: %s updates %s in each sync, and each update causes its next sync: %d times in a row, the last at %s",
			h.Object, who, h.Field, h.Count, last)
	case HotConflicts:
		return fmt.Sprintf("%s: %d requests a minute of %s to %s it were refused with 409 %s, and few other changes explain it",
			h.Object, h.PerMinute(), who, h.Verb, h.Refusal)
	case HotNothing:
		return fmt.Sprintf("%s: %s sent a request to %s it %d times a minute, and nothing changed", h.Object, who, h.Verb, h.PerMinute())
	case HotSyncs:
		return fmt.Sprintf("%s: %s synced it %d times a minute and wrote nothing, the last time at %s",
			h.Object, who, h.PerMinute(), last)
	}
	return fmt.Sprintf("%s: %s updated %s %d times a minute, and few other changes explain it", h.Object, who, h.Field, h.PerMinute())
}

// against says how many of the objects that were created are wanted, or were deleted.
func (h *Hot) against() string {
	text := ""
	if h.Wanted >= 0 {
		text = fmt.Sprintf(" for %d that it wants", h.Wanted)
	}
	if h.Deleted > 0 {
		text += fmt.Sprintf(", and %d of them were deleted", h.Deleted)
	}
	return text
}

// rounded rounds a number of seconds to what a reader needs: 350ms, 12s, 1m52s.
func rounded(seconds float64) string {
	if seconds < 1 {
		return duration(seconds).Round(time.Millisecond).String()
	}
	return duration(seconds).Round(time.Second).String()
}

func duration(seconds float64) time.Duration { return time.Duration(seconds * float64(time.Second)) }

// addOnce appends a name that is not in a list.
func addOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// Limit says from when on work of a controller is hot, and why not sooner. docs/reference/invariants.md is made from these.
type Limit struct {
	Work HotWork
	// Invariant is the name of the one that finds it.
	Invariant string
	// From is when it is hot, and Because is what explains less.
	From, Because string
}

// Limits lists those of each kind of work. What nothing changes, a controller does at a constant rate at most: that of its clocks. All
// limits are beyond that rate, and grow with what others change or an owner wants.
func Limits() []Limit {
	often := fmt.Sprintf("in each of %d minutes in a row, more than %d times, plus %d for each write of users, nodes and the "+
		"scheduler in it", busyMinutes, busyWrites, answers)
	return []Limit{
		{HotCreates, NoHotLoop, fmt.Sprintf("in a minute, more than %d objects of an owner, plus %d for each that it wants",
			spareCreations, wantedTimes),
			"A rollout with maxSurge creates each Pod once, and then nodes may fail."},
		{HotRecreates, NoHotLoop, fmt.Sprintf("in a minute, more than %d times", spareCreations+wantedTimes),
			"An object without an owner is wanted once."},
		{HotUpdates, NoHotLoop, often,
			"The fastest clock of upstream's controllers is that of an autoscaler, 4 times a minute. A Pod that becomes Ready changes " +
				"the status of its ReplicaSet, and that is available a little later."},
		{HotConflicts, NoHotLoop, often,
			"A change of others refuses each request that is on its way. A key that fails waits for 5 ms, and then twice as long each " +
				"time: 13 retries in the first minute, and fewer in each after it."},
		{HotNothing, NoHotLoop, often,
			"A controller whose cache is behind asks for what is done already, until the watch event arrives. Deletions that do delete " +
				"have no limit of their own: somebody created each of the objects."},
		{HotAlternates, NoHotLoop, fmt.Sprintf("at a rest or an end, when a field has taken the value back that it had before %d times "+
			"in a row, and has not settled for %d times the average time between two", contention.SwingsMany, contention.SwingsQuiet),
			"A rolling update with maxSurge changes status.replicas back and forth, and settles."},
		{HotRepeats, NoHotLoop, fmt.Sprintf("at a rest or an end, %d times in a row, and not settled either", echoesMany),
			"A controller may need some syncs until its own write changes nothing."},
		{HotSyncs, convergence.Name, fmt.Sprintf("at the end, %d times in a row, more often than each 5s", idleMany),
			"A queue may look at a key again after a time."},
	}
}
