package perturb

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// Derived are the plans of one pattern.
type Derived struct {
	Pattern
	Plans []Plan
	// Places counts the places that the run has for the pattern: more than there are plans if most were left out.
	Places int
}

// UnknownError is a name that no pattern has.
type UnknownError struct {
	Name string
	// Try is what was probably meant, or all names.
	Try string
}

// Error implements error.
func (e *UnknownError) Error() string { return fmt.Sprintf("unknown pattern %q", e.Name) }

// Named returns the patterns of these names in the order of Patterns; without names, all. The error is an *UnknownError.
func Named(names []string) ([]Pattern, error) {
	all := Patterns()
	if len(names) == 0 {
		return all, nil
	}
	var known []string
	for _, pattern := range all {
		known = append(known, pattern.Name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, &UnknownError{name, spelling.Among(name, known)}
		}
	}
	return slices.DeleteFunc(all, func(p Pattern) bool { return !slices.Contains(names, p.Name) }), nil
}

// Derive returns the plans for a controller. Of each pattern it returns at most so many: the first three places, where most
// mistakes are, and the rest evenly over the run.
func Derive(q *Quiet, patterns []Pattern, most int) []Derived {
	var all []Derived
	for _, pattern := range patterns {
		plans := pattern.plans(q)
		derived := Derived{Pattern: pattern, Places: len(plans), Plans: thin(plans, most)}
		for i := range derived.Plans {
			plan := &derived.Plans[i]
			plan.Pattern = pattern.Name
			for j := range plan.Rules {
				plan.Rules[j].Name = pattern.Name
				if j > 0 {
					plan.Rules[j].Name += fmt.Sprintf("-%d", j+1)
				}
			}
		}
		all = append(all, derived)
	}
	return all
}

// firstPlaces are never left out.
const firstPlaces = 3

// thin leaves out plans until there are so many: of 100 plans and most 12, it keeps 0, 1, 2, and then 3, 13.8, 24.5, ... 99.
func thin(plans []Plan, most int) []Plan {
	if len(plans) <= most {
		return plans
	}
	first := min(firstPlaces, most)
	kept := slices.Clone(plans[:first])
	rest, count := plans[first:], most-first
	for i := range count {
		at := len(rest) - 1
		if count > 1 {
			at = i * (len(rest) - 1) / (count - 1)
		}
		kept = append(kept, rest[at])
	}
	return kept
}

// String is crash-after-write after create configmaps/web 12ms (create 1).
func (p *Plan) String() string { return p.Pattern + " " + p.Place }
