//go:build kubestep_exact

package exact

import (
	"context"
	"io"
	"net"
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

// The variables that packages net, os and syscall ask in the exact build.
//
//go:linkname dial net.exactDial
var dial func(ctx context.Context, network, address string) (net.Conn, bool, error)

//go:linkname addresses net.exactAddresses
var addresses func() ([]net.Addr, bool)

//go:linkname file syscall.exactName
var file func(name string) string

//go:linkname exit os.exactExit
var exit func(code int)

func setMachine(m Machine) (func(), bool) {
	before := Machine{dial, addresses, file, exit}
	dial, addresses, file, exit = m.Dial, m.Addresses, m.File, m.Exit
	return func() { dial, addresses, file, exit = before.Dial, before.Addresses, before.File, before.Exit }, true
}
