package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// temporary gives a command an empty folder for its temporary files, which is the only one that it can reach. Upstream's kubelets keep the
// volumes and the logs of Pods there. remove removes it with all that is in it.
func temporary(cmd *exec.Cmd) (folder string, remove func(), err error) {
	if folder, err = os.MkdirTemp("", "kubestep-sandbox-"); err != nil {
		return "", nil, fmt.Errorf("a folder for the temporary files of the sandbox: %w", err)
	}
	cmd.Env = slices.DeleteFunc(slices.Clone(cmd.Env), func(v string) bool { return strings.HasPrefix(v, "TMPDIR=") })
	cmd.Env = append(cmd.Env, "TMPDIR="+folder)
	return folder, func() { _ = os.RemoveAll(folder) }, nil
}

// entry is what a file or a folder costs beside its content, in bytes: a process must not make them without end either.
const entry = 4 << 10

// size is what is in a folder, in bytes. The process changes it meanwhile, so what is gone is not counted.
func size(folder string) (bytes int64) {
	_ = filepath.WalkDir(folder, func(_ string, found fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		bytes += entry
		if info, err := found.Info(); err == nil && info.Mode().IsRegular() {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}
