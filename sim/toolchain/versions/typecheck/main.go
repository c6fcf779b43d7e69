// Typecheck says what of kubestep does not compile with a version of Kubernetes, in seconds and without compiling anything: it
// checks the types of all packages, those of other modules without the bodies of functions. Besides, it looks for what a compiler
// does not see: variables of upstream that a linkname reaches, and fields that package unexported does.
//
// Usage:
//
//	go run ./sim/toolchain/versions/typecheck                  check all supported versions
//	go run ./sim/toolchain/versions/typecheck -seams 1.35      check one, and list what the files with build tags use of Kubernetes
package main

import (
	"flag"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"

	"github.com/kubestep/kubestep/sim/toolchain/versions"
)

func main() {
	command := flag.String("go", "go", "the go command")
	seams := flag.Bool("seams", false, "list what files with build tags for versions use of Kubernetes")
	generated := flag.String("o", filepath.Join("bin", "_versions"), "the folder with module files of versions that are not listed")
	flag.Parse()
	failed, err := run(os.Stdout, *command, *generated, *seams, flag.Args())
	if err != nil {
		fmt.Fprintf(os.Stderr, "Error: %v\n", err)
		os.Exit(2)
	}
	if failed {
		os.Exit(1)
	}
}

// run checks the named versions, or all, and reports whether one has errors.
func run(out io.Writer, command, generated string, seams bool, names []string) (failed bool, err error) {
	var checked []versions.Version
	for _, name := range names {
		v, err := versions.Find(name)
		if err != nil {
			return false, err
		}
		checked = append(checked, v)
	}
	if len(names) == 0 {
		checked = versions.Supported
	}
	standard := map[string]*types.Package{"unsafe": types.Unsafe}
	for _, v := range checked {
		packages, err := list(command, v, generated)
		if err != nil {
			return false, fmt.Errorf("Kubernetes %s: %w", v.Name, err)
		}
		c := newChecker(standard)
		for _, p := range packages {
			c.lacking[p.ImportPath] = p.reason()
			c.check(p)
			if p.Standard {
				standard[p.ImportPath] = c.packages[p.ImportPath]
			}
		}
		c.checkLinknames()
		for _, problem := range c.problems {
			fmt.Fprintf(out, "%s: %s\n", v.Name, problem)
		}
		if seams {
			c.printSeams(out)
		}
		fmt.Fprintf(out, "Kubernetes %s (%s): %d packages, %s\n", v.Name, v.Kubernetes, len(packages), errorCount(len(c.problems)))
		failed = failed || len(c.problems) > 0
	}
	return failed, nil
}

func errorCount(n int) string {
	if n == 1 {
		return "1 error"
	}
	return fmt.Sprintf("%d errors", n)
}
