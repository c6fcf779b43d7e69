// Package onerun_test has the scripts of one run: what it prints, and questions about it.
package onerun_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.IsRewriting()) }
