package upstream

import (
	_ "embed"
	"fmt"
	"strings"
)

// frameworkText is the Go file that takes the place of the replaced files of upstream's package framework.
//
//go:embed insert/framework.go.txt
var frameworkText []byte

// table is a Go file with the tests of a package.
func table(pkg string, names []string) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "package %s\n\nimport %q\n\n", pkg, rewrites["testing"])
	fmt.Fprintf(&out, "// ConformanceTests are the tests of the package by name.\nvar ConformanceTests = map[string]func(*testing.T){\n")
	for _, name := range names {
		fmt.Fprintf(&out, "\t%q: %s,\n", name, name)
	}
	out.WriteString("}\n")
	return []byte(out.String())
}

// program is the package main of the tests of packages.
func program(packages []string) []byte {
	var imports, rows strings.Builder
	for n, name := range packages {
		fmt.Fprintf(&imports, "\tp%d %q\n", n, Module+"/"+folder(integration+name))
		fmt.Fprintf(&rows, "\t\t%q: p%d.ConformanceTests,\n", name, n)
	}
	return fmt.Appendf(nil, `package main

import (
	%q
	%q

%s)

func main() {
	process.Main(map[string]map[string]func(*testing.T){
%s	})
}
`, module+"sim/conformance/process", rewrites["testing"], imports.String(), rows.String())
}
