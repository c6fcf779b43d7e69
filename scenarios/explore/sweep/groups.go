package sweep

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/compare"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Group are failures that belong together.
type Group struct {
	// Verdict is how the runs ended: fail, stuck, hot, diverged, late or error.
	Verdict string `json:"verdict"`
	// Check is what failed first, unless the verdict is stuck or hot.
	Check string `json:"check"`
	// Decision is, in the run of the smallest seed, the first that no seed which passed took; nil if there is none, so that
	// only instants tell it from those that pass.
	Decision *compare.Decision `json:"decision,omitempty"`
	// Smallest is the smallest seed, and Message its failure.
	Smallest int64   `json:"smallestSeed"`
	Message  string  `json:"message"`
	Seeds    []int64 `json:"seeds"`
	// Faults are those that the smallest seed drew, Needs those of them without which it does not end as it does (blame.go), and
	// Comparison is how its run differs from one without them.
	Faults []string `json:"faults,omitempty"`
	Needs  []string `json:"needs,omitempty"`
	// Rules are the names of the rules of the faults, if the runs are those of places or pairs.
	Rules      []string          `json:"rules,omitempty"`
	Comparison *child.Comparison `json:"comparison,omitempty"`
	// Unconfirmed are seeds whose trace a fresh process did not repeat, and what it did instead.
	Unconfirmed map[int64]string `json:"unconfirmed,omitempty"`
}

// Unrepeated are the seeds that passed, and had another trace in a fresh process.
func (r *Results) Unrepeated() []int64 {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(r.doubts)), func(seed int64) bool { return r.Verdict(seed) != runner.Pass })
}

// Groups are the failures, the largest group first. Two runs belong together if the same is wrong at their ends: the
// verdict, and the object that is stuck or late, or the controller that is hot; otherwise, what failed first, and which kinds of objects
// ended in another state than without the faults.
func (r *Results) Groups() []*Group {
	byWay := map[*way]*Group{}
	var groups []*Group
	for _, seed := range r.AllSeeds() {
		way := r.wayOf(seed)
		if way == nil || way.key.verdict == runner.Pass {
			continue
		}
		group := byWay[way]
		if group == nil {
			group = r.group(way.example)
			byWay[way] = group
			groups = append(groups, group)
		}
		group.Seeds = append(group.Seeds, seed)
		if doubt, ok := r.doubts[seed]; ok {
			if group.Unconfirmed == nil {
				group.Unconfirmed = map[int64]string{}
			}
			group.Unconfirmed[seed] = doubt.what
		}
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(len(b.Seeds), len(a.Seeds)) })
	return groups
}

// How says how a run ended, in the same words for all seeds and versions of Kubernetes in which the same is wrong.
type How struct {
	Verdict string
	// Check is what failed first, and empty if the verdict is pass, stuck or hot. End is then what is stuck or hot.
	Check, End string
}

// How is how the run of a seed ended.
func (r *Results) How(seed int64) How {
	way := r.wayOf(seed)
	switch {
	case way == nil || way.key.verdict == runner.Pass:
		return How{Verdict: runner.Pass}
	case way.key.verdict == runner.Stuck, way.key.verdict == runner.Hot:
		return How{Verdict: way.key.verdict, End: way.key.end}
	}
	return How{Verdict: way.key.verdict, Check: way.key.check}
}

// Example is the group of the run of a seed, without seeds: Smallest is the one whose message and faults it has. It is nil for a run that
// passed.
func (r *Results) Example(seed int64) *Group {
	if way := r.wayOf(seed); way != nil && way.key.verdict != runner.Pass {
		return r.group(way.example)
	}
	return nil
}

// Doubt is what a new process did instead of repeating the trace of a seed; empty if it did not, or was not asked to.
func (r *Results) Doubt(seed int64) string { return r.doubts[seed].what }

// Count counts the seeds whose runs ended so.
func (r *Results) Count(how How) (n int) {
	for seed := range r.seeds {
		if r.How(seed) == how {
			n++
		}
	}
	return n
}

// group is the group of an example, without seeds.
func (r *Results) group(example *Result) *Group {
	failure := first(example)
	switch example.Result {
	case runner.Stuck:
		failure = child.Failure{Name: runner.Stuck, Message: example.Stuck}
	case runner.Hot:
		failure = child.Failure{Name: runner.Hot, Message: example.Hot}
	}
	return &Group{
		Verdict: example.Result, Check: failure.Name, Decision: r.divergent(example), Smallest: example.Seed, Message: failure.Message,
		Faults: example.Faults, Needs: r.needs[example.Seed], Comparison: example.Comparison,
		Rules: example.Rules,
	}
}

// first is the first failure; a run that failed has one.
func first(result *Result) child.Failure {
	if len(result.Failures) == 0 {
		return child.Failure{Name: result.Result}
	}
	return result.Failures[0]
}

// divergent is the first decision of a run that no run which passed took.
func (r *Results) divergent(result *Result) *compare.Decision {
	if len(r.paths) == 0 {
		return nil
	}
	for i := range result.Decisions {
		if !r.took(&result.Decisions[i]) {
			return &result.Decisions[i]
		}
	}
	return nil
}

// took reports whether a run that passed took a decision.
func (r *Results) took(decision *compare.Decision) bool {
	path, err := HashOf(decision.Path)
	_, took := r.paths[path]
	return took && err == nil
}

// NonePassed means that no seed passed, so that there is nothing to compare with.
func (r *Results) NonePassed() bool { return r.Failing == r.Len() }
