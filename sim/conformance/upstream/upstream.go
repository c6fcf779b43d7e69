// Package upstream turns Kubernetes' own integration tests into one program that runs any of them by name.
//
// The tests are packages of k8s.io/kubernetes/test/integration and k8s.io/apiextensions-apiserver/test/integration. They are in
// the module cache, since go.mod requires both modules. Write copies those that are wanted, and the packages below test that
// they import, into a folder that git ignores and whose name begins with an underscore, so that ./... passes over it:
//
//	test/integration/job/job_test.go   job/job_tests.go: as part of a package, not of its tests
//	-                                  job/table.go: its tests, by name
//	test/utils/ktesting                the same: it has a type switch on *testing.T
//	-                                  main.go: the tables of all packages, for package process
//	-                                  go.mod: a module of its own, which requires what kubestep does, and what the tests add
//
// One program, instead of one for each package, since linking Kubernetes takes longer than running most of its tests.
//
// Of the text of the tests only imports change (rewrites), and wait.NeverStop: a channel that exists before the bubble
// of virtual time is not a wait that virtual time covers.
package upstream

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

const (
	module = "github.com/kubestep/kubestep/"
	// integration is where the packages are that are asked for by name, and framework one of them that others import.
	integration = "k8s.io/kubernetes/test/integration/"
	framework   = integration + "framework"
	// extensions is where the packages of Extensions are.
	extensions = "k8s.io/apiextensions-apiserver/test/integration"
)

// Extensions is the name of the package of apiextensions-apiserver's own tests, and, with a slash, the beginning of the names
// of those below it.
const Extensions = "apiextensions-apiserver"

// Modules are the modules that have tests, or packages that tests import and that are copied.
var Modules = []string{"k8s.io/kubernetes", "k8s.io/apiextensions-apiserver", "k8s.io/pod-security-admission", "k8s.io/apiserver"}

// Sources are the folders of Modules.
type Sources map[string]string

// Folder is where the package of a name is.
func (s Sources) Folder(name string) string { return s.folder(importPath(name)) }

func (s Sources) folder(importPath string) string {
	for _, module := range Modules {
		if below, ok := strings.CutPrefix(importPath, module+"/"); ok {
			return filepath.Join(s[module], filepath.FromSlash(below))
		}
	}
	return ""
}

// Folder is where the copy of the package of a name is, below that of all copies.
func Folder(name string) string { return folder(importPath(name)) }

func importPath(name string) string {
	if below, ok := strings.CutPrefix(name, Extensions); ok {
		return extensions + below
	}
	return integration + name
}

// copied are packages that are copied if a test imports them, since they use package testing: those below the first
// three, and the others alone.
var copied = []string{
	"k8s.io/kubernetes/test/integration/", "k8s.io/kubernetes/test/utils/ktesting/", extensions + "/",
	"k8s.io/kubernetes/test/utils", "k8s.io/kubernetes/pkg/scheduler/apis/config/testing",
	"k8s.io/kubernetes/pkg/serviceaccount/externaljwt/plugin/testing/v1", "k8s.io/kubernetes/pkg/volume/testing",
	"k8s.io/kubernetes/cmd/kube-controller-manager/app/testing", "k8s.io/kubernetes/cmd/kube-scheduler/app/testing",
	"k8s.io/pod-security-admission/test", "k8s.io/apiserver/pkg/server/flagz/testing", "k8s.io/apiserver/pkg/server/statusz/testing",
}

func (c *copier) isCopied(importPath string) bool {
	return !slices.Contains(c.Kept, importPath) && slices.ContainsFunc(c.Copied, func(known string) bool {
		below, isTree := strings.CutSuffix(known, "/")
		return importPath == below || isTree && strings.HasPrefix(importPath, known)
	})
}

// rewrites are the imports that are replaced, in every file that is copied.
var rewrites = map[string]string{
	"testing":                       module + "sim/conformance/testing",
	"testing/synctest":              module + "sim/conformance/testing/synctest",
	"os/signal":                     module + "sim/conformance/testing/signal",
	"k8s.io/client-go/util/testing": module + "sim/conformance/testing/files",
	"k8s.io/kubernetes/cmd/kube-apiserver/app/testing": module + "sim/conformance/server",
}

// Write copies packages, such as job or apiserver/apply, to the folder into, as the module Module. Its package main is the
// program. root is the folder of kubestep, and file its module file, such as go.mod. Files that an earlier call copied, such as
// from another version of Kubernetes, and that this one does not copy are removed: otherwise a file that upstream has renamed would
// declare everything a second time.
func Write(sources Sources, root, file, into string, packages []string) error {
	c := newCopier(sources, into, Copies{Module: Module, Copied: copied, Rewrites: rewrites, changes: changes, bubble: true})
	if err := c.writeModule(root, file); err != nil {
		return err
	}
	for _, name := range packages {
		if err := c.copyTests(importPath(name)); err != nil {
			return fmt.Errorf("package %s: %w", name, err)
		}
	}
	if err := c.copyWanted(); err != nil {
		return err
	}
	if err := c.write("main.go", program(packages)); err != nil {
		return err
	}
	return c.removeOthers()
}

// copyWanted copies the packages that are imported by what is copied.
func (c *copier) copyWanted() error {
	for len(c.wanted) > 0 {
		next := c.wanted[0]
		c.wanted = c.wanted[1:]
		if err := c.copyPackage(next); err != nil {
			return fmt.Errorf("package %s: %w", next, err)
		}
	}
	return nil
}

// copier copies packages and those that they import.
type copier struct {
	Copies
	sources Sources
	into    string
	// done are the import paths that are copied or wanted, each once.
	done   map[string]bool
	wanted []string
	// written are the names of the files that belong to the copies, below the folder into.
	written map[string]bool
}

// folder is where the copy of a package is: as below the root of k8s.io/kubernetes; that of another module has a folder of its own.
func folder(importPath string) string {
	return strings.TrimPrefix(strings.TrimPrefix(importPath, "k8s.io/kubernetes/"), "k8s.io/")
}

// copyTests copies a package with its tests, and writes their table.
func (c *copier) copyTests(importPath string) error {
	c.done[importPath] = true
	var names []string
	pkg := ""
	err := c.eachFile(importPath, func(name string, text []byte) error {
		copied, file, err := c.rewrite(name, text)
		if err != nil {
			return err
		}
		// The tests outside of the package, of its package X_test, become a part of it, too.
		var external bool
		if pkg, external = strings.CutSuffix(file.Name.Name, "_test"); external {
			copied = bytes.Replace(copied, []byte("package "+file.Name.Name), []byte("package "+pkg), 1)
		}
		if strings.HasSuffix(name, "_test.go") {
			names = append(names, testsOf(file)...)
			name = strings.TrimSuffix(name, "_test.go") + "_tests.go"
		}
		return c.write(path.Join(folder(importPath), name), copied)
	})
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return fmt.Errorf("%s has no tests", importPath)
	}
	slices.Sort(names)
	return c.write(path.Join(folder(importPath), "table.go"), table(pkg, names))
}

// copyPackage copies a package that the tests import.
func (c *copier) copyPackage(importPath string) error {
	changed := c.changes[importPath]
	err := c.eachFile(importPath, func(name string, text []byte) error {
		if strings.HasSuffix(name, "_test.go") || slices.Contains(changed.without, name) {
			return nil
		}
		copied, _, err := c.rewrite(name, text)
		if err != nil {
			return err
		}
		for _, function := range changed.functions {
			receiver, name := function[:strings.LastIndex(function, " ")+1], function[strings.LastIndex(function, " ")+1:]
			copied = bytes.ReplaceAll(copied, []byte("func "+function+"("), []byte("func "+receiver+"replaced"+name+"("))
		}
		if err := c.copyEmbedded(importPath, text); err != nil {
			return err
		}
		return c.write(path.Join(folder(importPath), name), copied)
	})
	if err != nil || changed.insert == nil {
		return err
	}
	copied, _, err := c.rewrite("server.go", changed.insert)
	if err != nil {
		return err
	}
	return c.write(path.Join(folder(importPath), "server.go"), copied)
}

// eachFile calls f with the Go files of a package, and copies its other files.
func (c *copier) eachFile(importPath string, f func(name string, text []byte) error) error {
	dir := c.sources.folder(importPath)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() {
			if entry.Name() == "testdata" {
				if err := c.copyData(dir, folder(importPath), "testdata"); err != nil {
					return err
				}
			}
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name()))
		if err != nil {
			return err
		}
		if strings.HasSuffix(entry.Name(), ".go") {
			err = f(entry.Name(), text)
		} else {
			err = c.write(path.Join(folder(importPath), entry.Name()), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// embed begins the line that embeds files.
var embed = regexp.MustCompile(`(?m)^\s*//go:embed (.+)$`)

// copyEmbedded copies the folders whose files a Go file embeds. Files beside it are copied anyway.
func (c *copier) copyEmbedded(importPath string, text []byte) error {
	for _, line := range embed.FindAllSubmatch(text, -1) {
		for _, pattern := range strings.Fields(string(line[1])) {
			if below, _, found := strings.Cut(pattern, "/"); found && below != "testdata" {
				if err := c.copyData(c.sources.folder(importPath), folder(importPath), below); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// copyData copies the files of a folder, which tests read.
func (c *copier) copyData(from, to, name string) error {
	return fs.WalkDir(os.DirFS(from), name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(from, filepath.FromSlash(file)))
		if err != nil {
			return err
		}
		return c.write(path.Join(to, file), text)
	})
}

// rewrite replaces imports in a file, and asks for the packages that it imports.
func (c *copier) rewrite(name string, text []byte) ([]byte, *ast.File, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	var out strings.Builder
	last := 0
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return nil, nil, err
		}
		to, changes := c.Rewrites[imported]
		if c.isCopied(imported) {
			if !c.done[imported] {
				c.done[imported] = true
				c.wanted = append(c.wanted, imported)
			}
			to, changes = c.Module+"/"+folder(imported), true
		}
		if !changes {
			continue
		}
		begin := files.Position(spec.Path.Pos()).Offset
		out.Write(text[last:begin])
		out.WriteString(strconv.Quote(to))
		last = begin + len(spec.Path.Value)
	}
	out.Write(text[last:])
	if !c.bubble {
		return []byte(out.String()), file, nil
	}
	return []byte(strings.ReplaceAll(out.String(), "wait.NeverStop", "make(chan struct{})")), file, nil
}

// Counts are the numbers of tests of all packages with tests, by name: those of Kubernetes' test/integration, and those of
// apiextensions-apiserver.
func Counts(sources Sources) (map[string]int, error) {
	counts := map[string]int{}
	roots := map[string]string{"": sources.folder(strings.TrimSuffix(integration, "/")), Extensions: sources.folder(extensions)}
	for prefix, root := range roots {
		err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(name, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			below, err := filepath.Rel(root, filepath.Dir(name))
			if n := len(testsOf(file)); n > 0 {
				counts[path.Join(prefix, filepath.ToSlash(below))] += n
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// testsOf lists the tests of a file: functions TestXxx with one parameter, TestMain apart.
func testsOf(file *ast.File) []string {
	var names []string
	for _, declaration := range file.Decls {
		f, ok := declaration.(*ast.FuncDecl)
		if ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" &&
			f.Type.Results == nil && len(f.Type.Params.List) == 1 && isTest(f.Type.Params.List[0].Type) {
			names = append(names, f.Name.Name)
		}
	}
	return names
}

// isTest reports whether a type is written *testing.T.
func isTest(expr ast.Expr) bool {
	pointer, ok := expr.(*ast.StarExpr)
	if !ok {
		return false
	}
	selected, ok := pointer.X.(*ast.SelectorExpr)
	return ok && selected.Sel.Name == "T"
}

// write writes a file below the folder, unless it is there with the same content: the go command then need not look.
func (c *copier) write(name string, text []byte) error {
	c.written[name] = true
	file := filepath.Join(c.into, filepath.FromSlash(name))
	if changed, err := c.changed(name, text); err != nil || !changed {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if strings.HasSuffix(name, ".sh") && !strings.Contains(name, "not-executable") {
		// The module cache does not keep this.
		mode = 0o755
	}
	return os.WriteFile(file, text, mode)
}
