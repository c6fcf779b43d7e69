// Package runner runs scenarios.
//
// Prepare looks at a scenario as far as that is possible without running it, and compiles its expressions. What it
// returns, a Plan, can be run any number of times, with any seed; Run does both at once. A run is one simulation: the
// cluster is populated, the controllers start, the fault rules are armed, and then the steps are taken, one after the
// other, on a goroutine of the simulation that goes by the name of kubectl:
//
//	sleep until the step is due -> record it -> the verb's Do -> hold the result to what the step expects
//
// What a step, a fault or a check waits for is looked at by the engine whenever nothing can happen at this instant any
// more, so that no state of the store goes unseen, and nothing is looked at twice. At the horizon, or when a step
// fails, checks and invariants are settled, and the Outcome says how the run ended.
//
// A run is a property of its process: feature gates, and much else that upstream's code keeps, are global variables.
// One scenario runs at a time.
package runner
