//go:build kubestep_exact

package exact

import (
	"io"
	"testing/cryptotest"
	_ "unsafe" // for linkname
)

const enabled = true

// seed reports whether the calling goroutine is in a bubble. The runtime that package overlay creates defines it; a
// build with the tag and without that overlay does not link.
//
//go:linkname seed
func seed(s uint64) bool

func setRandom(r io.Reader) { cryptotest.SetReader(r) }
