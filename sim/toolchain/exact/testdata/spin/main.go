// Spin runs a loop in a bubble that never waits, until somebody outside of the bubble has had three turns: a watchdog, which looks at
// a clock and writes. Without the overlay's care for others, each of those turns comes after 61 time slices of five seconds.
package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

func main() {
	defer exact.OneProcessor()()
	var turns atomic.Int32
	go func() {
		for range 3 {
			// A system call after which the goroutine has to queue for its processor.
			moment := syscall.Timespec{Nsec: 50_000_000}
			_ = syscall.Nanosleep(&moment, nil)
			turns.Add(1)
		}
	}()
	synctest.Test(new(testing.T), func(*testing.T) {
		exact.Seed(1)
		for turns.Load() < 3 {
		}
	})
	fmt.Fprintln(os.Stdout, "ended after", turns.Load(), "turns")
}
