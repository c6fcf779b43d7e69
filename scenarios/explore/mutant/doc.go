// Package mutant measures how good the verdicts of a run are: which defects of controllers they notice, without any check that a scenario
// has of its own.
//
// A mutant is a small edit of a controller of Kubernetes, such as a write that is left out or a limit that is off by one. One program has
// all of them, and an environment variable selects one (Build). The scenarios of the controller run without their checks (Bare):
//
//	scenario --Bare--> bare form --run with a mutant--> what noticed it: an invariant, a goal, a relation, a loop, a difference, a step
//
// The test of this package measures it, and writes docs/reference/mutants.md.
package mutant
