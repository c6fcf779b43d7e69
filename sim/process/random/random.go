// Package random is where the cryptographic randomness of the process comes from.
//
// What the actors of a simulation read - the serial numbers of certificates, an operator's passwords and keys - ends up in objects, so
// it must be a function of the seed. Everybody else in the process, such as a server that shows the run, gets numbers that nobody can
// predict. Both read variables of the standard library that nothing guards. So these are set once, to a Reader that asks whichever
// simulation runs.
package random

import (
	cryptorand "crypto/rand"
	"math/rand/v2"
	"sync"
	"sync/atomic"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// A Source fills p if the goroutine that asks acts in its simulation, and reports whether it does.
type Source func(p []byte) bool

// Hold makes the sources of simulations part of the process's randomness, until it ends. It is called before there are goroutines that
// read it: a server with TLS, say. In the stock build, keys are generated as ever.
var Hold = sync.OnceFunc(func() {
	var seed [32]byte
	// It never fails.
	_, _ = cryptorand.Read(seed[:])
	process.random = rand.NewChaCha8(seed)
	cryptorand.Reader = &process
	exact.SetRandom(&process)
})

// From asks a source from now on, until the function that it returns is called or another one is asked.
func From(source Source) (restore func()) {
	Hold()
	process.source.Store(&source)
	return func() { process.source.CompareAndSwap(&source, nil) }
}

// reader is crypto/rand's Reader.
type reader struct {
	source atomic.Pointer[Source]

	// mu guards random, a generator that is seeded by the operating system. The Reader cannot ask the operating system each time:
	// in the exact build, that asks the Reader.
	mu     sync.Mutex
	random *rand.ChaCha8
}

var process reader

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if source := r.source.Load(); source != nil && (*source)(p) {
		return len(p), nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.random.Read(p)
}
