// Package exact makes a simulation's order a function of its seed down to the Go runtime, in the exact build.
//
// The engine decides the order of requests and watch events in any build. What it cannot decide is what the
// Go runtime leaves to chance while goroutines run between two events: the order of a map's iteration, the
// case that a select takes, the timer that fires first of several for one instant, which goroutine runs
// next. The exact build (make build EXACT=1) compiles kubestep with a runtime in which these are functions
// of the seed for every goroutine of a bubble, from the call of Seed on. Package overlay, below this one,
// makes that runtime from the installed toolchain.
//
// In the stock build Seed does nothing.
//
// # What it needs
//
// One processor: with two, goroutines run at the same time, and no runtime can say who comes first. And one
// process for each run: a second run in one process finds the caches that the first one filled.
package exact
