package exact

import (
	"os"
	"runtime"
)

// Enabled reports whether this is the exact build.
func Enabled() bool { return enabled }

// Build names the build: exact or stock.
func Build() string {
	if enabled {
		return "exact"
	}
	return "stock"
}

// Promise says what a run promises that is made now: exact, or stock when this is the stock build or when
// the run has more than one processor.
func Promise() string {
	if enabled && runtime.GOMAXPROCS(0) == 1 {
		return "exact"
	}
	return "stock"
}

// Seed makes the bubble of the calling goroutine exact: what the runtime decides for this goroutine and for
// those that are started from now on is a function of s. Outside a bubble, and in the stock build, it does
// nothing.
func Seed(s uint64) { seed(s) }

// OneProcessor lets the process run on one processor, and returns the function that takes this back. When the
// environment sets GOMAXPROCS, it does nothing. It is called outside the bubble.
//
// The exact build needs it, and the stock build is better with it. With two processors a worker may take a key
// while the handler that queued it still runs: deployment-controller's handler for a ReplicaSet that lost its owner
// queues the Deployment twice, and whether that makes one sync or two depended on which thread was faster.
func OneProcessor() (restore func()) {
	if os.Getenv("GOMAXPROCS") != "" {
		return func() {}
	}
	before := runtime.GOMAXPROCS(1)
	if enabled {
		// The collector starts its worker in its first cycle. That shall not happen amid the bubble.
		runtime.GC()
	}
	return func() { runtime.GOMAXPROCS(before) }
}
