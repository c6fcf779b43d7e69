// Package exact makes the order of a simulation depend only on its seed, down to the Go runtime, in the exact build.
//
// The engine decides the order of requests and watch events in any build. It cannot decide what the Go runtime
// randomizes while goroutines run between two events: the order of a map's iteration, the case that a select takes,
// which of several timers with the same time fires first, which goroutine runs next. The exact build (make build
// EXACT=1) compiles kubestep with a runtime in which these are functions of the seed for every goroutine of a bubble,
// once Seed was called. Package overlay, below this one, creates that runtime from the installed toolchain.
//
// In the stock build Seed does nothing.
//
// # Requirements
//
// One processor: with two, goroutines run at the same time, and no runtime can define their order. And one process per
// run: a second run in a process finds the caches that the first one filled.
package exact
