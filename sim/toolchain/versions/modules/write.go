package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// systems are the operating systems for which checksums are written. Each imports modules of its own.
var systems = []string{"linux", "darwin", "windows"}

// write writes the module file of a version, and its checksums next to it. The main version has go.mod.
func write(command string, v versions.Version, file string) error {
	if v.IsMain() {
		return nil
	}
	ours, required, err := derived(command, v)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(file, []byte(moduleText(ours, v.Kubernetes, required)), 0o644); err != nil {
		return err
	}
	sums := strings.TrimSuffix(file, ".mod") + ".sum"
	if err := os.Remove(sums); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := addSums(command, v, file); err != nil {
		os.Remove(file)
		os.Remove(sums)
		return err
	}
	return nil
}

// derived are the requirements of a version, from the module files of kubestep, which it returns as well, and of both versions of
// Kubernetes.
func derived(command string, v versions.Version) (ours module, required []requirement, err error) {
	if ours, err = read(command, "go.mod"); err != nil {
		return ours, nil, err
	}
	main, err := upstream(command, versions.Main)
	if err != nil {
		return ours, nil, err
	}
	other, err := upstream(command, v.Kubernetes)
	if err != nil {
		return ours, nil, err
	}
	required, err = derive(ours, main, other, v.Kubernetes)
	return ours, required, err
}

// upstream is the module file of a version of Kubernetes. The go command gets it from the module proxy, and nothing else of it.
func upstream(command, version string) (module, error) {
	// Outside of a module the go command does not ask which versions this one requires.
	list := exec.Command(command, "list", "-m", "-f", "{{.GoMod}}", "k8s.io/kubernetes@"+version)
	list.Dir, list.Env, list.Stderr = os.TempDir(), append(os.Environ(), "GOFLAGS=", "GO111MODULE=on"), os.Stderr
	file, err := list.Output()
	if err != nil {
		return module{}, fmt.Errorf("%s: %w", strings.Join(list.Args, " "), err)
	}
	return read(command, strings.TrimSpace(string(file)))
}

func read(command, file string) (m module, err error) {
	text, err := exec.Command(command, "mod", "edit", "-json", file).Output()
	if err != nil {
		return m, fmt.Errorf("%s mod edit -json %s: %w", command, file, err)
	}
	return m, json.Unmarshal(text, &m)
}
