package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kubestep/kubestep/tui/internal/opener"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// terminal is a real terminal: tmux has one, with a screen that can be read.
type terminal struct {
	t      *testing.T
	socket string
}

func newTerminal(t *testing.T, as, command string) *terminal {
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
	// An empty environment: variables such as CI, NO_COLOR and CLICOLOR of whoever runs the tests decide about colors.
	term.tmux("-f", "/dev/null", "new-session", "-d", "-x", "100", "-y", "30",
		fmt.Sprintf("env -i PATH=\"$PATH\" HOME=\"$HOME\" TERM=\"$TERM\" LANG=C.UTF-8 %s=%s %s %s; echo left with $?; cat",
			asKubestep, as, self, command))
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
			term := newTerminal(t, "1", "")
			term.shows("Lessons, unit 1: Workloads")
			term.tmux("send-keys", "/", "worked-13", "Enter", "Enter")
			term.shows("API server and store")
			term.tmux("send-keys", "a")
			term.tmux("resize-window", "-x", "40", "-y", "10")
			term.shows("make the")
			term.tmux("resize-window", "-x", "80", "-y", "24")
			term.shows("╭ Stage ")
			term.tmux("send-keys", quit)
			term.shows("left with 0")
			term.isClean()
		})
	}
}

// isClean holds that the terminal is as it was: no alternate screen, a cursor, no mouse, and what is typed
// is echoed, which it is not in raw mode.
func (term *terminal) isClean() {
	term.t.Helper()
	state := term.tmux("display-message", "-p", "#{alternate_on} #{cursor_flag} #{mouse_any_flag}")
	if state != "0 1 0\n" {
		term.t.Errorf("alternate screen, cursor, mouse: %s, want 0 1 0", state)
	}
	term.tmux("send-keys", "echoed")
	term.shows("echoed")
}

// kill sends a signal to the program in the terminal.
func (term *terminal) kill(signal syscall.Signal) {
	term.t.Helper()
	shell := strings.TrimSpace(term.tmux("display-message", "-p", "#{pane_pid}"))
	children, err := os.ReadFile("/proc/" + shell + "/task/" + shell + "/children")
	if err != nil {
		term.t.Skip(err)
	}
	for _, child := range strings.Fields(string(children)) {
		pid, err := strconv.Atoi(child)
		if err != nil {
			term.t.Fatal(err)
		}
		if err := syscall.Kill(pid, signal); err != nil {
			term.t.Fatal(err)
		}
	}
}

// TestTerminalIsLeftClean ends the program from outside, and by a mistake of its own.
func TestTerminalIsLeftClean(t *testing.T) {
	t.Run("SIGTERM", func(t *testing.T) {
		term := newTerminal(t, "1", "open worked-13")
		term.shows("API server and store")
		term.kill(syscall.SIGTERM)
		term.shows("left with 0")
		term.isClean()
	})
	t.Run("SIGTERM while it runs", func(t *testing.T) {
		term := newTerminal(t, "1", "open all-controllers")
		term.shows("running to the end")
		term.kill(syscall.SIGTERM)
		term.shows("left with 0")
		term.isClean()
	})
	t.Run("panic", func(t *testing.T) {
		term := newTerminal(t, "panics", "")
		term.shows("Lessons, unit 1: Workloads")
		term.tmux("send-keys", "/", "worked-13", "Enter", "Enter")
		term.shows("API server and store")
		term.tmux("send-keys", "Space")
		term.shows("left with 3")
		term.isClean()
	})
}

// panics is kubestep with an interface that panics when it is to play.
func panics(streams cli.Streams) int {
	os.Setenv(asKubestep, "1")
	entries, err := picker.Library(nil)
	if err != nil {
		return cli.ExitInternal
	}
	colors, err := theme.New("default", "auto")
	if err != nil {
		return cli.ExitInternal
	}
	options := Options{Theme: colors, Library: entries, Open: opener.Run{}, Tick: func(time.Duration, tea.Msg) tea.Cmd { panic("boom") }}
	if err := play(New(options), streams, ""); err != nil {
		fmt.Fprintln(streams.Err, err)
		return cli.ExitInternal
	}
	return cli.ExitOK
}

// TestNoColor holds that with NO_COLOR a real terminal gets no colors, and that it does without.
func TestNoColor(t *testing.T) {
	for _, c := range []struct {
		variables string
		colors    bool
	}{{"1", true}, {"1 NO_COLOR=1", false}} {
		t.Run(c.variables, func(t *testing.T) {
			term := newTerminal(t, c.variables, "open worked-13")
			term.shows("API server and store")
			screen := term.tmux("capture-pane", "-e", "-p")
			if colored.MatchString(screen) != c.colors {
				t.Errorf("colours: %v, want %v\n%q", !c.colors, c.colors, screen)
			}
		})
	}
}

// colored finds a color; bold is none.
var colored = regexp.MustCompile("\x1b\\[[0-9;]*(3[0-8]|9[0-7])")
