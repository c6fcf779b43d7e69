// Package files_test has the scripts of what kubestep reads and writes: traces, scenarios, pages, limits, and mistakes.
package files_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.IsRewriting()) }
