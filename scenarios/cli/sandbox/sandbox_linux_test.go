package sandbox

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestMain lets the test binary be the process in the sandbox, which tries to get out.
func TestMain(m *testing.M) {
	secret := os.Getenv("SANDBOX_TEST")
	switch os.Getenv("SANDBOX_DO") {
	case "sleep":
		fmt.Println("up")
		time.Sleep(time.Hour)
	case "grow":
		var held [][]byte
		for {
			held = append(held, bytes.Repeat([]byte{1}, 16<<20))
			time.Sleep(10 * time.Millisecond)
		}
	case "keep":
		os.Exit(keep())
	case "look":
		os.Exit(look())
	}
	if secret == "" {
		os.Exit(m.Run())
	}
	_, read := os.ReadFile(secret)
	_, list := os.ReadDir(filepath.Dir(secret))
	write := os.WriteFile(secret+".out", nil, 0o600)
	_, dial := net.Dial("tcp", "127.0.0.1:"+os.Getenv("SANDBOX_PORT"))
	run := exec.Command("/bin/sh", "-c", "true").Run()
	for _, try := range []struct {
		what string
		err  error
	}{{"read", read}, {"list", list}, {"write", write}, {"dial", dial}, {"run", run}} {
		fmt.Printf("%s %v\n", try.what, try.err == nil)
	}
	os.Exit(0)
}

// TestNothingIsInReach starts a process that tries to read, list and write files, to connect, and to run a program.
func TestNothingIsInReach(t *testing.T) {
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	environment := append(os.Environ(), "SANDBOX_TEST="+secret, "SANDBOX_PORT="+port)

	outside := exec.Command(os.Args[0])
	outside.Env = environment
	if out, err := outside.Output(); err != nil || strings.Contains(string(out), "false") {
		t.Fatalf("outside of a sandbox: %s, %v", out, err)
	}

	if err := os.Remove(secret + ".out"); err != nil {
		t.Fatal(err)
	}

	inside := exec.Command(os.Args[0])
	inside.Env = environment
	var out strings.Builder
	inside.Stdout, inside.Stderr = &out, os.Stderr
	var enforced Enforced
	if err := Run(inside, Options{Started: func(e Enforced) { enforced = e }}); err != nil {
		t.Fatal(err)
	}
	t.Logf("enforced: %q, not enforced: %q", enforced, enforced.Missing())
	for what, expected := range map[string]bool{
		"read": !enforced.Files, "list": !enforced.Files, "write": !enforced.Files, "run": !enforced.Files,
		"dial": !enforced.TCP && !enforced.Network,
	} {
		if want := fmt.Sprintf("%s %v\n", what, expected); !strings.Contains(out.String(), want) {
			t.Errorf("want %q, got:\n%s", want, out.String())
		}
	}
	if _, err := os.ReadFile(secret); err != nil {
		t.Errorf("the process that started it is restricted, too: %v", err)
	}
	if _, err := os.Stat(secret + ".out"); enforced.Files && !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was written: %v", err)
	}
}

// keep writes to the folder for temporary files until somebody stops it, and tries what is not allowed there.
func keep() int {
	folder, file := os.Getenv("TMPDIR"), filepath.Join(os.Getenv("TMPDIR"), "of a container")
	if err := os.WriteFile(file, []byte("#!/bin/sh\n"), 0o700); err != nil {
		fmt.Println("write:", err)
		return 1
	}
	if exec.Command(file).Run() == nil {
		fmt.Println("a file of the folder is a program")
		return 1
	}
	if text, err := os.ReadFile(file); err != nil || len(text) == 0 {
		fmt.Println("read:", err)
		return 1
	}
	for i := 0; os.Getenv("SANDBOX_FILL") != ""; i++ {
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprint(i)), make([]byte, 1<<20), 0o600); err != nil {
			fmt.Println("fill:", err)
			return 1
		}
		time.Sleep(time.Millisecond)
	}
	fmt.Println(folder)
	return 0
}

// TestTemporaryFiles: a process keeps files in a folder of its own, which is gone afterwards and may not grow without end.
func TestTemporaryFiles(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	start := func(limit int64, more ...string) (string, error) {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), append(more, "SANDBOX_DO=keep")...)
		var out strings.Builder
		cmd.Stdout, cmd.Stderr = &out, os.Stderr
		err := Run(cmd, Options{Limits: Limits{Memory: limit}, Started: func(Enforced) {}})
		return strings.TrimSpace(out.String()), err
	}
	used, err := start(1 << 30)
	if err != nil {
		t.Fatalf("%v: %s", err, used)
	}
	if filepath.Dir(used) != temp {
		t.Errorf("the folder is %s, want one in %s", used, temp)
	}
	var limit *LimitError
	if text, err := start(64<<20, "SANDBOX_FILL=1"); !errors.As(err, &limit) || limit.Flag != "--max-memory" {
		t.Errorf("a process that writes without end: %v: %s", err, text)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("what is left: %v, %v", left, err)
	}
}
