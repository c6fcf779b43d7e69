package command

import (
	"bytes"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
)

// TestMemory reads --max-memory.
func TestMemory(t *testing.T) {
	for text, want := range map[string]int64{
		"0": 0, "512Mi": 512 << 20, "2Gi": 2 << 30, "1G": 1e9, "1.5Gi": 3 << 29, limits.DefaultMemory: 4 << 30,
	} {
		if got, err := cli.ParseMemory(text); got != want || err != nil {
			t.Errorf("%s is %d bytes, want %d (%v)", text, got, want, err)
		}
	}
}

// TestNoTerminal shows that a buffer or a file gets lines of any width.
func TestNoTerminal(t *testing.T) {
	for width, want := range map[int]int{widthOfTerminal: 0, 0: 0, 80: 80} {
		if got := columns(&bytes.Buffer{}, width); got != want {
			t.Errorf("--width %d is %d columns, want %d", width, got, want)
		}
	}
}
