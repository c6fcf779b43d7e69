package mutant

import (
	"fmt"
	"go/parser"
	"go/token"
	"path"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/toolchain/exact/edited"
)

// Variable is the environment variable that selects a mutant, by its name, in a program with all of them. Without it, the program has no
// defect.
const Variable = "KUBESTEP_MUTANT"

// insert is a file of each package with a mutant, for the name of the package and that of the variable.
const insert = `package %s

import "os"

var kubestepMutant = os.Getenv(%q)
`

// inserted is the name of that file.
const inserted = "kubestep_mutant.go"

// Modules are the modules with all mutants.
func Modules(mutants []Mutant) []edited.Module {
	modules := []edited.Module{{Path: kubernetes, Written: kubernetesWritten}, {Path: endpoints, Written: endpointsWritten}}
	for _, m := range mutants {
		for i := range modules {
			if modules[i].Path == m.module {
				modules[i].Edits = append(modules[i].Edits, edited.Edit{File: m.file, Anchor: m.old, Text: m.text(), Why: m.Name})
			}
		}
	}
	return modules
}

// text is New for the compiler.
func (m *Mutant) text() string {
	return strings.ReplaceAll(m.new, "MUTANT", "(kubestepMutant == "+strconv.Quote(m.Name)+")")
}

// Flags writes what go build needs for a program with mutants to an empty folder, whose path must be absolute, and returns the flags, as
// GOFLAGS takes them: those of another build, and more.
func Flags(command, folder, flags string, mutants []Mutant) (string, error) {
	modules := Modules(mutants)
	files, err := edited.Files(command, modules...)
	if err != nil {
		return "", err
	}
	for i := range modules {
		modules[i].Inserts = map[string]string{}
		for file, text := range files[i] {
			parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly)
			if err != nil {
				return "", fmt.Errorf("%s with its mutants: %w", file, err)
			}
			modules[i].Inserts[path.Join(path.Dir(file), inserted)] = fmt.Sprintf(insert, parsed.Name.Name, Variable)
		}
	}
	return edited.Flags(command, folder, flags, modules...)
}
