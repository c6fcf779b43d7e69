// Overlay writes what `go build -overlay` needs to compile kubestep with a runtime whose choices are a
// function of the seed. It reads the installed toolchain's own source files, makes small edits, and writes
// the edited files and an overlay.json to a folder. It prints the flags of the exact build, as GOFLAGS takes them.
//
// Usage: export CGO_ENABLED=0 GOFLAGS="$(go run github.com/kubestep/kubestep/sim/toolchain/exact/overlay -o DIR)"
//
// With -queues, work queues without a name get one, so that a trace shows their syncs. What imports client-go is compiled again
// then, which is most of Kubernetes.
//
// With -with, flags of another build are part of what is printed: its build tags join those of the exact build.
//
// With -external, the runtime is that of a controller with a main function of package ctrlmain.
//
// It fails when the toolchain is not of the release that the edits are written for, or when the text that
// an edit replaces does not stand exactly once in its file. Nothing is written then.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

func main() {
	out := flag.String("o", "", "the folder to write to")
	command := flag.String("go", "go", "the go command whose toolchain is meant")
	external := flag.Bool("external", false, "write the runtime of a controller that is a program of its own")
	names := flag.Bool("queues", false, "name client-go's work queues that have no name")
	with := flag.String("with", "", "flags of go build to combine with those of the exact build")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	flags, err := run(*command, *out, *with, *external, *names)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(flags)
}

// run writes the overlay and returns the flags of the exact build.
func run(command, out, with string, external, names bool) (string, error) {
	tools, err := installed(command)
	if err != nil {
		return "", err
	}
	all, tags := edits, "kubestep_exact"
	if external {
		all, tags = slices.Concat(edits, externalEdits), tags+",kubestep_external"
	}
	files, err := tools.apply(all)
	if err != nil {
		return "", err
	}
	maps.Copy(files, inserts)
	if external {
		maps.Copy(files, externalInserts)
	}
	out, err = filepath.Abs(out)
	if err != nil {
		return "", err
	}
	overlay := edit.Overlay{}
	if err := overlay.Add(tools.sources().Root, out, files); err != nil {
		return "", err
	}
	flags := goFlags(out, tags, strings.Fields(with)...)
	if names {
		flag, err := addQueues(command, out, overlay)
		if err != nil {
			return "", err
		}
		flags += " " + flag
	}
	return flags, overlay.Write(filepath.Join(out, "overlay.json"))
}

// goFlags are the flags of the exact build with the overlay in a folder. With -trimpath the folder in which kubestep lies
// does not matter to Go's build cache. Fmahash is a switch of the compiler: qn keeps it from joining a multiplication and
// an addition into one instruction, which rounds once instead of twice and which not every architecture has. The go command takes
// -tags once, so those of other flags join.
func goFlags(out, tags string, others ...string) string {
	rest := ""
	for _, flag := range others {
		if more, ok := strings.CutPrefix(flag, "-tags="); ok {
			tags += "," + more
		} else {
			rest += " " + flag
		}
	}
	overlay := "-overlay=" + filepath.Join(out, "overlay.json")
	if strings.ContainsAny(overlay, " \t") {
		overlay = "'" + overlay + "'"
	}
	return "-trimpath -tags=" + tags + " " + overlay + " -gcflags=all=-d=fmahash=qn" + rest
}

// toolchain is what the go command says of itself.
type toolchain struct{ GOROOT, GOVERSION string }

func installed(command string) (toolchain, error) {
	var t toolchain
	text, err := exec.Command(command, "env", "-json", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return t, fmt.Errorf("%s env: %w", command, err)
	}
	return t, json.Unmarshal(text, &t)
}

// sources are those of the standard library.
func (t toolchain) sources() edit.Sources {
	return edit.Sources{Root: filepath.Join(t.GOROOT, "src"), Version: t.GOVERSION, Written: wrote}
}

// apply returns the edited text of each file that edits name.
func (t toolchain) apply(edits []edit.Edit) (map[string]string, error) {
	// GOVERSION may be followed by experiments: "go1.26.8 X:something".
	version, _, _ := strings.Cut(t.GOVERSION, " ")
	if version != release && !strings.HasPrefix(version, release+".") {
		return nil, fmt.Errorf("the edits are written for %s (any patch level of %s); this is %s", wrote, release, t.GOVERSION)
	}
	return t.sources().Apply(edits)
}
