package invariant

import "fmt"

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
	often := fmt.Sprintf("in each of %d minutes in a row, more than %d times, plus %d for each write of users, nodes and the scheduler in it",
		busyMinutes, busyWrites, answers)
	return []Limit{
		{HotCreates, NoHotLoop, fmt.Sprintf("in a minute, more than %d objects of an owner, plus %d for each that it wants",
			spareCreations, wantedTimes),
			"A rollout with maxSurge creates each Pod once, and then nodes may fail."},
		{HotRecreates, NoHotLoop, fmt.Sprintf("in a minute, more than %d times", spareCreations+wantedTimes),
			"An object without an owner is wanted once."},
		{HotUpdates, NoHotLoop, often,
			"The fastest clock of upstream's controllers is that of an autoscaler, 4 times a minute. A Pod that becomes Ready changes the " +
				"status of its ReplicaSet, and that is available a little later."},
		{HotConflicts, NoHotLoop, often,
			"A change of others refuses each request that is on its way. A key that fails waits for 5 ms, and then twice as long each time: " +
				"13 retries in the first minute, and fewer in each after it."},
		{HotNothing, NoHotLoop, often,
			"A controller whose cache is behind asks for what is done already, until the watch event arrives. Deletions that do delete have no " +
				"limit of their own: somebody created each of the objects."},
		{HotAlternates, NoHotLoop, fmt.Sprintf("at a rest or an end, when a field has taken the value back that it had before %d times in a row, "+
			"and has not settled for %d times the average time between two", swingsMany, swingsQuiet),
			"A rolling update with maxSurge changes status.replicas back and forth, and settles."},
		{HotRepeats, NoHotLoop, fmt.Sprintf("at a rest or an end, %d times in a row, and not settled either", echoesMany),
			"A controller may need some syncs until its own write changes nothing."},
		{HotSyncs, convergence.Name, fmt.Sprintf("at the end, %d times in a row, more often than each 5s", idleMany),
			"A queue may look at a key again after a time."},
	}
}
