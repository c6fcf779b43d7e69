package upstream

import (
	_ "embed"
	"fmt"
	"strings"
)

// change is what changes in the copy of a package that starts processes, opens connections or looks at goroutines of the process.
type change struct {
	// without are files that are left out, and functions those that are renamed. insert is a Go file that declares what the
	// tests need of them.
	without, functions []string
	insert             []byte
}

//go:embed insert/framework.go.txt
var frameworkText []byte

//go:embed insert/fixtures.go.txt
var fixturesText []byte

//go:embed insert/storage.go.txt
var storageText []byte

// changes are those of each package.
var changes = map[string]change{
	framework:                {without: []string{"etcd.go", "test_server.go", "goleak.go"}, insert: frameworkText},
	extensions + "/fixtures": {without: []string{"server.go"}, insert: fixturesText},
	extensions + "/storage":  {functions: []string{"GetEtcdClients"}, insert: storageText},
}

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
		fmt.Fprintf(&imports, "\tp%d %q\n", n, Module+"/"+folder(importPath(name)))
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
