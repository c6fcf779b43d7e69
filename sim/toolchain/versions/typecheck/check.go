package main

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A checker checks packages, each after those that it imports.
type checker struct {
	files    *token.FileSet
	packages map[string]*types.Package
	// lacking says of packages that cannot be imported why.
	lacking map[string]string
	// problems are what a build would fail with, with its place.
	problems []string
	// linknames are the lines of kubestep that reach into another package, by their place.
	linknames map[string]linkname
	// seams are the files with a build tag for versions, with what they use of Kubernetes.
	seams map[string][]string
}

// A linkname is a //go:linkname of one of kubestep's variables or functions.
type linkname struct {
	local  types.Object
	target string
}

// newChecker returns a checker that takes the packages of Go itself from standard, and puts them there: no version of Kubernetes
// changes them.
func newChecker(standard map[string]*types.Package) *checker {
	return &checker{
		files: token.NewFileSet(), packages: maps.Clone(standard), lacking: map[string]string{},
		linknames: map[string]linkname{}, seams: map[string][]string{},
	}
}

// importer resolves the imports of one package.
type importer struct {
	*checker
	renamed map[string]string
}

// Import implements types.Importer.
func (i importer) Import(path string) (*types.Package, error) {
	if to, ok := i.renamed[path]; ok {
		path = to
	}
	if p := i.packages[path]; p != nil && p.Name() != "" {
		return p, nil
	}
	return nil, errors.New(cmp.Or(i.lacking[path], "it has errors"))
}

// check checks a package. Errors in packages of other modules are not reported: they compile where they come from.
func (c *checker) check(p listed) {
	if c.packages[p.ImportPath] != nil {
		return
	}
	mode := parser.SkipObjectResolution
	if p.own() {
		mode |= parser.ParseComments
	}
	var files []*ast.File
	for _, name := range p.GoFiles {
		file, err := parser.ParseFile(c.files, filepath.Join(p.Dir, name), nil, mode)
		if err != nil && p.own() {
			c.problems = append(c.problems, err.Error())
		}
		if file != nil {
			files = append(files, file)
		}
	}
	config := types.Config{
		Importer: importer{c, p.ImportMap}, IgnoreFuncBodies: !p.own(), FakeImportC: true,
		Sizes: types.SizesFor("gc", "amd64"),
		Error: func(err error) {
			if p.own() {
				c.problems = append(c.problems, relative(err.Error()))
			}
		},
	}
	info := &types.Info{}
	if p.own() {
		info.Uses, info.Types = map[*ast.Ident]types.Object{}, map[ast.Expr]types.TypeAndValue{}
	}
	c.packages[p.ImportPath], _ = config.Check(p.ImportPath, c.files, files, info)
	if p.own() {
		for _, file := range files {
			c.collect(file, c.packages[p.ImportPath], info)
			c.checkFields(file, info)
		}
	}
}

// relative shortens the paths in an error to those below the current folder.
func relative(text string) string {
	if folder, err := os.Getwd(); err == nil {
		return strings.ReplaceAll(text, folder+string(filepath.Separator), "")
	}
	return text
}

// collect notes the linknames of a file, and what it uses of Kubernetes if it is for certain versions.
func (c *checker) collect(file *ast.File, in *types.Package, info *types.Info) {
	seam := false
	for _, group := range file.Comments {
		for _, comment := range group.List {
			if fields := strings.Fields(comment.Text); len(fields) == 3 && fields[0] == "//go:linkname" {
				c.linknames[relative(c.files.Position(comment.Pos()).String())] = linkname{in.Scope().Lookup(fields[1]), fields[2]}
			}
			seam = seam || comment.Pos() < file.Package && constraint.IsGoBuild(comment.Text) &&
				(strings.Contains(comment.Text, "kubernetes_before_") || strings.Contains(comment.Text, "kubernetes_since_"))
		}
	}
	if !seam {
		return
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if name, ok := n.(*ast.Ident); ok {
			object := info.Uses[name]
			if _, isImport := object.(*types.PkgName); object == nil || isImport || object.Pkg() == nil {
				return true
			}
			if path := object.Pkg().Path(); strings.HasPrefix(path, "k8s.io/") {
				used[path+" "+described(object)] = true
			}
		}
		return true
	})
	c.seams[relative(c.files.Position(file.Package).Filename)] = slices.Sorted(maps.Keys(used))
}

// described is the name of an object; of a method, with that of its receiver.
func described(object types.Object) string {
	if f, ok := object.(*types.Func); ok {
		if receiver := f.Signature().Recv(); receiver != nil {
			return types.TypeString(receiver.Type(), func(*types.Package) string { return "" }) + "." + f.Name()
		}
	}
	if v, ok := object.(*types.Var); ok && v.IsField() {
		return "field " + v.Name()
	}
	return object.Name()
}

// checkLinknames looks for what linknames reach: a linker takes a variable that does not exist for a new one, which is nil.
func (c *checker) checkLinknames() {
	for _, place := range slices.Sorted(maps.Keys(c.linknames)) {
		link := c.linknames[place]
		dot := strings.LastIndex(link.target, ".")
		method := strings.Index(link.target, ".(*")
		if method >= 0 {
			c.checkMethod(place, link, link.target[:method], link.target[method+len(".(*"):])
			continue
		}
		if dot < 0 || link.local == nil || !strings.Contains(link.target[:dot], "/") || !strings.Contains(link.target[:dot], ".") {
			continue // of Go's own packages, or the name that another package reaches
		}
		target := c.packages[link.target[:dot]]
		if target == nil {
			c.problems = append(c.problems, fmt.Sprintf("%s: linkname: there is no package %s", place, link.target[:dot]))
			continue
		}
		there := target.Scope().Lookup(link.target[dot+1:])
		if there == nil || !fits(link.local.Type(), there.Type()) {
			c.problems = append(c.problems, fmt.Sprintf("%s: linkname: package %s has no %s of type %s",
				place, target.Path(), link.target[dot+1:], link.local.Type()))
		}
	}
}

// checkMethod looks for a method, T).M of a package, that a linkname reaches as a function.
func (c *checker) checkMethod(place string, link linkname, of, name string) {
	receiver, method, _ := strings.Cut(name, ").")
	if target := c.packages[of]; target != nil && link.local != nil {
		if t := target.Scope().Lookup(receiver); t != nil {
			ours, ok := link.local.Type().(*types.Signature)
			theirs, _, _ := types.LookupFieldOrMethod(t.Type(), true, target, method)
			if f, isMethod := theirs.(*types.Func); ok && isMethod && ours.Params().Len() == f.Signature().Params().Len()+1 {
				return
			}
		}
	}
	c.problems = append(c.problems, fmt.Sprintf("%s: linkname: package %s has no method %s of %s", place, of, method, receiver))
}

// fits reports whether a variable of one type may stand for one of another. A type of an internal package cannot be named, so a
// struct with the same fields stands for it, or an interface with the same methods.
func fits(ours, theirs types.Type) bool {
	if types.Identical(ours, theirs) {
		return true
	}
	switch a := ours.(type) {
	case *types.Basic: // unsafe.Pointer stands for a pointer to what cannot be named
		_, ok := theirs.(*types.Pointer)
		return ok && a.Kind() == types.UnsafePointer
	case *types.Pointer:
		b, ok := theirs.(*types.Pointer)
		return ok && fits(a.Elem(), b.Elem())
	case *types.Slice:
		b, ok := theirs.(*types.Slice)
		return ok && fits(a.Elem(), b.Elem())
	case *types.Chan:
		b, ok := theirs.(*types.Chan)
		return ok && a.Dir() == b.Dir() && fits(a.Elem(), b.Elem())
	case *types.Signature:
		b, ok := theirs.(*types.Signature)
		return ok && fitsAll(a.Params(), b.Params()) && fitsAll(a.Results(), b.Results())
	}
	if types.IsInterface(ours) {
		return types.Identical(ours.Underlying(), theirs.Underlying())
	}
	a, ok := ours.Underlying().(*types.Struct)
	b, both := theirs.Underlying().(*types.Struct)
	if !ok || !both || a.NumFields() != b.NumFields() {
		return false
	}
	for i := range a.NumFields() {
		if a.Field(i).Name() != b.Field(i).Name() || !types.Identical(a.Field(i).Type(), b.Field(i).Type()) {
			return false
		}
	}
	return true
}

// fitsAll reports whether each of some parameters fits.
func fitsAll(ours, theirs *types.Tuple) bool {
	if ours.Len() != theirs.Len() {
		return false
	}
	for i := range ours.Len() {
		if !fits(ours.At(i).Type(), theirs.At(i).Type()) {
			return false
		}
	}
	return true
}
