package explain_test

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/sim/machine"
)

// TestMain holds the time zone before anybody looks at the clock: package datadriven does, in a goroutine of its own, while a command of
// a script runs. A simulation writes nothing then.
func TestMain(m *testing.M) {
	machine.Hold(nil)
	os.Exit(m.Run())
}
