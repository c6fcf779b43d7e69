//go:build kubernetes_before_1_35

package informer

import (
	"time"
	_ "unsafe" // for go:linkname

	_ "k8s.io/client-go/tools/cache"
)

// neverExitWatch is what the reflectors of informers without a resync period wait for (resyncChan in client-go's
// tools/cache/reflector.go). Nothing is ever sent to this channel. It is made when the process starts and thus belongs to no
// simulation, so virtual time would wait forever for the goroutines that receive from it. Since 1.35 it is nil.
//
//go:linkname neverExitWatch k8s.io/client-go/tools/cache.neverExitWatch
var neverExitWatch <-chan time.Time

func init() { neverExitWatch = nil }
