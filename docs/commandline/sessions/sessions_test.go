// Package sessions_test has the scripts of commands that stay until the user ends them, shells, and the plugin of kubectl.
package sessions_test

import (
	"testing"

	"github.com/kubestep/kubestep/docs/commandline"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

func TestMain(m *testing.M) { commandline.Main(m) }

// TestCommandLine runs the scripts of testdata.
func TestCommandLine(t *testing.T) { commandline.Run(t, golden.IsRewriting()) }
