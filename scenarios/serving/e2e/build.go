package main

import (
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

//go:embed insert/main.go.txt
var mainText []byte

//go:embed insert/kubectl.go.txt
var kubectlText []byte

// copies are the packages of the tests. Those with manifests stay where they are.
var copies = upstream.Copies{
	Module: "kubestep.invalid/e2e",
	Copied: []string{tests, tests + "/", "k8s.io/kubernetes/test/utils/crd"},
	Kept:   []string{tests + "/testing-manifests"},
}

// tests is the folder of the tests.
const tests = "k8s.io/kubernetes/test/e2e"

// kubectl replaces the function that starts kubectl: a process outside of the bubble would not be in virtual time.
var kubectl = upstream.Function{
	Package: tests + "/framework/kubectl", Name: "(b KubectlBuilder) ExecWithFullOutput", Text: kubectlText,
}

// build writes the program's source and compiles it.
func build(o *options, from kubernetes) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	file, flags := upstream.ModuleFile(os.Getenv("GOFLAGS"))
	if file == "" {
		file = filepath.Join(root, "go.mod")
	}
	sources := upstream.Sources{"k8s.io/kubernetes": from.folder}
	if err := upstream.WriteProgram(sources, root, file, o.folder, mainText, copies, kubectl); err != nil {
		return err
	}
	// Symbols and debug information are not used; without them the program links in half the time.
	linker := "-s -w " + versionFlags(from.version)
	compile := exec.Command(o.goCommand, "build", "-mod=mod", "-ldflags", linker, "-o", filepath.Base(o.program()), ".")
	compile.Dir, compile.Env = o.folder, append(os.Environ(), "GOFLAGS="+flags)
	compile.Stdout, compile.Stderr = os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("building the program of the tests: %w", err)
	}
	return nil
}

// versionFlags make the linker set the version that the API server reports, as upstream's build does.
func versionFlags(version string) string {
	parts := strings.SplitN(strings.TrimPrefix(version, "v"), ".", 3)
	const variable = "-X k8s.io/component-base/version."
	return variable + "gitVersion=" + version + " " + variable + "gitMajor=" + parts[0] + " " + variable + "gitMinor=" + parts[1]
}
