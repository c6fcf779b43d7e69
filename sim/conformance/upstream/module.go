package upstream

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Module is the path of the module of the tests.
const Module = "kubestep.invalid/conformance"

// writeModule writes go.mod and go.sum: those of kubestep, file and the one next to it, whose module the tests take from the folder
// root. The tests import some modules that kubestep does not; with -mod=mod, the go command adds them in the versions that
// k8s.io/kubernetes requires.
func (c *copier) writeModule(root, file string) error {
	ours, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	path := strings.TrimSuffix(module, "/")
	_, requirements, _ := strings.Cut(string(ours), "module "+path+"\n")
	text := "module " + c.Module + "\n" + requirements +
		"\nrequire " + path + " v0.0.0\n\nreplace " + path + " => " + filepath.ToSlash(root) + "\n"
	if file != filepath.Join(root, "go.mod") {
		text += replacements(requirements)
	}
	// The go command changes go.mod when it adds requirements, so ours is written only when it differs from the last one.
	changed, err := c.changed("go.mod.kubestep", []byte(text))
	if err != nil || !changed {
		return err
	}
	sums, err := os.ReadFile(strings.TrimSuffix(file, ".mod") + ".sum")
	if err != nil {
		return err
	}
	if err := c.write("go.mod", []byte(text)); err != nil {
		return err
	}
	if err := c.write("go.sum", sums); err != nil {
		return err
	}
	return c.write("go.mod.kubestep", []byte(text))
}

// requirement is a line of a module file that requires a version of a module.
var requirement = regexp.MustCompile(`(?m)^\t(\S+) (v\S+)`)

// replacements are those of each required module by its required version: the folder of kubestep has a go.mod that requires newer ones.
func replacements(requirements string) string {
	var out strings.Builder
	for _, required := range requirement.FindAllStringSubmatch(requirements, -1) {
		fmt.Fprintf(&out, "\nreplace %s => %[1]s %s\n", required[1], required[2])
	}
	return out.String()
}

// changed reports whether a file does not have this content yet.
func (c *copier) changed(name string, text []byte) (bool, error) {
	before, err := os.ReadFile(filepath.Join(c.into, filepath.FromSlash(name)))
	if os.IsNotExist(err) {
		return true, nil
	}
	return string(before) != string(text), err
}

// ModuleFile takes -modfile out of the flags of go build: it names kubestep's module file for a version of Kubernetes other than
// the main one. The program of the tests is a module of its own, whose file is made from that one. Without the flag the file is
// empty.
func ModuleFile(goflags string) (file, rest string) {
	var others []string
	for flag := range strings.FieldsSeq(goflags) {
		if value, ok := strings.CutPrefix(strings.TrimLeft(flag, "-"), "modfile="); ok {
			file = value
			continue
		}
		others = append(others, flag)
	}
	return file, strings.Join(others, " ")
}
