package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/kubestep/kubestep/sim/versions"
)

// A listed package is what go list says of one.
type listed struct {
	Dir, ImportPath string
	GoFiles         []string
	ImportMap       map[string]string
	Module          *struct{ Main bool }
	Error           *struct{ Err string }
}

// own reports whether a package belongs to kubestep.
func (p listed) own() bool { return p.Module != nil && p.Module.Main }

// list lists packages of kubestep and what they import, each after its own imports: all of them for the main version, and for
// others those of the program. Kubernetes' own integration tests run with the main version only.
func list(command string, v versions.Version, generated string) ([]listed, error) {
	args := []string{"list", "-e", "-deps", "-json=Dir,ImportPath,GoFiles,ImportMap,Module,Error", "-tags=" + v.Tags()}
	if v.IsMain() {
		args = append(args, "./...")
	} else {
		args = append(args, "-modfile="+v.ModuleFile(generated), ".")
	}
	cmd := exec.Command(command, args...)
	// Without cgo, no package has files that only a C compiler makes complete.
	cmd.Env = append(os.Environ(), "GOFLAGS=", "CGO_ENABLED=0")
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, said.String())
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return packages, nil
		} else if err != nil {
			return nil, err
		}
		packages = append(packages, p)
	}
}
