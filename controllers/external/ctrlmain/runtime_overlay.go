//go:build kubestep_external

package ctrlmain

import (
	_ "crypto/rand" // which has the reader that setRandom replaces
	"io"
	_ "unsafe" // for linkname
)

const built = true

// seed makes the bubble of the calling goroutine exact. It, nextTimer and setRandom are in the library that
// sim/toolchain/exact/overlay writes.
//
//go:linkname seed
func seed(s uint64) bool

// nextTimer is the date of the next timer of the bubble of the calling goroutine, in nanoseconds since 1970; 0 if there is
// none. Nothing may happen at that date, if the timer was stopped in the meantime.
//
//go:linkname nextTimer
func nextTimer() int64

// setRandom replaces the source of crypto/rand and of all keys that are made without one.
//
//go:linkname setRandom
func setRandom(r io.Reader)
