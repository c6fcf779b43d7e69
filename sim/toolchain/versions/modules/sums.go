package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

// addSums has the go command write the checksums of all modules that a build for a version takes packages from, and raise
// requirements that are older than those of another module. The go command would answer an import of a package that this
// version does not have with a newer version of its module, so the go command sees only imports that exist.
func addSums(command string, v versions.Version, file string) error {
	mod, err := read(command, file)
	if err != nil {
		return err
	}
	folders, err := download(command, mod)
	if err != nil {
		return err
	}
	for _, system := range systems {
		environment := append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0", "GOOS="+system)
		// What is not found is not an error: this version may have it and the main version not.
		const format = `{{join .Imports "\n"}}{{"\n"}}{{join .TestImports "\n"}}{{"\n"}}{{join .XTestImports "\n"}}`
		list := exec.Command(command, "list", "-e", "-tags="+v.Tags(), "-f", format, "./...")
		list.Env = environment
		out, err := output(list)
		if err != nil {
			return err
		}
		args := []string{"list", "-mod=mod", "-modfile=" + file, "-tags=" + v.Tags(), "-deps"}
		list = exec.Command(command, append(args, existing(strings.Fields(out), mod, folders)...)...)
		list.Env = environment
		if _, err := output(list); err != nil {
			return err
		}
	}
	if mod, err = read(command, file); err == nil && requirements(mod)["k8s.io/kubernetes"] != v.Kubernetes {
		err = errors.New("the go command changed the version of k8s.io/kubernetes in " + file)
	}
	return err
}

// existing returns the imports of other modules that exist. Of modules of Kubernetes, whose folders are given, it looks for the
// package; others keep their packages.
func existing(imports []string, mod module, folders map[string]string) []string {
	out := map[string]bool{}
	for _, path := range imports {
		root := providing(path, mod)
		if root == "" {
			continue
		}
		if folder, ok := folders[root]; ok {
			if _, err := os.Stat(filepath.Join(folder, strings.TrimPrefix(path, root))); err != nil {
				continue
			}
		}
		out[path] = true
	}
	return slices.Sorted(maps.Keys(out))
}

// providing is the required module that a package belongs to: the one with the longest path.
func providing(path string, mod module) (root string) {
	for _, required := range mod.Require {
		under := path == required.Path || strings.HasPrefix(path, required.Path+"/")
		if under && len(required.Path) > len(root) {
			root = required.Path
		}
	}
	return root
}

// download downloads the modules of Kubernetes that kubestep imports, and returns their folders in the module cache.
func download(command string, mod module) (map[string]string, error) {
	args := []string{"mod", "download", "-json"}
	for _, required := range mod.Require {
		if strings.HasPrefix(required.Path, "k8s.io/") && !required.Indirect {
			args = append(args, required.Path+"@"+required.Version)
		}
	}
	get := exec.Command(command, args...)
	get.Dir, get.Env = os.TempDir(), append(os.Environ(), "GOFLAGS=", "GO111MODULE=on")
	text, failed := output(get)
	folders := map[string]string{}
	var missing []string
	for decoder := json.NewDecoder(strings.NewReader(text)); ; {
		var m struct{ Path, Version, Dir, Error string }
		if err := decoder.Decode(&m); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, cmp.Or(failed, err)
		}
		if m.Error != "" {
			missing = append(missing, m.Error)
		}
		folders[m.Path] = m.Dir
	}
	if len(missing) > 0 {
		return nil, fmt.Errorf("the module proxy does not have all modules of this version:\n%s", strings.Join(missing, "\n"))
	}
	return folders, failed
}

// output runs a command of Go and returns what it printed, also if it failed. The error says what it said besides.
func output(c *exec.Cmd) (string, error) {
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return string(out), fmt.Errorf("%s: %w\n%s", strings.Join(c.Args[:min(len(c.Args), 6)], " "), err, said.String())
	}
	return string(out), nil
}
