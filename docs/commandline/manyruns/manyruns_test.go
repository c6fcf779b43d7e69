// Package manyruns_test has the scripts of the command that runs a scenario many times to find seeds that fail.
package manyruns_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.IsRewriting()) }
