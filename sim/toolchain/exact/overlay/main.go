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
// The edits are written for one release of Go. With a toolchain of another one, or when the text that an edit replaces does not
// stand exactly once in its file, the go command gets that release from where it gets modules. Then a second go command compiles the
// exact build, and -environment names a file that makes all go commands that one: sh reads it. It is empty if none is needed. Without the
// flag, or if that release cannot be had, overlay fails and writes no flags.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
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
	environment := flag.String("environment", "", "the file to write for sh: variables that make go a toolchain of the edits' release")
	list := flag.Bool("list", false, "print the edits and what proves each, and write nothing")
	without := flag.Int("without", 0, "leave out the edit of this number in the list, for the test of what proves it")
	flag.Parse()
	if *list {
		for i, e := range every {
			fmt.Printf("%d\t%s\t%s\t%s\n", i+1, e.File, e.Proof, e.Why)
		}
		return
	}
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	flags, err := build{*command, *out, *with, *environment, *external, *names, *without}.run()
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		if hint, ok := err.(hinter); ok {
			fmt.Fprintf(os.Stderr, "Try: %s\n", hint.Try())
		}
		os.Exit(1)
	}
	fmt.Println(flags)
}

// build is what the flags of the program ask for.
type build struct {
	command, out, with, environment string
	external, names                 bool
	// without is the number of an edit, from 1.
	without int
}

// run writes the overlay and returns the flags of the exact build.
func (b build) run() (string, error) {
	all, tags := edits, "kubestep_exact"
	if b.external {
		all, tags = slices.Concat(all, externalEdits), tags+",kubestep_external"
	}
	all = b.leftIn(all)
	out, err := filepath.Abs(b.out)
	if err != nil {
		return "", err
	}
	tools, err := choose(b.command, out, all)
	if err != nil {
		return "", err
	}
	if err := b.tell(tools); err != nil {
		return "", err
	}
	maps.Copy(tools.files, inserts)
	if b.external {
		maps.Copy(tools.files, externalInserts)
	}
	overlay := edit.Overlay{}
	if err := overlay.Add(tools.sources().Root, out, tools.files); err != nil {
		return "", err
	}
	flags := goFlags(out, tags, strings.Fields(b.with)...)
	if b.names {
		flag, err := addQueues(b.command, out, b.leftIn(queueEdits), overlay)
		if err != nil {
			return "", err
		}
		flags += " " + flag
	}
	return flags, overlay.Write(filepath.Join(out, "overlay.json"))
}

// every is the list of all edits: those of the runtime, of the runtime of a program of its own, and of work queues.
var every = slices.Concat(edits, externalEdits, queueEdits)

// leftIn are edits without the one that is left out.
func (b build) leftIn(edits []edit.Edit) []edit.Edit {
	if b.without < 1 || b.without > len(every) {
		return edits
	}
	return slices.DeleteFunc(slices.Clone(edits), func(e edit.Edit) bool { return e == every[b.without-1] })
}

// tell writes which toolchain compiles.
func (b build) tell(tools choice) error {
	if b.environment != "" {
		if tools.environment != "" {
			fmt.Fprintf(os.Stderr, "note: the exact build is compiled with %s, from %s\n", tools.GOVERSION, tools.GOROOT)
		}
		return os.WriteFile(b.environment, []byte(tools.environment), 0o644)
	}
	if tools.environment != "" {
		return needsEnvironment{fmt.Sprintf("the exact build needs another go command: %s in %s", tools.GOVERSION, tools.GOROOT)}
	}
	return nil
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
