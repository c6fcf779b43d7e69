// Package place lists the places of a run at which one fault can apply.
//
// A run is finite: its controllers make so many writes, and their informers receive so many watch events. Each of these, with each
// kind of fault that fits it, is a Place: a rule of spec.faults that applies there and nowhere else. The run with the rule is the same
// as the run without it up to that place, because a run depends on nothing but its scenario and its seed:
//
//	look := place.NewLook(scenario)
//	... a run without faults, with look.Note among its sinks ...
//	for _, p := range look.Places() {
//		... a run with the rules p.Rules ...
//	}
//
// kubestep explore --every makes a run for each place of all controllers. scenariotest.Perturb does so for a controller of one's own,
// and has more patterns, which combine several rules.
package place
