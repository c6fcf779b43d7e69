package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// openTerminal returns the two ends of a pseudo-terminal: what a program writes into its end, the other one reads.
func openTerminal(t *testing.T) (user, program *os.File) {
	t.Helper()
	user, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminals: ", err)
	}
	t.Cleanup(func() { user.Close() })
	fd := int(user.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: 100, Row: 30})
	}
	if err != nil {
		t.Fatal(err)
	}
	program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return user, program
}

// TestNoCommandAsksTheTerminal runs commands in a terminal that answers nothing, and holds that they ask nothing either: who
// asks waits for the answer. The test does not measure time, since a machine may be slow.
func TestNoCommandAsksTheTerminal(t *testing.T) {
	for _, c := range []struct{ arguments, shows string }{
		{"version", "kubestep"},
		{"--help", "Usage:"},
		{"run worked-13 -o summary", "worked-13"},
		{"explain rollout worked-13", "settled"},
		{"open worked-13", "API server and store"},
		{"open worked-13 --background light", "API server and store"},
		{"", "Scenarios"},
	} {
		t.Run(c.arguments, func(t *testing.T) {
			user, program := openTerminal(t)
			cmd := exec.Command(os.Args[0], strings.Fields(c.arguments)...)
			// Libraries ask neither in CI nor in a terminal of tmux.
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "TERM=xterm-256color", asKubestep + "=1"}
			cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
			// Only a process in the foreground of its terminal asks.
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			program.Close()
			var written bytes.Buffer
			quit := false
			buffer := make([]byte, 4096)
			for {
				n, err := user.Read(buffer)
				written.Write(buffer[:n])
				if !quit && strings.Contains(written.String(), c.shows) {
					quit = true
					_, _ = user.WriteString("q")
				}
				if err != nil {
					// A terminal without a program reports EIO.
					if !errors.Is(err, io.EOF) && !errors.Is(err, syscall.EIO) {
						t.Error(err)
					}
					break
				}
			}
			if err := cmd.Wait(); err != nil || !quit {
				t.Errorf("%v; the terminal does not show %q:\n%q", err, c.shows, written.String())
			}
			for question, sequence := range map[string]string{
				"colors": "\x1b]1", "the position of the cursor": "\x1b[6n", "attributes": "\x1b[c", "its name": "\x1b[>",
			} {
				if strings.Contains(written.String(), sequence) {
					t.Errorf("asks for %s: %q", question, written.String())
				}
			}
		})
	}
}
