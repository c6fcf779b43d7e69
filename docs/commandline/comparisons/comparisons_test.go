// Package comparisons_test has the scripts of commands that compare two runs: of two seeds, with faults and without, of two versions of
// Kubernetes.
package comparisons_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.IsRewriting()) }
