// Package manyruns_test has the scripts of commands that run a scenario several times and compare: seeds, faults, versions of Kubernetes,
// smaller scenarios.
package manyruns_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.Rewriting()) }
