package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// otherGo writes a go command of another release, which says of itself what env has. With GOTOOLCHAIN=known it is the one of this test if
// it can get that release, and otherwise fails, as the go command does without a network.
func otherGo(t *testing.T, release, cache string, gets bool) string {
	t.Helper()
	own, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	get := "echo 'go: download " + known + ": no such host' >&2; exit 1"
	if gets {
		get = "exec " + quoted(own) + ` "$@"`
	}
	script := fmt.Sprintf("#!/bin/sh\n"+
		"case \"$1 $2 $GOTOOLCHAIN\" in\n'env -json %s') %s;;\n'env -json '*) echo '%s';;\n*) exec %s \"$@\";;\nesac\n", known, get,
		fmt.Sprintf(`{"GOROOT": %q, "GOVERSION": %q, "GOMODCACHE": %q}`, tools(t).GOROOT, release, cache), quoted(own))
	path := filepath.Join(t.TempDir(), "go")
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOTOOLCHAIN", "local")
	return path
}

func TestTheKnownReleaseIsTaken(t *testing.T) {
	out := t.TempDir()
	file := filepath.Join(out, "environment")
	b := build{command: otherGo(t, "go1.99.1", "/cache", true), out: out, environment: file}
	flags, err := b.run()
	if err != nil || !strings.Contains(flags, "-overlay=") {
		t.Fatalf("flags %q, %v", flags, err)
	}
	text, err := os.ReadFile(file)
	if err != nil || !strings.Contains(string(text), "export GOTOOLCHAIN="+known+"\n") {
		t.Errorf("the environment is %q, %v", text, err)
	}
	b.environment = ""
	if _, err := b.run(); err == nil || !strings.Contains(err.Error(), "another go command") {
		t.Errorf("without a file for the environment: %v", err)
	}
}

func TestTheInstalledReleaseNeedsNoEnvironment(t *testing.T) {
	tools(t)
	out := t.TempDir()
	file := filepath.Join(out, "environment")
	if _, err := (build{command: "go", out: out, environment: file}).run(); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(file); err != nil || len(text) > 0 {
		t.Errorf("the environment is %q, %v", text, err)
	}
}

// TestADownloadedToolchainHasANameOutside of the module cache, in which the go command takes no overlay.
func TestADownloadedToolchainHasANameOutside(t *testing.T) {
	known := tools(t)
	out := t.TempDir()
	file := filepath.Join(out, "environment")
	b := build{command: otherGo(t, known.GOVERSION, filepath.Dir(known.GOROOT), false), out: out, environment: file}
	if _, err := b.run(); err != nil {
		t.Fatal(err)
	}
	command := quoted(filepath.Join(out, "toolchain", known.GOVERSION))
	root, err := exec.Command("sh", "-c", ". "+quoted(file)+"; "+command+" env GOROOT").Output()
	if want := filepath.Join(out, "toolchain", "goroot") + "\n"; err != nil || string(root) != want {
		t.Errorf("GOROOT is %q, %v, want %q", root, err, want)
	}
	overlay, err := os.ReadFile(filepath.Join(out, "overlay.json"))
	if err != nil || !strings.Contains(string(overlay), filepath.Join(out, "toolchain", "goroot", "src")) {
		t.Errorf("the overlay is not over that root: %v", err)
	}
}

// TestMakeFailsWithoutTheKnownRelease: it does not make another build than the one that was asked for.
func TestMakeFailsWithoutTheKnownRelease(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip(err)
	}
	command, out := otherGo(t, "go1.99.1", "/cache", false), t.TempDir()
	run := func(more ...string) (string, error) {
		args := append([]string{"-C", "../../../..", "flags", "GO=" + command, "OVERLAY=" + out, "KUBERNETES="}, more...)
		text, err := exec.Command("make", args...).CombinedOutput()
		return string(text), err
	}
	text, err := run()
	if err == nil {
		t.Errorf("make ends as if all were well:\n%s", text)
	}
	for _, part := range []string{"go1.99.1", known + " is not available", "no such host", "make build EXACT=0"} {
		if !strings.Contains(text, part) {
			t.Errorf("make does not say %q:\n%s", part, text)
		}
	}
	if text, err := run("EXACT=0"); err != nil {
		t.Errorf("the stock build: %v\n%s", err, text)
	}
}
