package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/kubestep/kubestep/sim/conformance/score"
	"github.com/kubestep/kubestep/sim/conformance/upstream"
)

// build writes the program's source and compiles it.
func build(o *options) error {
	sources, err := sourcesOf(o)
	if err != nil {
		return err
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for _, name := range o.packages {
		if _, err := os.Stat(sources.Folder(name)); err != nil {
			return fmt.Errorf("Kubernetes has no package %s\nTry: %s", upstream.Folder(name), score.Nearest(name))
		}
	}
	file, flags := upstream.ModuleFile(os.Getenv("GOFLAGS"))
	if file == "" {
		file = filepath.Join(root, "go.mod")
	}
	if err := upstream.Write(sources, root, file, o.folder, o.packages); err != nil {
		return err
	}
	// Symbols and debug information are not used; without them the program links in half the time.
	compile := exec.Command(o.goCommand, "build", "-mod=mod", "-ldflags", "-s -w", "-o", filepath.Base(o.program()), ".")
	compile.Dir, compile.Env = o.folder, append(os.Environ(), "GOFLAGS="+flags)
	compile.Stdout, compile.Stderr = os.Stderr, os.Stderr
	if err := compile.Run(); err != nil {
		return fmt.Errorf("building the program of the tests: %w", err)
	}
	return nil
}
