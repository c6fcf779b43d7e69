package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// A listed package is what go list says of one.
type listed struct {
	Dir, ImportPath string
	Standard        bool
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

// reason says why a package cannot be imported; it is empty if it can.
func (p listed) reason() string {
	switch {
	case p.Error == nil || p.Dir != "":
		return ""
	case strings.HasPrefix(p.Error.Err, "missing go.sum entry for module providing package"):
		return "its checksum is missing: go run ./sim/toolchain/versions/modules"
	case strings.HasPrefix(p.Error.Err, "no required module provides package"),
		// The go command wants to look for it in all modules, and a build has no need of most of them.
		strings.Contains(p.Error.Err, "missing go.sum entry for go.mod"):
		return "this version does not have it"
	}
	return p.Error.Err
}

// own reports whether a package belongs to kubestep.
func (p listed) own() bool { return p.Module != nil && p.Module.Main }

// errNotHad means that Kubernetes of some version is neither in the module cache nor to be had from the proxy.
var errNotHad = errors.New("it cannot be downloaded")

// get downloads Kubernetes of a version, unless the module cache has it.
func get(command string, v versions.Version) error {
	cmd := exec.Command(command, "mod", "download", "k8s.io/kubernetes@"+v.Kubernetes)
	cmd.Dir, cmd.Env = os.TempDir(), append(os.Environ(), "GOFLAGS=", "GO111MODULE=on")
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", errNotHad, strings.TrimSpace(string(said)))
	}
	return nil
}

// A system is an operating system and an architecture, as the go command names them.
type system struct{ os, arch string }

// server is the system that versions are checked for.
var server = system{"linux", "amd64"}

// listing is the command whose answer is read here.
var listing = []string{"list", "-e", "-deps", "-json=Dir,ImportPath,Standard,GoFiles,ImportMap,Module,Error"}

// list lists packages of kubestep and what they import, each after its own imports: all of them for the main version, and for
// others those of the program. Kubernetes' own integration tests run with the main version only.
func list(command string, v versions.Version, generated string) ([]listed, error) {
	args := slices.Concat(listing, []string{"-tags=" + v.Tags()})
	if v.IsMain() {
		args = append(args, "./...")
	} else {
		if err := get(command, v); err != nil {
			return nil, err
		}
		args = append(args, "-modfile="+v.ModuleFile(generated), ".")
	}
	return packages(command, server, args...)
}

// packages are those that go list lists for a system.
func packages(command string, on system, args ...string) ([]listed, error) {
	cmd := exec.Command(command, args...)
	// Without cgo, no package has files that only a C compiler makes complete.
	cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+on.os, "GOARCH="+on.arch)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.String())
	}
	var found []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		found = append(found, p)
	}
}
