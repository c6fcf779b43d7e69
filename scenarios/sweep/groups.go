package sweep

import (
	"cmp"
	"maps"
	"slices"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/compare"
)

// Group are failures that belong together.
type Group struct {
	// Check is what failed first.
	Check string `json:"check"`
	// Decision is the first that no seed which passed took; nil if there is none, so that only instants
	// tell the failing seeds from those that pass.
	Decision *compare.Decision `json:"decision,omitempty"`
	// Smallest is the smallest seed, and Message its failure.
	Smallest int64   `json:"smallestSeed"`
	Message  string  `json:"message"`
	Seeds    []int64 `json:"seeds"`
	// Unconfirmed are seeds whose trace a fresh process did not repeat, and what it did instead.
	Unconfirmed map[int64]string `json:"unconfirmed,omitempty"`
}

// AllSeeds are the seeds that ran, sorted.
func (r *Results) AllSeeds() []int64 { return slices.Sorted(maps.Keys(r.BySeed)) }

// Unrepeated are the seeds that passed, and had another trace in a fresh process.
func (r *Results) Unrepeated() []int64 {
	var seeds []int64
	for _, seed := range r.AllSeeds() {
		if result := r.BySeed[seed]; result.Passed() && result.Unconfirmed != "" {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}

// Groups are the failures, the largest group first.
func (r *Results) Groups() []*Group {
	type key struct{ check, actor, text string }
	byKey := map[key]*Group{}
	var groups []*Group
	for _, seed := range r.AllSeeds() {
		result := r.BySeed[seed]
		if result.Passed() {
			continue
		}
		failure := first(result)
		k, decision := key{check: failure.Name}, r.divergent(result)
		if decision != nil {
			k.actor, k.text = decision.Actor, decision.Text
		}
		group := byKey[k]
		if group == nil {
			group = &Group{Check: failure.Name, Decision: decision, Smallest: seed, Message: failure.Message}
			byKey[k] = group
			groups = append(groups, group)
		}
		group.Seeds = append(group.Seeds, seed)
		if result.Unconfirmed != "" {
			if group.Unconfirmed == nil {
				group.Unconfirmed = map[int64]string{}
			}
			group.Unconfirmed[seed] = result.Unconfirmed
		}
	}
	slices.SortStableFunc(groups, func(a, b *Group) int { return cmp.Compare(len(b.Seeds), len(a.Seeds)) })
	return groups
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
		if !r.paths[result.Decisions[i].Path] {
			return &result.Decisions[i]
		}
	}
	return nil
}

// NonePassed means that no seed passed, so that there is nothing to compare with.
func (r *Results) NonePassed() bool { return r.Failing == len(r.BySeed) }
