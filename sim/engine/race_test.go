//go:build race

package engine

import (
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestADataRaceInABubble: the bubble ends with an error, and later bubbles of the process are as before. kubestep is not a test binary, and
// neither is this program.
func TestADataRaceInABubble(t *testing.T) {
	program := filepath.Join(t.TempDir(), "race")
	if out, err := exec.Command("go", "build", "-race", "-o", program, "./testdata/race").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	command := exec.Command(program)
	var found strings.Builder
	command.Stderr = &found
	out, err := command.Output()
	const want = `before: <nil>
with a data race: data race: the race detector found one while the simulation ran, and describes it on standard error
with a panic: panic: boom
after: <nil>
`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s\n%s", diff, found.String())
	}
	// 66 is what a program with the race detector ends with after a data race.
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 66 || strings.Count(found.String(), "WARNING: DATA RACE") != 1 {
		t.Errorf("%v: %s", err, found.String())
	}
}
