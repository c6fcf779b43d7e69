// Package synctest is what upstream's integration tests get in place of Go's package testing/synctest: they already run
// in a bubble, which cannot hold another one.
package synctest

import (
	"testing/synctest"

	"github.com/kubestep/kubestep/sim/conformance/testing"
)

// Test runs f in the bubble of the calling test.
func Test(t *testing.T, f func(*testing.T)) { t.Run("synctest", f) }

// Wait waits until all other goroutines of the bubble are blocked.
func Wait() { synctest.Wait() }
