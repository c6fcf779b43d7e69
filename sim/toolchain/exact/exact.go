package exact

import (
	"io"
	"os"
	"runtime"
	"sync"
)

// Enabled reports whether this is the exact build.
func Enabled() bool { return enabled }

// Build is the name of the build, and with it what a run guarantees: exact or stock.
func Build() string {
	if enabled {
		return "exact"
	}
	return "stock"
}

// startCollector makes the garbage collector start its worker, which it does in its first cycle and must not do within a
// bubble. The worker remains, so once in a process is enough: a collection takes as long as a hundred requests.
var startCollector = sync.OnceFunc(runtime.GC)

// Seed makes the bubble of the calling goroutine exact: what the runtime decides for this goroutine and for those that
// it starts from now on is a function of s. Outside a bubble, and in the stock build, it does nothing.
func Seed(s uint64) { seed(s) }

// SetRandom makes r the source of all cryptographic randomness of the process; nil makes it the operating system again. What
// reads crypto/rand's Reader asks r if the caller makes r that Reader; this is for the rest: since Go 1.26, the generation of
// keys ignores the Reader that it gets. In the stock build it does nothing: there only tests can do this, with
// testing/cryptotest.
func SetRandom(r io.Reader) { setRandom(r) }

// OneProcessor limits the process to one processor, and returns the function that reverts this. In the stock build it
// does nothing if the environment sets GOMAXPROCS. Call it outside the bubble.
//
// The exact build needs it, and the stock build benefits from it. With two processors a worker may take a key while the
// handler that queued it still runs: deployment-controller's handler for a ReplicaSet that lost its owner queues the
// Deployment twice, and whether that makes one sync or two depends on which thread is faster.
func OneProcessor() (restore func()) {
	if !enabled && os.Getenv("GOMAXPROCS") != "" {
		return func() {}
	}
	before := runtime.GOMAXPROCS(1)
	if enabled {
		startCollector()
	}
	return func() { runtime.GOMAXPROCS(before) }
}
