// Package exact makes the order of a simulation depend only on its seed, down to the Go runtime, in the exact build.
//
// The engine decides the order of requests and watch events in any build. It cannot decide what the Go runtime
// randomizes while goroutines run between two events: the order of a map's iteration, the case that a select takes,
// which of several timers with the same time fires first, which goroutine runs next. The exact build (make
// build) compiles kubestep with a runtime in which these are functions of the seed for every goroutine of a bubble,
// once Seed was called. Package overlay, below this one, creates that runtime from the installed toolchain.
//
// The runtime is the same on every architecture with 64 bits. Go hashes the keys of maps with AES instructions where the
// processor has them, and with 32 bits on wasm; the exact build uses the portable function with 64 bits everywhere. Nor
// does it join a multiplication and an addition into one instruction, which amd64 does not have by default and arm64 has.
// Package wasm, below this one, makes the simulations compile for js/wasm; the script portable/run.sh compares trace hashes
// on amd64, arm64 and js/wasm.
//
// In the stock build Seed does nothing.
//
// # Mutexes
//
// A goroutine of a bubble that waits for a sync.Mutex or sync.RWMutex keeps the stock build's virtual time from passing, since somebody
// outside of the bubble may hold it. The runtime of the exact build knows whether somebody does. If not, virtual time passes: upstream
// holds mutexes during requests. Those who wait get the mutex by Go's rules, in virtual time. The file insert/mutex.go.txt of package
// overlay has the rule, the program in testdata/mutexes tries it.
//
// # Requirements
//
// One processor, which OneProcessor sees to: with two, goroutines run at the same time, and no runtime can define their
// order. A second run in a process finds what the first one left: caches, and what is done only once. It may save the second run
// work, but must not change which goroutines start or wait (package sim/process/instrumentation).
package exact
