package child

import (
	"errors"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestParentsEndSilentChildren waits for a child that does not report: one with a timeout, which it should have kept to, and one without,
// which uses no processor time. No process has the number -1, so it seems to use no processor time.
func TestParentsEndSilentChildren(t *testing.T) {
	for _, test := range []struct {
		name     string
		patience patience
		timeout  time.Duration
	}{
		{"after its timeout", patience{grace: 100 * time.Millisecond, idle: time.Hour}, 100 * time.Millisecond},
		{"without a timeout", patience{idle: 300 * time.Millisecond}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			answers, err := newPipe()
			if err != nil {
				t.Fatal(err)
			}
			defer answers.close()
			if _, err := unix.Write(answers.to, []byte("{")); err != nil {
				t.Fatal(err)
			}
			line, err := test.patience.hear(-1, answers.from, test.timeout)
			if !errors.Is(err, errSilent) || string(line) != "{" {
				t.Errorf("%q, %v", line, err)
			}
		})
	}
	if processorTime(os.Getpid()) == "" || processorTime(-1) != "" {
		t.Error("the processor time of this process is not known, or that of no process is")
	}
}
