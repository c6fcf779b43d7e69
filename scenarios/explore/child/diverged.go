package child

import (
	"maps"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// A controller works towards what its objects want, from whatever state it finds. So when the faults of a run are over, and it has come to
// rest, it ends with the same objects as a run without them; if it does not, it has diverged. Two reasons for a difference are none of the
// faults: what another seed changes, too (otherSeeds), and what rightly remains of the past (compare.Exceptions, spec.mayDiffer).

// otherSeeds are those of the runs without faults that a run is compared with if it differs from that of its own seed. Which of two Pods
// gets the last place on a node, for example, depends on the seed. They are far from those that sweeps begin with.
var otherSeeds = []int64{1_000_001, 1_000_002, 1_000_003}

// exceptionsOf are those of a scenario.
func exceptionsOf(s *format.Scenario) (all []compare.Exception) {
	for _, may := range s.Spec.MayDiffer {
		e := compare.Exception{Namespace: may.Namespace, Name: may.Name, Field: may.Field, Because: may.Because}
		if kind := s.Kinds().Named(may.Resource); kind != nil {
			e.Resource = kind.GroupResource().String()
		}
		all = append(all, e)
	}
	return all
}

// Reasons why a run cannot be judged by its end.
const (
	noFaults    = "the scenario has no faults"
	noneActed   = "no fault applied to anything"
	restless    = "the run does not come to rest"
	retries     = "a controller waits to try again what a fault made fail"
	later       = "a controller waits for a time that is over without the faults"
	endlessToo  = "the run without the faults does not come to its end"
	restlessToo = "the run without the faults does not come to rest"
	nodeLacks   = "a node has not recovered from a fault"
	podLacks    = "a Pod has not recovered from a fault"
	otherHosts  = "a node is lost, and other Pods are on it than without the faults"
	// What depends on such a Pod differs, too.
	podLost        = "a Pod has failed because of its node, and no controller makes another one"
	failsOtherwise = "the run fails, and not as without its faults"
	hotToo         = "the run is hot, and as hot without its faults: they have no part in it"
)

// undecided is why a run cannot be judged, empty if it can.
func (r *Reporter) undecided(without *Reporter) string {
	if !r.course.IsFaulty() {
		return noneActed
	}
	return r.incomparable(without)
}

// incomparable is why the end of a run says nothing beside that of another one, empty if it does.
func (r *Reporter) incomparable(without *Reporter) string {
	switch {
	case r.hotIn(without) != nil:
		return hotToo
	case !r.failsAlike(without):
		return failsOtherwise
	case !r.report.Rests:
		return restless
	case r.recovers:
		return retries
	case r.awaitsMore(without):
		return later
	case !without.report.Rests:
		return restlessToo
	case r.course.Lacks(), r.lostMore(without):
		return nodeLacks
	case r.ailing > without.ailing:
		return podLacks
	case !maps.Equal(r.hosts, without.hosts):
		return otherHosts
	case (r.course.LostPods() || r.course.RestartedKubelet()) &&
		slices.ContainsFunc(without.end.Compare(r.end), compare.FinalPair.FailsAlone):
		return podLost
	}
	return ""
}

// lostMore reports whether a node is lost at the end that is not lost in another run: a step that makes a node fail is a fault, too.
func (r *Reporter) lostMore(other *Reporter) bool {
	for node := range r.hosts {
		if _, lost := other.hosts[node]; !lost {
			return true
		}
	}
	return false
}

// awaitsMore reports whether a controller looks again at a key that is done with in another run. Example: a Deployment whose last Pod
// became Ready when a node came back has its deadline ten minutes later, and not ten minutes after its rollout began.
func (r *Reporter) awaitsMore(other *Reporter) bool {
	for await := range r.awaits {
		if !other.awaits[await] {
			return true
		}
	}
	return false
}

// failsAlike reports whether nothing is wrong with a run that is not wrong without its faults, too.
func (r *Reporter) failsAlike(without *Reporter) bool {
	names := func(failures []Failure) (all []string) {
		for _, failure := range failures {
			all = append(all, failure.Name)
		}
		slices.Sort(all)
		return all
	}
	return r.report.Result == without.report.Result && r.report.Result != runner.Stuck && r.report.Result != runner.Hot &&
		slices.Equal(names(r.report.Failures), names(without.report.Failures))
}

// differs is in what the run ended otherwise than one without faults, and what no exception covers.
func (r *Reporter) differs(without *Reporter) []compare.FinalPair {
	exceptions := slices.Concat(compare.ExceptionsTo(r.course), r.mayDiffer)
	return r.withoutVarying(compare.Except(without.end.Compare(r.end), exceptions))
}

// compareEnds notes in what the run diverged. others makes the run without faults of another seed, nil if it does not come to its end.
func (r *Reporter) compareEnds(without *Reporter, others func(seed int64) (*Reporter, error)) error {
	if r.report.Undecided = r.undecided(without); r.report.Undecided != "" {
		return nil
	}
	return r.compareWith(without, others)
}

// compareWith notes in what the run diverged from another one, and from those of other seeds.
func (r *Reporter) compareWith(without *Reporter, others func(seed int64) (*Reporter, error)) error {
	left := r.differs(without)
	for _, seed := range otherSeeds {
		if len(left) == 0 {
			return nil
		}
		other, err := others(seed)
		switch {
		case err != nil:
			return err
		case other != nil:
			left = compare.Common(left, r.differs(other))
		}
	}
	r.diverged = left
	return nil
}

// diverge is the verdict of a run that diverged from another one.
func (r *Reporter) diverge(failure, other string) {
	var texts, subjects []string
	for _, pair := range r.diverged {
		texts, subjects = append(texts, endText(pair, other)), append(subjects, pair.Subject())
		r.report.Differing = append(r.report.Differing, pair.Object)
	}
	message := texts[0]
	if more := len(texts) - 1; more > 0 {
		message += " (and " + trace.Count(more, "object") + " more)"
	}
	r.report.Result, r.report.End = runner.Diverged, runner.Diverged+" "+strings.Join(subjects, ", ")
	if failure != SameEnd {
		r.report.End += " " + other
	}
	r.report.Failures = append(r.report.Failures, Failure{Name: failure, At: r.course.Settled, Message: message})
}
