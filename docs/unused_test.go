package docs_test

import (
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A declaration is used if the program, a test, or what is meant for others reaches it. golang.org/x/tools/cmd/deadcode would read all of
// Kubernetes to find that out. This test reads our own code only, and the types of Kubernetes from the build cache: it follows names from
// declaration to declaration. A method counts as reached if its type is, and any interface has a method of that name.

// meantForOthers are the packages whose exported names are reached from outside: docs/reference/stability.md.
var meantForOthers = []string{
	"sim/simtest", "scenarios/scenariotest", "controllers", "controllers/external", "tui/command",
}

// standIns are the folders of packages against which Kubernetes' own tests are compiled, in place of testing and others.
var standIns = []string{"sim/conformance/testing", "sim/conformance/server", "sim/conformance/process", "scenarios/serving/e2e/world"}

// isMeantForOthers reports whether a package is one of them.
func isMeantForOthers(dir string) bool {
	return slices.Contains(meantForOthers, dir) || isUnderAny(withoutInternal(dir), standIns)
}

// unusedButKept are declarations that nothing reaches, each with its reason.
var unusedButKept = map[string]string{
	"CancelRequest": "client-go and net/http look for it by an interface without a name",
}

// program is the code of this module, with types.
type program struct {
	files *token.FileSet
	// uses are the declarations that a declaration names; methods are those of a type.
	uses    map[types.Object][]types.Object
	methods map[types.Object][]types.Object
	where   map[types.Object]string
	roots   []types.Object
	// called are the names of the methods of all interfaces.
	called map[string]bool
	// parsed are the files that were read with types.
	parsed map[string]bool
}

// built is what the go command says of a package.
type built struct {
	Dir, ImportPath, Export string
	Module                  *struct{ Main bool }
	GoFiles                 []string
}

// TestLintUnused fails on a function, type, method, variable or constant that nothing uses.
func TestLintUnused(t *testing.T) {
	p := loadProgram(t)
	p.roots = append(p.roots, p.usedElsewhere(t)...)
	reached := map[types.Object]bool{}
	for todo := p.roots; len(todo) > 0; {
		object := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if reached[object] {
			continue
		}
		reached[object] = true
		todo = append(todo, p.uses[object]...)
		for _, method := range p.methods[object] {
			if p.called[method.Name()] {
				todo = append(todo, method)
			}
		}
	}
	if len(reached) < 5000 {
		t.Errorf("only %d declarations are reached", len(reached))
	}
	var unused []string
	for object, place := range p.where {
		if !reached[object] && unusedButKept[object.Name()] == "" {
			unused = append(unused, place+": nothing uses "+object.Name())
		}
	}
	slices.Sort(unused)
	for _, line := range unused {
		t.Error(line)
	}
}

// loadProgram checks the types of all packages of this module. Those of others come from what the build has compiled.
func loadProgram(t *testing.T) *program {
	t.Helper()
	p := &program{
		files: token.NewFileSet(), uses: map[types.Object][]types.Object{}, methods: map[types.Object][]types.Object{},
		where: map[types.Object]string{}, called: map[string]bool{}, parsed: map[string]bool{},
	}
	own, exports := listBuilt(t)
	foreign := importer.ForCompiler(p.files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	checked := map[string]*types.Package{}
	all := importerFunc(func(path string) (*types.Package, error) {
		if checked[path] != nil {
			return checked[path], nil
		}
		return foreign.Import(path)
	})
	for _, pkg := range own { // go list -deps lists a package after those that it imports
		var files []*ast.File
		for _, name := range pkg.GoFiles {
			path := filepath.Join(pkg.Dir, name)
			file, err := parser.ParseFile(p.files, path, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			p.parsed[path] = true
			files = append(files, file)
		}
		info := &types.Info{Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}}
		config := types.Config{Importer: all, Error: func(error) {}}
		checked[pkg.ImportPath], _ = config.Check(pkg.ImportPath, p.files, files, info)
		for _, file := range files {
			p.collect(pkg, file, info)
		}
	}
	seen := map[*types.Package]bool{}
	for _, pkg := range checked {
		p.interfaces(pkg, seen)
	}
	return p
}

type importerFunc func(path string) (*types.Package, error)

// Import implements types.Importer.
func (f importerFunc) Import(path string) (*types.Package, error) { return f(path) }

// listBuilt asks the go command for our packages, and for the files with the types of all others.
func listBuilt(t *testing.T) (own []built, exports map[string]string) {
	t.Helper()
	out := output(t, "go", "list", "-export", "-deps", "-json=Dir,ImportPath,Export,Module,GoFiles", module+"...")
	exports = map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var pkg built
		if err := decoder.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		if pkg.Module != nil && pkg.Module.Main {
			own = append(own, pkg)
		} else {
			exports[pkg.ImportPath] = pkg.Export
		}
	}
	return own, exports
}

// collect notes what each declaration of a file is called and uses.
func (p *program) collect(pkg built, file *ast.File, info *types.Info) {
	dir := strings.TrimPrefix(pkg.ImportPath, module)
	for _, declaration := range file.Decls {
		switch d := declaration.(type) {
		case *ast.FuncDecl:
			object, ok := info.Defs[d.Name].(*types.Func)
			if !ok {
				continue
			}
			linked := d.Doc != nil && strings.Contains(d.Doc.Text()+raw(d.Doc), "//go:")
			entry := d.Recv == nil && (d.Name.Name == "init" || d.Name.Name == "main" && file.Name.Name == "main")
			p.declare(dir, object, d, info, linked || entry || d.Body == nil)
			if receiver := object.Signature().Recv(); receiver != nil {
				if of := typeName(receiver.Type()); of != nil {
					p.methods[of] = append(p.methods[of], object)
					p.uses[object] = append(p.uses[object], of)
				}
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				switch s := spec.(type) {
				case *ast.TypeSpec:
					p.declare(dir, info.Defs[s.Name], s, info, false)
				case *ast.ValueSpec:
					for _, name := range s.Names {
						// var _ Interface = x asserts, and uses nothing; a variable that is linked to another package has a comment.
						p.declare(dir, info.Defs[name], s, info, isMember(info.Defs[name]) || d.Doc != nil && strings.Contains(raw(d.Doc), "//go:linkname"))
					}
				}
			}
		}
	}
}

// isMember reports whether a constant is one of the values of a type of its package, which are there for the others' sake.
func isMember(object types.Object) bool {
	constant, ok := object.(*types.Const)
	if !ok {
		return false
	}
	of, ok := constant.Type().(*types.Named)
	return ok && of.Obj().Pkg() == constant.Pkg()
}

// raw are the lines of a comment with its directives.
func raw(comments *ast.CommentGroup) string {
	var lines []string
	for _, comment := range comments.List {
		lines = append(lines, comment.Text)
	}
	return strings.Join(lines, "\n")
}

func (p *program) declare(dir string, object types.Object, node ast.Node, info *types.Info, root bool) {
	if object == nil || object.Name() == "_" {
		return
	}
	if object.Name() != "init" {
		position := p.files.Position(object.Pos())
		p.where[object] = filepath.ToSlash(filepath.Join(dir, filepath.Base(position.Filename))) + ":" + strconv.Itoa(position.Line)
	}
	if root || object.Exported() && isMeantForOthers(dir) {
		p.roots = append(p.roots, object)
	}
	ast.Inspect(node, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			if used := origin(info.Uses[name]); used != nil && used != object {
				p.uses[object] = append(p.uses[object], used)
			}
		}
		return true
	})
}

// origin is a declaration itself, and not an instance of it.
func origin(object types.Object) types.Object {
	switch o := object.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return object
}

// typeName is the declaration of the type of a receiver.
func typeName(t types.Type) types.Object {
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok {
		return named.Origin().Obj()
	}
	return nil
}

// interfaces collects the names of the methods of all interfaces of a package and of those that it imports.
func (p *program) interfaces(pkg *types.Package, seen map[*types.Package]bool) {
	if pkg == nil || seen[pkg] {
		return
	}
	seen[pkg] = true
	for _, name := range pkg.Scope().Names() {
		if declared, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
			if of, ok := declared.Type().Underlying().(*types.Interface); ok {
				for i := range of.NumMethods() {
					p.called[of.Method(i).Name()] = true
				}
			}
		}
	}
	for _, imported := range pkg.Imports() {
		p.interfaces(imported, seen)
	}
}

// usedElsewhere are the declarations that Go files use which are not part of this build: tests, other platforms and versions, other
// modules. They are read without types: a name in such a file is a use of what its package, or one that it imports, declares by that name.
func (p *program) usedElsewhere(t *testing.T) (used []types.Object) {
	t.Helper()
	declared := map[string]map[string][]types.Object{}
	for object := range p.where {
		dir := strings.TrimPrefix(object.Pkg().Path(), module)
		if declared[dir] == nil {
			declared[dir] = map[string][]types.Object{}
		}
		declared[dir][object.Name()] = append(declared[dir][object.Name()], object)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && path != root && (strings.HasPrefix(entry.Name(), ".") || entry.Name() == "node_modules" || entry.Name() == "bin"):
			return filepath.SkipDir
		case entry.IsDir() || p.parsed[path] || filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(p.files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return nil // a part of a file, in testdata
		}
		relative, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		folders := []string{filepath.ToSlash(relative)}
		for _, imported := range file.Imports {
			folders = append(folders, strings.TrimPrefix(strings.Trim(imported.Path.Value, `"`), module))
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if name, ok := n.(*ast.Ident); ok {
				for _, folder := range folders {
					used = append(used, declared[folder][name.Name]...)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}
