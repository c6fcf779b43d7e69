package command

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	_ "github.com/cockroachdb/datadriven" // defines -rewrite
)

// TestMain lets the test binary be kubestep when a test, or a worker of a test, starts it.
func TestMain(m *testing.M) {
	if os.Getenv("COMMAND_TEST") == "" {
		os.Exit(m.Run())
	}
	os.Exit(Main(os.Args[1:], Options{}))
}

// kubestep is a process of its own, for what ends one.
func kubestep(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, args...)
	cmd.Env = append(os.Environ(), "COMMAND_TEST=kubestep")
	return cmd
}

// testdata is the path of a script, from whatever directory.
func testdata(t *testing.T, name string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return path
}
