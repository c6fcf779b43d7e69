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

const (
	mainModule = "github.com/kubestep/kubestep"
	// versionPackage has the variables that the linker sets.
	versionPackage = "scenarios/cli/version"
)

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
	out, err := r.goRun(env, "run", "./sim/toolchain/exact/overlay", "-go", r.command, "-o", folder)
	return strings.TrimSpace(string(out)), err
}

// env makes the go command compile the exact build for a platform.
func (r *release) env(p platform) []string {
	return []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch, "GOFLAGS=-buildvcs=false " + r.flags}
}

// toolchain is what the go command says of itself.
type toolchain struct {
	version, root string
	// folders are those whose paths would show that a file was made on this machine.
	folders []string
}

func (r *release) readToolchain() (toolchain, error) {
	out, err := r.goRun(nil, "env", "GOVERSION", "GOROOT", "GOMODCACHE", "GOCACHE")
	if err != nil {
		return toolchain{}, err
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != 4 {
		return toolchain{}, fmt.Errorf("%s env: want four lines, got %q", r.command, out)
	}
	folders := append(slices.Clone(lines[1:]), r.root, filepath.Join("bin", "_overlay"))
	// Where a root is at a place that a program may name for another reason, it says nothing.
	folders = slices.DeleteFunc(folders, func(path string) bool { return len(path) < len("/go/src") })
	return toolchain{version: lines[0], root: lines[1], folders: folders}, nil
}

// readModules reads the licenses of what is compiled in for each platform. It comes before anything is compiled, since a module whose
// license may not be passed on ends the release.
func (r *release) readModules() (map[platform][]notices.Module, error) {
	all := map[platform][]notices.Module{}
	for _, p := range r.platforms {
		list, err := r.goRun(r.env(p), "list", "-deps", "-json=Dir,Standard,Module", ".")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		if all[p], err = notices.Read(bytes.NewReader(list), r.toolchain.root, r.toolchain.version); err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
	}
	return all, nil
}

// binaries compiles the program for all platforms. Its pages come from the one that this machine runs, which is compiled first, also
// if it is not wanted.
func (r *release) binaries() ([]binary, error) {
	modules, err := r.readModules()
	if err != nil {
		return nil, err
	}
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
		b.pages, b.modules = pages, modules[p]
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
	set := " -X " + mainModule + "/" + versionPackage + "."
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
	return b, path, r.check(b)
}

// check looks at a binary as whoever gets it would: it must be the exact build and know its commit, and nothing of this machine may be
// in it.
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
	// The linker ignores a variable that does not exist.
	if !bytes.Contains(b.data, []byte(r.source.commit)) {
		return fmt.Errorf("%s does not have its commit, %s", b.name, r.source.commit)
	}
	return findTraces(b.data, r.toolchain.folders)
}

// findTraces returns an error when a file names one of the folders.
func findTraces(data []byte, folders []string) error {
	for _, trace := range folders {
		if i := bytes.Index(data, []byte(trace)); i >= 0 {
			return fmt.Errorf("the binary names %s, a path of this machine: %q", trace, data[max(0, i-40):min(len(data), i+len(trace)+80)])
		}
	}
	return nil
}
