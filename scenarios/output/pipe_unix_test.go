//go:build unix

package output

import (
	"bufio"
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
