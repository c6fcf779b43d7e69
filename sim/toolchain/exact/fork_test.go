package exact

import (
	"errors"
	"path/filepath"
	"runtime"
	"testing"
)

// TestCopiesOfAProcess runs testdata/fork, which copies itself while a simulation runs in it, with goroutines outside that wait in system
// calls, for the network and for time. Every copy comes to the same end as the original.
func TestCopiesOfAProcess(t *testing.T) {
	if !*exactly {
		t.Skip("compiles Go's runtime: make exact-test")
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("a process can be copied on Linux only")
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "fork")
	compileProgram(t, "./testdata/fork", program, exactFlags(t, dir))
	if got := execute(t, program, "120"); got != "fork: 120 of 120 children are the same\n" {
		t.Error(got)
	}
}

func TestForkSaysWhereItCannot(t *testing.T) {
	if CanFork() {
		t.Skip("this is the exact build for Linux")
	}
	if _, err := Fork(); !errors.Is(err, ErrNoFork) {
		t.Error(err)
	}
}
