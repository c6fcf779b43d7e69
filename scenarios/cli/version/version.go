// Package version says which kubestep a binary is: its version and commit, the Kubernetes and the Go that are compiled in, and
// which build it is. The linker sets Version and Commit (see LDFLAGS in the Makefile and the program in scenarios/release). What
// it does not set comes from what the go command records in each binary, so that a binary of go install
// github.com/kubestep/kubestep@v0.1.0 knows its version, too.
package version

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/sim/toolchain/exact"
)

// Version is the version of kubestep, such as v0.1.0, and Commit the commit that it is built from.
var Version, Commit string

// devel is the version of a binary that nobody gave a version.
const devel = "devel"

func init() {
	info, _ := debug.ReadBuildInfo()
	Version, Commit = complete(Version, Commit, info)
}

// complete fills in what the linker has not set. info may be nil.
func complete(version, commit string, info *debug.BuildInfo) (string, string) {
	if info != nil && version == "" && info.Main.Version != "(devel)" {
		version = info.Main.Version
	}
	if version == "" {
		version = devel
	}
	if info != nil && commit == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				commit = setting.Value
			}
		}
	}
	return version, commit
}

// Info is what kubestep version prints.
type Info struct {
	Kubestep   string `json:"kubestep"`
	Commit     string `json:"commit,omitempty"`
	Kubernetes string `json:"kubernetes"`
	Go         string `json:"go"`
	Platform   string `json:"platform"`
	Build      string `json:"build"`
}

// Get returns the Info of this binary.
func Get() Info {
	return Info{
		Kubestep: Version, Commit: Commit, Kubernetes: controllers.KubernetesVersion,
		Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Build: exact.Build(),
	}
}

// WriteText prints one thing a line: its name, a space, and its version.
func (i Info) WriteText(out io.Writer) error {
	commit := i.Commit
	if commit == "" {
		commit = "unknown"
	}
	_, err := fmt.Fprintf(out, "kubestep %s\ncommit %s\nkubernetes %s\n%s %s\nbuild %s\n",
		i.Kubestep, commit, i.Kubernetes, i.Go, i.Platform, i.Build)
	return err
}

// WriteJSON prints an object in one line.
func (i Info) WriteJSON(out io.Writer) error { return json.NewEncoder(out).Encode(i) }
