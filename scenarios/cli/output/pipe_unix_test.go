//go:build unix

package output

import (
	"bufio"
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestFileIsPipe writes to a named pipe, as a program that reads the trace makes one, and leaves it one.
func TestFileIsPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	// Open for both, so that neither end waits for the other.
	reader, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := WriteFile(path, []byte("trace\n"), Rights{}); err != nil {
		t.Fatal(err)
	}
	if mode := modeOf(t, path); mode&os.ModeNamedPipe == 0 {
		t.Fatalf("the pipe is now %v", mode)
	}
	if line, err := bufio.NewReader(reader).ReadString('\n'); line != "trace\n" {
		t.Errorf("%q, %v", line, err)
	}
}

// TestPipeWithoutReader refuses a named pipe that nobody reads at once: opening it would wait until one reads it.
func TestPipeWithoutReader(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	var exists *ExistsError
	if err := WriteFile(path, nil, Rights{}); !errors.As(err, &exists) || exists.Problem != "is a named pipe that no process reads" {
		t.Errorf("a file: %v", err)
	}
	if _, err := Growing(path, Rights{}); !errors.As(err, &exists) {
		t.Errorf("a growing file: %v", err)
	}
	if mode := modeOf(t, path); mode&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe is now %v", mode)
	}
}
