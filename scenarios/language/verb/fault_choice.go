package verb

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// FaultChoice says which faults of a scenario are meant, by their field paths: rules of spec.faults, and steps that are
// faults. Nil means none.
type FaultChoice func(path string) bool

// AllFaults is the choice of all faults.
func AllFaults(string) bool { return true }

// The places that stand for all rules of spec.faults, and for all steps that are faults.
const (
	faultsPlace = "spec.faults"
	stepsPlace  = "spec.steps"
)

// ChooseFaults returns the faults at these places: spec.faults, spec.steps, the path of one fault (spec.faults[0],
// spec.steps[3]) or the name of a rule; without places, all. A step that releases a chosen rule is chosen, too. The error
// names a place where no fault is.
func ChooseFaults(s *format.Scenario, places ...string) (FaultChoice, error) {
	if len(places) == 0 {
		return AllFaults, nil
	}
	chosen := map[string]bool{}
	for _, place := range places {
		found := false
		for path, names := range faultPlaces(s) {
			if slices.Contains(names, place) {
				chosen[path], found = true, true
			}
		}
		if !found {
			known := knownPlaces(s)
			wrong := &PlaceError{Problem: source.Problem(spelling.Among(place, known), "there is no fault at %s in this scenario", place)}
			if wrong.Near = spelling.Nearest(place, known); len(known) == 1 {
				wrong.Near = known[0]
			}
			return nil, wrong
		}
	}
	for i, st := range s.Spec.Steps {
		holder, ok := st.Verb.(format.RuleHolder)
		if ok && holder.FaultRule().Release != "" && chose(s, chosen, holder.FaultRule().Release) {
			chosen[format.StepPath(i)] = true
		}
	}
	return func(path string) bool { return chosen[path] }, nil
}

// PlaceError means that no fault of a scenario is at a place.
type PlaceError struct {
	Problem *source.Error
	// Near is the place that may be meant; empty if all of them may.
	Near string
}

// Error implements error.
func (e *PlaceError) Error() string { return e.Problem.Error() }

// Unwrap returns Problem.
func (e *PlaceError) Unwrap() error { return e.Problem }

// faultPlaces are, for the path of each fault, the places that stand for it.
func faultPlaces(s *format.Scenario) map[string][]string {
	places := map[string][]string{}
	for i, f := range s.Spec.Faults {
		places[format.FaultPath(i)] = []string{faultsPlace, format.FaultPath(i), f.Name}
	}
	for i, st := range s.Spec.Steps {
		if !st.Perturbs() {
			continue
		}
		names := []string{stepsPlace, format.StepPath(i)}
		if holder, ok := st.Verb.(format.RuleHolder); ok {
			// The trace calls a rule of a step by its name, or by the path of the rule.
			names = append(names, holder.FaultRule().Name, source.Join(format.StepPath(i), st.Verb.Keyword()))
		}
		places[format.StepPath(i)] = names
	}
	return places
}

// knownPlaces lists the places that ChooseFaults takes, sorted.
func knownPlaces(s *format.Scenario) []string {
	var known []string
	for _, names := range faultPlaces(s) {
		known = append(known, names...)
	}
	slices.Sort(known)
	known = slices.Compact(known)
	return slices.DeleteFunc(known, func(name string) bool { return name == "" })
}

// chose reports whether the rule of a name, or at a path, is chosen.
func chose(s *format.Scenario, chosen map[string]bool, rule string) bool {
	for path, names := range faultPlaces(s) {
		if chosen[path] && (slices.Contains(names, rule) || strings.HasPrefix(rule, path+".")) {
			return true
		}
	}
	return false
}

// CountFaults counts the chosen faults: rules of spec.faults, and steps.
func CountFaults(s *format.Scenario, choice FaultChoice) (faults, steps int) {
	for path := range faultPlaces(s) {
		switch {
		case choice == nil || !choice(path):
		case strings.HasPrefix(path, stepsPlace):
			steps++
		default:
			faults++
		}
	}
	return faults, steps
}
