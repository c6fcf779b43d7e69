package docs_test

import (
	"encoding/json"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// public is a package that is meant for other modules: docs/reference/stability.md.
type public struct {
	// dir is its folder. Where own is set, that is the folder of a module.
	dir string
	own bool
	// only are the names that are meant for others; nil means all that are exported.
	only []string
	// values leaves out methods and functions: what is stable is the form of the data.
	values bool
}

var publicPackages = []public{
	{dir: "sim/simtest"},
	{dir: "sim/trace", only: []string{"Record"}, values: true},
	{dir: "sim/trace/attempt", only: []string{"Attempt"}, values: true},
	{dir: "sim/trace/diff", only: []string{"Change"}, values: true},
	{dir: "sim/trace/review", only: []string{"Review"}, values: true},
	{dir: "scenarios/scenariotest"},
	{dir: "scenarios/scenariotest/ctrltest", own: true},
	{dir: "controllers", only: []string{"Builtin", "Clients", "Component", "Custom"}},
	{dir: "controllers/external"},
	{dir: "controllers/external/ctrlmain", own: true},
	{dir: "tui/command", only: []string{"Main", "Options"}},
}

// surface is what a package shows to others.
type surface struct {
	public
	pkg   *types.Package
	lines []string
	// foreign are the types that others cannot name or should not, each with the line that has it.
	foreign map[string]string
	// named are the names of this package that lines use.
	named map[string]bool
}

// TestFreshAPI compares docs/api.txt with what the packages that are meant for others export.
func TestFreshAPI(t *testing.T) {
	var lines []string
	for _, s := range surfaces(t) {
		lines = append(lines, s.lines...)
	}
	slices.Sort(lines)
	text := strings.Join(slices.Compact(lines), "\n") + "\n"
	golden.Compare(t, "api.txt", text)
	if t.Failed() {
		t.Log("api.txt is what other modules build on. A line that goes or changes breaks them: say so in .github/CHANGELOG.md, below " +
			"Changed or Removed, with what to do (docs/reference/stability.md). A new line is a promise to keep it")
	}
}

// TestLintAPI fails on a type in the surface of a package that is not meant for others.
func TestLintAPI(t *testing.T) {
	for _, s := range surfaces(t) {
		for _, name := range slices.Sorted(maps.Keys(s.foreign)) {
			t.Errorf("%s exposes %s, which is not meant for others: give the package a small type of its own\n\t%s", s.dir, name, s.foreign[name])
		}
	}
}

// TestLintStability fails on a package, or on one of its chosen names, that stability.md does not list.
func TestLintStability(t *testing.T) {
	page, err := os.ReadFile("reference/stability.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range publicPackages {
		_, row, found := strings.Cut(string(page), "\n| `"+p.dir+"` | ")
		row, _, _ = strings.Cut(row, "\n")
		if !found {
			t.Errorf("docs/reference/stability.md does not list %s", p.dir)
		}
		for _, name := range p.only {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("docs/reference/stability.md does not say that %s of %s is meant for others", name, p.dir)
			}
		}
	}
}

// surfaces reads the types of all public packages from what the go command has compiled.
func surfaces(t *testing.T) []*surface {
	t.Helper()
	var all []*surface
	var ours []string
	for _, p := range publicPackages {
		if !p.own {
			ours = append(ours, "./"+p.dir)
		}
	}
	exports := map[string]map[string]string{}
	for _, p := range publicPackages {
		folder, patterns := "..", ours
		if p.own {
			folder, patterns = filepath.Join("..", p.dir), []string{"."}
		}
		if exports[folder] == nil {
			exports[folder] = exportsOf(t, folder, patterns)
		}
		files := exports[folder]
		read := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) { return os.Open(files[path]) })
		pkg, err := read.Import(module + p.dir)
		if err != nil {
			t.Fatal(err)
		}
		s := &surface{public: p, pkg: pkg, foreign: map[string]string{}, named: map[string]bool{}}
		s.collect()
		all = append(all, s)
	}
	return all
}

// exportsOf are the files with the types of the packages that a folder needs. They are compiled if they are not yet.
func exportsOf(t *testing.T, folder string, patterns []string) map[string]string {
	t.Helper()
	command := exec.Command("go", append([]string{"list", "-export", "-deps", "-json=ImportPath,Export"}, patterns...)...)
	command.Dir = folder
	var problem strings.Builder
	command.Stderr = &problem
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list in %s: %v\n%s", folder, err, problem.String())
	}
	files := map[string]string{}
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var pkg built
		if err := decoder.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		files[pkg.ImportPath] = pkg.Export
	}
	return files
}

// collect writes a line for each name, and for the names that those have in their types.
func (s *surface) collect() {
	todo := slices.Clone(s.only)
	if todo == nil {
		todo = slices.DeleteFunc(s.pkg.Scope().Names(), func(name string) bool { return !token.IsExported(name) })
	}
	for done := map[string]bool{}; len(todo) > 0; {
		name := todo[0]
		todo = todo[1:]
		if done[name] {
			continue
		}
		done[name] = true
		s.declare(s.pkg.Scope().Lookup(name))
		todo = append(todo, slices.Sorted(maps.Keys(s.named))...)
		clear(s.named)
	}
}

func (s *surface) declare(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		s.line("const "+o.Name()+" "+s.text(o.Type())+" = "+o.Val().ExactString(), o.Type())
	case *types.Var:
		s.line("var "+o.Name()+" "+s.text(o.Type()), o.Type())
	case *types.Func:
		s.line("func "+o.Name()+strings.TrimPrefix(s.text(o.Type()), "func"), o.Type())
	case *types.TypeName:
		s.declareType(o)
	}
}

func (s *surface) declareType(o *types.TypeName) {
	if o.IsAlias() {
		right := types.Unalias(o.Type())
		s.line("type "+o.Name()+" = "+s.text(right), right)
		return
	}
	named := o.Type().(*types.Named)
	switch under := named.Underlying().(type) {
	case *types.Struct:
		s.line("type "+o.Name()+" struct", nil)
		for field := range under.Fields() {
			if field.Exported() {
				prefix := "type " + o.Name() + " struct, "
				if field.Embedded() {
					prefix += "embedded "
				}
				s.line(prefix+field.Name()+" "+s.text(field.Type()), field.Type())
			}
		}
	case *types.Interface:
		s.line("type "+o.Name()+" interface", nil)
		for method := range under.Methods() {
			s.line("type "+o.Name()+" interface, "+method.Name()+strings.TrimPrefix(s.text(method.Type()), "func"), method.Type())
		}
		return
	case *types.Signature:
		if s.exposes(under) {
			s.line("type "+o.Name()+" "+s.text(under), under)
		} else {
			s.line("type "+o.Name()+" func", nil) // An option: what it changes is private.
		}
	default:
		s.line("type "+o.Name()+" "+s.text(under), under)
	}
	if s.values {
		return
	}
	methods := types.NewMethodSet(types.NewPointer(named))
	for selection := range methods.Methods() {
		method := selection.Obj()
		if method.Exported() {
			receiver := s.text(method.(*types.Func).Signature().Recv().Type())
			s.line("method ("+receiver+") "+method.Name()+strings.TrimPrefix(s.text(method.Type()), "func"), method.Type())
		}
	}
}

// exposes reports whether all parameters of a function can be named outside.
func (s *surface) exposes(f *types.Signature) bool {
	for v := range f.Params().Variables() {
		if pointer, ok := v.Type().(*types.Pointer); ok {
			if named, ok := pointer.Elem().(*types.Named); ok && named.Obj().Pkg() == s.pkg && !named.Obj().Exported() {
				return false
			}
		}
	}
	return true
}

func (s *surface) text(of types.Type) string {
	return types.TypeString(of, func(p *types.Package) string {
		if p == s.pkg {
			return ""
		}
		return p.Path()
	})
}

func (s *surface) line(text string, of types.Type) {
	text = "pkg " + s.dir + ", " + text
	s.lines = append(s.lines, text)
	if of != nil {
		s.check(of, text)
	}
}

// check notes the named types in a type.
func (s *surface) check(of types.Type, line string) {
	switch of := of.(type) {
	case *types.Named:
		s.checkName(of.Obj(), line)
		for argument := range of.TypeArgs().Types() {
			s.check(argument, line)
		}
	case *types.Alias:
		s.check(types.Unalias(of), line)
	case *types.Pointer:
		s.check(of.Elem(), line)
	case *types.Slice:
		s.check(of.Elem(), line)
	case *types.Array:
		s.check(of.Elem(), line)
	case *types.Chan:
		s.check(of.Elem(), line)
	case *types.Map:
		s.check(of.Key(), line)
		s.check(of.Elem(), line)
	case *types.Signature:
		for v := range of.Params().Variables() {
			s.check(v.Type(), line)
		}
		for v := range of.Results().Variables() {
			s.check(v.Type(), line)
		}
	case *types.Struct:
		for field := range of.Fields() {
			s.check(field.Type(), line)
		}
	case *types.Interface:
		for method := range of.Methods() {
			s.check(method.Type(), line)
		}
	}
}

func (s *surface) checkName(name *types.TypeName, line string) {
	if name.Pkg() == nil {
		return
	}
	path := name.Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	switch {
	case name.Pkg() == s.pkg:
		if name.Exported() {
			s.named[name.Name()] = true
		} else {
			s.foreign[fmt.Sprintf("the unexported type %s", name.Name())] = line
		}
	case !strings.Contains(first, "."), first == "k8s.io", first == "sigs.k8s.io":
	case slices.ContainsFunc(publicPackages, func(p public) bool {
		return module+p.dir == path && (p.only == nil || slices.Contains(p.only, name.Name()))
	}):
	default:
		s.foreign[path+"."+name.Name()] = line
	}
}
