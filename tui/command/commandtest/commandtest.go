// Package commandtest lets the binary of a test be kubestep. Recordings are made by processes of their own, and what starts one starts the
// program that runs: in a test, that is the binary of the test.
//
//	func TestMain(m *testing.M) { commandtest.Main(m) }
package commandtest

import (
	"os"
	"testing"

	"github.com/kubestep/kubestep/tui/command"
)

// child is set in the environment of the processes that a test starts.
const child = "KUBESTEP_TEST_CHILD"

// Main runs the tests, or kubestep if one of them has started this process. It does not return.
func Main(m *testing.M) {
	Become()
	os.Exit(m.Run())
}

// Become runs kubestep and does not return if a test has started this process. It returns in that of the tests.
func Become() {
	if os.Getenv(child) != "" {
		os.Exit(command.Main(os.Args[1:], command.Options{}))
	}
	os.Setenv(child, "1")
}
