// Package space holds the fault spaces: ready-made sets of faults that apply to any scenario.
//
// A scenario of a user has no faults, and to write good ones takes knowledge of what its controllers do. A Space needs
// none: it looks at a run without faults (Look), and draws from a seed what goes wrong in the next one, among the
// requests, caches and nodes that this run used. So most faults apply to something:
//
//	profile, err := space.Look(plan.Run)
//	spaces, err := space.Named([]string{"flaky-api", "stale-caches"})
//	drawn := space.Draw(spaces, profile, seed)
//	outcome, err := drawn.Plan(plan).Run(runner.RunOptions{Seed: &seed})
//
// The result of Draw consists of ordinary rules of spec.faults. Drawn.Text writes them into the scenario, which is how a
// run becomes a file that does not need this package, and that kubestep shrink makes smaller.
package space
