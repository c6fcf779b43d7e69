package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/release/notices"
)

const mainModule = "github.com/kubestep/kubestep"

// binary is the program for a platform.
type binary struct {
	platform
	// name is that of the file: kubestep, and kubestep.exe for Windows.
	name   string
	data   []byte
	sha256 string
	info   *buildinfo.BuildInfo
	// modules are compiled in.
	modules []notices.Module
	// pages are the completion scripts and man pages, by their names in an archive.
	pages map[string][]byte
}

// goRun runs the go command on the source code of kubestep and returns what it prints. Its errors go to standard error.
func (r *release) goRun(env []string, args ...string) ([]byte, error) {
	cmd := exec.Command(r.command, args...)
	cmd.Dir, cmd.Stderr = r.root, os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", r.command, args[0], err)
	}
	return out, nil
}

// overlay writes the edited files of the Go runtime and returns the flags with which they are compiled. A release is the exact
// build or nothing.
func (r *release) overlay() (string, error) {
	env, folder := []string{"GOFLAGS=-buildvcs=false"}, filepath.Join("bin", "_overlay")
	out, err := r.goRun(env, "run", "./sim/exact/overlay", "-go", r.command, "-o", folder)
	return strings.TrimSpace(string(out)), err
}

// env makes the go command compile the exact build for a platform.
func (r *release) env(p platform) []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS=-buildvcs=false " + r.flags}
}

// binaries compiles the program for all platforms. Its pages come from the one that this machine runs, which is compiled first, also
// if it is not wanted.
func (r *release) binaries() ([]binary, error) {
	this := platform{runtime.GOOS, runtime.GOARCH}
	first, path, err := r.build(this)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", this, err)
	}
	pages, err := readPages(path, r.source)
	if err != nil {
		return nil, err
	}
	var all []binary
	for _, p := range r.platforms {
		b := first
		if p != this {
			if b, _, err = r.build(p); err != nil {
				return nil, fmt.Errorf("%s: %w", p, err)
			}
		}
		b.pages = pages
		all = append(all, b)
	}
	for _, dep := range all[0].info.Deps {
		if dep.Path == "k8s.io/kubernetes" {
			r.kubernetes = dep.Version
		}
	}
	return all, nil
}

// build compiles the program for a platform and checks it.
func (r *release) build(p platform) (b binary, path string, err error) {
	b = binary{platform: p, name: "kubestep"}
	if p.os == "windows" {
		b.name += ".exe"
	}
	path = filepath.Join(r.root, "bin", "_release", p.os+"_"+p.arch, b.name)
	fmt.Fprintf(os.Stderr, "building %s\n", p)
	set := " -X " + mainModule + "/scenarios/version."
	_, err = r.goRun(r.env(p), "build", "-ldflags", "-s -w"+set+"Version="+r.version+set+"Commit="+r.source.commit, "-o", path, ".")
	if err != nil {
		return b, path, err
	}
	if b.data, err = os.ReadFile(path); err != nil {
		return b, path, err
	}
	sum := sha256.Sum256(b.data)
	b.sha256 = hex.EncodeToString(sum[:])
	if b.info, err = buildinfo.Read(bytes.NewReader(b.data)); err != nil {
		return b, path, err
	}
	if err := r.check(b); err != nil {
		return b, path, err
	}
	goroot, err := r.goRun(nil, "env", "GOROOT")
	if err != nil {
		return b, path, err
	}
	list, err := r.goRun(r.env(p), "list", "-deps", "-json=Dir,Standard,Module", ".")
	if err != nil {
		return b, path, err
	}
	b.modules, err = notices.Read(bytes.NewReader(list), strings.TrimSpace(string(goroot)), b.info.GoVersion)
	return b, path, err
}

// check looks at a binary as whoever gets it would: it must be the exact build, and nothing of this machine may be in it.
func (r *release) check(b binary) error {
	settings := map[string]string{}
	for _, s := range b.info.Settings {
		settings[s.Key] = s.Value
	}
	for key, want := range map[string]string{
		"CGO_ENABLED": "0", "GOOS": b.os, "GOARCH": b.arch, "-trimpath": "true", "-tags": "kubestep_exact", "-gcflags": "all=-d=fmahash=qn",
	} {
		if settings[key] != want {
			return fmt.Errorf("%s: %s is %q, want %q", b.name, key, settings[key], want)
		}
	}
	traces, err := r.traces()
	if err != nil {
		return err
	}
	return findTraces(b.data, traces)
}

// traces are paths that would show that a file was made on this machine.
func (r *release) traces() ([]string, error) {
	out, err := r.goRun(nil, "env", "GOROOT", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return nil, err
	}
	traces := append(strings.Fields(string(out)), r.root, filepath.Join("bin", "_overlay"))
	// Where a root is at a place that a program may name for another reason, it says nothing.
	return slices.DeleteFunc(traces, func(path string) bool { return len(path) < len("/go/src") }), nil
}

func findTraces(data []byte, traces []string) error {
	for _, trace := range traces {
		if i := bytes.Index(data, []byte(trace)); i >= 0 {
			return fmt.Errorf("the binary names %s, a path of this machine: %q", trace, data[max(0, i-40):min(len(data), i+len(trace)+80)])
		}
	}
	return nil
}
