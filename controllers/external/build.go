package external

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// flagsTool prints the flags with which a program is built, and writes the runtime that they name to a folder.
const flagsTool = "github.com/kubestep/kubestep/sim/toolchain/exact/overlay"

// Build builds the program in a folder, which is in a module of its own, and returns its path, below the folder out. The
// working directory must be in a module that requires kubestep, like that of the test that calls it. Processes that this one starts
// do not build the program again.
func Build(folder, out string) (path string, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	built := "KUBESTEP_BUILT_" + folder
	if path := os.Getenv(built); path != "" {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	flags, err := command("", nil, "run", flagsTool, "-external", "-o", filepath.Join(out, "overlay"))
	if err != nil {
		return "", err
	}
	path = filepath.Join(out, filepath.Base(folder))
	env := []string{"CGO_ENABLED=0", "GOFLAGS=-buildvcs=false " + strings.TrimSpace(flags)}
	if _, err := command(folder, env, "build", "-o", path, "."); err != nil {
		return "", err
	}
	return path, os.Setenv(built, path)
}

func command(folder string, env []string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), env...)
	var problem strings.Builder
	cmd.Stderr = &problem
	text, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, problem.String())
	}
	return string(text), nil
}
