package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// terminal is a real terminal: tmux has one, with a screen that can be read.
type terminal struct {
	t      *testing.T
	socket string
}

func newTerminal(t *testing.T, command string) *terminal {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("no tmux")
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	term := &terminal{t, fmt.Sprintf("kubestep-test-%d-%s", os.Getpid(), filepath.Base(t.Name()))}
	t.Cleanup(func() { _ = exec.Command("tmux", "-L", term.socket, "kill-server").Run() })
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
		fmt.Sprintf("env %s=1 %s %s; echo left with $?; cat", asKubestep, self, command))
	return term
}

func (term *terminal) tmux(args ...string) string {
	term.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-L", term.socket}, args...)...).CombinedOutput()
	if err != nil {
		term.t.Fatalf("tmux %s: %v\n%s", args, err, out)
	}
	return string(out)
}

// shows waits until the screen shows a text.
func (term *terminal) shows(text string) {
	term.t.Helper()
	screen := ""
	for range 300 {
		if screen = term.tmux("capture-pane", "-p"); strings.Contains(screen, text) {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	term.t.Fatalf("the screen does not show %q:\n%s", text, screen)
}

// TestTerminal opens kubestep without arguments in a real terminal, resizes it, plays, and leaves it clean.
func TestTerminal(t *testing.T) {
	for _, quit := range []string{"q", "C-c"} {
		t.Run(quit, func(t *testing.T) {
			term := newTerminal(t, "")
			term.shows("Ten replicas, from v1 to v2")
			term.tmux("send-keys", "/", "worked-13", "Enter", "Enter")
			term.shows("record ")
			term.tmux("send-keys", "a")
			term.tmux("resize-window", "-x", "40", "-y", "10")
			term.shows("make the")
			term.tmux("resize-window", "-x", "80", "-y", "24")
			term.shows("[Why] Math Trace Next")
			term.tmux("send-keys", quit)
			term.shows("left with 0")
			state := term.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")
			if state != "0 1 0\n" {
				t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", state)
			}
		})
	}
}
