package main

import (
	"errors"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// TestOtherVersions checks that kubestep still compiles with each supported minor version of Kubernetes. A change that it fails for
// uses what another version does not have, or has in another form. That takes some seconds, and the module files of these
// versions; patch levels are left to `make versions`.
func TestOtherVersions(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	readFolders(t, root)
	t.Chdir(root)
	var names []string
	for _, v := range versions.Supported {
		if !v.IsMain() && !v.IsPatch() {
			names = append(names, v.Name)
		}
	}
	var out strings.Builder
	failed, err := run(&out, "go", "", false, names)
	switch {
	case errors.Is(err, errNotHad):
		t.Skip(err)
	case err != nil:
		t.Fatal(err)
	case failed:
		t.Errorf("kubestep does not compile with another version of Kubernetes:\n%s"+
			"Move what differs to files with build tags: docs/howto/add-a-kubernetes-version.md", out.String())
	}
}

// TestOtherSystems checks that kubestep compiles for the systems of a release, and for browsers. A build for this machine sees only the
// files that are for it.
func TestOtherSystems(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..")
	readFolders(t, root)
	t.Chdir(root)
	for on, program := range map[system]string{
		{"windows", "amd64"}: ".", {"darwin", "arm64"}: ".", {"js", "wasm"}: "./scenarios/web/playground/wasm",
	} {
		found, err := packages("go", on, slices.Concat(listing, []string{program})...)
		if err != nil {
			t.Fatal(err)
		}
		c := newChecker(map[string]*types.Package{"unsafe": types.Unsafe})
		for _, p := range found {
			c.lacking[p.ImportPath] = p.reason()
			c.check(p)
		}
		for _, problem := range c.problems {
			t.Errorf("%s/%s: %s", on.os, on.arch, problem)
		}
	}
}

// readFolders reads all folders with source. The go command runs a test again when a file has changed that the test itself has
// read, and a new file is one that the folder has.
func readFolders(t *testing.T, root string) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch name := entry.Name(); {
		case err != nil || !entry.IsDir() || path == root:
			return err
		case strings.HasPrefix(name, "."), name == "bin", name == "testdata":
			return filepath.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range versions.Supported {
		if file := v.ModuleFile(""); file != "" {
			if _, err := os.ReadFile(filepath.Join(root, file)); err != nil {
				t.Fatal(err)
			}
		}
	}
}
