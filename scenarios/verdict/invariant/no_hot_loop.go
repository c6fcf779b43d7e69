package invariant

import (
	"time"

	"github.com/kubestep/kubestep/scenarios/verdict/contention"
	"github.com/kubestep/kubestep/sim/trace"
)

// NoHotLoop is the name of the invariant that makes a run hot.
const NoHotLoop = "no-hot-loop"

var noHotLoop = Invariant{
	Name: NoHotLoop,
	Sentence: "A controller does not write without end. In a minute, it does not create more objects for an owner than 20, and " +
		"three times as many as the owner wants. In two minutes in a row, it does not update an object more often than 20 times, and " +
		"three times as often as users, nodes and the scheduler write in that minute; nor do its writes of an object fail as often with 409, or " +
		"change nothing. When a run ends or a step begins, no controller " +
		"updates an object because of its own last update again and again, and no field still alternates between values.",
	Forgives: "Replacements of objects that a user deleted; Pods of a Job that succeeded, or failed within its backoffLimit; a new " +
		"size or a new template of the owner; writes of Events and leases; writes while a fault acts, or in the minute after it. An " +
		"owner for which it is not known how many objects it wants may have any number of them: only those count that were created " +
		"and deleted again. A status, and the endpoints of a Service, may alternate if only the syncs of one key write them: they follow " +
		"what the controller sees. So may the usage of a ResourceQuota.",
	Upstream: "https://kubernetes.io/docs/concepts/architecture/controller/; failedPodsBackoff in " +
		"pkg/controller/daemon/daemon_controller.go",
	watch: func(r *Run) watcher {
		s := &hotLoops{run: r, contention: newContention(r), echoes: newEchoes(), said: map[string]*Hot{}}
		s.churn, s.rates = newChurn(r, s.report), newRates(r)
		return s
	},
}

// calmAfter is how long no fault may have acted until what a controller does is its own decision.
const calmAfter = time.Minute

// hotLoops watches how often controllers write.
type hotLoops struct {
	passive
	run        *Run
	churn      *churn
	rates      *rates
	contention *contention.Finder
	echoes     *echoes
	looked     bool
	// said has what was found, by object.
	said map[string]*Hot
}

func (s *hotLoops) hasLooked() bool { return s.looked }

func (s *hotLoops) record(record *trace.Record) {
	if record.Kind == trace.KindAction && record.At > 0 {
		s.look()
	}
	s.contention.Add(record)
	s.echoes.record(record)
	if record.Request == nil || record.Background {
		return
	}
	isController := s.run.isController(record.Actor)
	s.looked = s.looked || isController && len(record.Request.Writes) > 0
	if found := s.rates.requested(record, isController, s.contention); found != nil && s.run.isCalm(record.At-2*time.Minute) {
		s.report(s.better(record.Request.Object, found), record.Seq)
	}
}

func (s *hotLoops) change(c *change) { s.churn.change(c) }

func (s *hotLoops) end() {
	s.look()
	if first := &s.run.current.first; first.Hot != nil {
		// Its numbers have grown since.
		first.Message = first.Hot.String()
	}
}

// look reports what has not ended.
func (s *hotLoops) look() {
	for _, hot := range fights(s.contention, s.run.Now()) {
		s.report(hot, 0)
	}
	for _, hot := range s.echoes.endless(s.run.Now()) {
		s.report(hot, 0)
	}
}

// better says why an object is updated so often, if that is known.
func (s *hotLoops) better(object trace.Object, found *Hot) *Hot {
	name := trace.ObjectName(object)
	for _, list := range [][]*Hot{fights(s.contention, s.run.Now()), s.echoes.endless(s.run.Now())} {
		for _, hot := range list {
			if hot.Object == name {
				return hot
			}
		}
	}
	return found
}

// report says once that an object is hot.
func (s *hotLoops) report(hot *Hot, cause int64) {
	if s.said[hot.Object] == nil {
		s.said[hot.Object] = hot
		s.run.breach(Breach{Cause: cause, Message: hot.String(), Hot: hot})
	}
}

// isCalm reports whether no fault has acted since a time.
func (r *Run) isCalm(since time.Duration) bool {
	return (r.disturbed == 0 || r.disturbed+calmAfter < since) && r.Acting() == ""
}
