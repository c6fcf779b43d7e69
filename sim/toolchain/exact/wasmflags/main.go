// Wasmflags writes what go build needs to compile kubestep's simulations for js/wasm: edited files of a dozen modules that would
// not compile, or make the program too large, and a module file that takes these modules from a folder instead of the module
// cache. The folder has a link to the cache for each of them, and the edited files are an overlay over the links. So
// nothing is copied, and the module cache and kubestep's own go.mod stay as they are. It prints GOFLAGS.
//
// Usage:
//
//	GOFLAGS="$(go run github.com/kubestep/kubestep/sim/toolchain/exact/wasmflags -exact bin/_overlay -o DIR)" GOOS=js GOARCH=wasm \
//		go build
//
// The folder of -exact is the one that sim/toolchain/exact/overlay has written; its flags and its overlay become part of the result.
//
// It fails when go.mod selects another version of a module than the edits are written for, or when the text that an
// edit replaces does not stand exactly once in its file.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/internal/edit"
)

func main() {
	out := flag.String("o", "", "the folder to write to")
	exact := flag.String("exact", "", "the folder that sim/toolchain/exact/overlay has written")
	command := flag.String("go", "go", "the go command")
	flag.Parse()
	if *out == "" || *exact == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	flags, err := run(*command, *exact, *out)
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(1)
	}
	fmt.Println(flags)
}

// run writes the folder and returns the flags.
func run(command, exact, out string) (string, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return "", err
	}
	overlay, flags, err := exactBuild(exact)
	if err != nil {
		return "", err
	}
	found, err := edit.Modules(command, paths(modules)...)
	if err != nil {
		return "", err
	}
	changed := map[string]change{}
	for _, m := range modules {
		if changed[m.path], err = m.apply(found[m.path]); err != nil {
			return "", err
		}
	}
	// What an earlier version has written must not stay.
	for _, part := range []string{"modules", "edited"} {
		if err := os.RemoveAll(filepath.Join(out, part)); err != nil {
			return "", err
		}
	}
	var replacements strings.Builder
	for _, m := range modules {
		link := filepath.Join(out, "modules", filepath.FromSlash(m.path))
		edited := filepath.Join(out, "edited", filepath.FromSlash(m.path))
		if err := changed[m.path].write(overlay, found[m.path].Dir, link, edited); err != nil {
			return "", err
		}
		fmt.Fprintf(&replacements, "\nreplace %s %s => %s\n", m.path, m.written, link)
	}
	if err := edit.ModuleFile(command, out, replacements.String()); err != nil {
		return "", err
	}
	list := filepath.Join(out, "overlay.json")
	return goFlags(flags, list, filepath.Join(out, "go.mod")), overlay.Write(list)
}

// overlayFlag is the flag of the overlay, with or without quotes.
var overlayFlag = regexp.MustCompile(`'-overlay=[^']*'|-overlay=\S*`)

// exactBuild reads the overlay of the exact build and its other flags. In the stock build both are empty.
func exactBuild(folder string) (edit.Overlay, string, error) {
	flags, err := os.ReadFile(filepath.Join(folder, "goflags"))
	if err != nil || len(flags) == 0 {
		return edit.Overlay{}, "", err
	}
	overlay, err := edit.Read(filepath.Join(folder, "overlay.json"))
	return overlay, overlayFlag.ReplaceAllString(strings.TrimSpace(string(flags)), ""), err
}

// goFlags are the flags of the exact build with another overlay, with the module file, and with a tag that keeps a page
// about requests out of gRPC: with its templates the linker would keep all methods of all types.
func goFlags(exact, overlay, modfile string) string {
	const tag = "grpcnotrace"
	var flags []string
	for _, f := range strings.Fields(exact) {
		if tags, ok := strings.CutPrefix(f, "-tags="); ok {
			f = "-tags=" + tags + "," + tag
		}
		flags = append(flags, f)
	}
	if exact == "" {
		flags = []string{"-trimpath", "-tags=" + tag}
	}
	for _, f := range []string{"-overlay=" + overlay, "-modfile=" + modfile} {
		if strings.ContainsAny(f, " \t") {
			f = "'" + f + "'"
		}
		flags = append(flags, f)
	}
	return strings.Join(flags, " ")
}

// paths are the modules' names.
func paths(modules []module) []string {
	var names []string
	for _, m := range modules {
		names = append(names, m.path)
	}
	return names
}
