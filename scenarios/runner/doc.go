// Package runner runs scenarios.
//
// Prepare checks a scenario as far as possible without running it, and compiles its expressions. The resulting Plan can
// be run any number of times, with any seed; Run does both. A run is one simulation: the cluster is populated, the
// controllers start, the fault rules are armed, and then the steps run, one after the other, on a goroutine of the
// simulation with the actor kubectl:
//
//	sleep until the step is due -> record it -> the verb's Do -> compare the result with what the step expects
//
// The engine evaluates what a step, a fault or a check waits for once whenever the simulation is quiescent, so it
// misses no state of the store. At the horizon, or when a step fails, checks and invariants are decided, and the
// Outcome is the result of the run.
//
// A run uses global variables of its process: feature gates, and other state of upstream's code. So a process runs one
// scenario at a time.
package runner
