package docs_test

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder is a house of rooms: its own package, if it has one, and the folders below it. The tests of this file hold four rules, so
// that a reader who looks into any folder sees a dozen doors at most, and knows from where a package is used.

const (
	// maxDoors is how many folders with Go packages a folder has.
	maxDoors = 12
	// maxFiles is how many Go files a package has.
	maxFiles = 30
)

// manyFiles are the packages with more files, each with its reason.
var manyFiles = map[string]string{
	"controllers":             "a file for each family of controllers, and for what they share",
	"scenarios/language/verb": "a file for each verb",
	"sim/apiserver":           "a file for each stage of a request",
	"sim/network":             "a file for each stage of a request and of a watch, and for each thing that can go wrong there",
	"tui/command":             "a file for each command",
}

// openRooms are packages that one room alone uses and that are not below its internal folder, each with its reason.
var openRooms = map[string]string{
	"scenarios/serving/e2e/world":  "is imported by the module that the copied tests are in",
	"sim/cluster/oci":              "is what programs in Go of tests of users use",
	"sim/cluster/oci/busybox":      "is what programs in Go of tests of users use",
	"sim/conformance/process":      "is imported by the module that the copied tests are in",
	"sim/conformance/server":       "is imported by the module that the copied tests are in",
	"sim/conformance/testing":      "is imported by the module that the copied tests are in",
	"sim/conformance/upstream":     "lies beside those",
	"scenarios/language/translate": "is the inverse of the verbs, beside which it lies: who adds a verb sees it",
	"scenarios/web/playground":     "is the folder of the playground's programs, which lie below it",
}

// packageImports are the imports of the packages of this module, without the module's path. Those of tests are apart.
type packageImports struct {
	code, tests map[string][]string
}

// readImports asks the go command for them.
func readImports(t *testing.T) packageImports {
	t.Helper()
	imports := packageImports{map[string][]string{}, map[string][]string{}}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		imports.code[dir] = ours(p.Imports, dir)
		imports.tests[dir] = ours(slices.Concat(p.TestImports, p.XTestImports), dir)
	}
	return imports
}

// ours are the imports of packages of this module other than dir.
func ours(imports []string, dir string) (rest []string) {
	for _, imported := range imports {
		if below, ok := strings.CutPrefix(imported, module); ok && below != dir {
			rest = append(rest, below)
		}
	}
	return rest
}

// isProgram reports whether a folder is the module's root, or below none of its layers.
func isOutsideLayers(dir string) bool {
	top, _, _ := strings.Cut(dir, "/")
	return !slices.Contains(layers, top)
}

// TestLintDoors fails on a folder that shows more than a dozen doors, and on a package that is a bag of files.
func TestLintDoors(t *testing.T) {
	doors := map[string]map[string]bool{}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if isOutsideLayers(dir) {
			continue
		}
		if len(p.GoFiles) > maxFiles && manyFiles[dir] == "" {
			t.Errorf("%s has %d files; the limit is %d: where does its idea divide?", dir, len(p.GoFiles), maxFiles)
		}
		for child := dir; strings.Contains(child, "/"); child = path.Dir(child) {
			parent := path.Dir(child)
			if doors[parent] == nil {
				doors[parent] = map[string]bool{}
			}
			doors[parent][path.Base(child)] = true
		}
	}
	for _, parent := range slices.Sorted(maps.Keys(doors)) {
		if n := len(doors[parent]); n > maxDoors {
			t.Errorf("%s has %d doors; the limit is %d: which of them belong together? %v", parent, n, maxDoors, slices.Sorted(maps.Keys(doors[parent])))
		}
	}
}

// TestLintCircles fails on rooms of one folder that import each other, directly or through others: of two rooms, one is below.
func TestLintCircles(t *testing.T) {
	imports := readImports(t)
	// arrows are, for each folder, its rooms with the rooms that they import, and one import as an example.
	arrows := map[string]map[[2]string]string{}
	for from, imported := range imports.code {
		for _, to := range imported {
			folder, a, b := whereTheyPart(from, to)
			if folder == "" {
				continue
			}
			if arrows[folder] == nil {
				arrows[folder] = map[[2]string]string{}
			}
			arrows[folder][[2]string{a, b}] = from + " imports " + to
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(arrows)) {
		for arrow, example := range arrows[folder] {
			if reaches(arrows[folder], arrow[1], arrow[0], map[string]bool{}) {
				t.Errorf("the rooms %s and %s of %s import each other: %s", arrow[0], arrow[1], folder, example)
			}
		}
	}
}

// whereTheyPart is the deepest folder that holds both packages, with the rooms of it in which they are; "." is the folder's own
// package. The rooms of an internal folder count as those of the folder around it. It is "" for packages of two layers.
func whereTheyPart(from, to string) (folder, a, b string) {
	x, y := strings.Split(withoutInternal(from), "/"), strings.Split(withoutInternal(to), "/")
	n := 0
	for n < len(x) && n < len(y) && x[n] == y[n] {
		n++
	}
	if n == 0 || isOutsideLayers(from) {
		return "", "", ""
	}
	room := func(of []string) string {
		if len(of) == n {
			return "."
		}
		return of[n]
	}
	return strings.Join(x[:n], "/"), room(x), room(y)
}

func withoutInternal(dir string) string { return strings.ReplaceAll(dir, "/internal", "") }

// reaches reports whether the arrows lead from one room to another.
func reaches(arrows map[[2]string]string, from, to string, seen map[string]bool) bool {
	if from == to {
		return true
	}
	seen[from] = true
	for arrow := range arrows {
		if arrow[0] == from && !seen[arrow[1]] && reaches(arrows, arrow[1], to, seen) {
			return true
		}
	}
	return false
}

// TestLintInternal fails on a package that a single room uses and that all others can import. Go lets a package be imported from the
// folder around internal only, so what two layers use cannot be internal: docs/reference/stability.md says what is meant for others.
func TestLintInternal(t *testing.T) {
	imports := readImports(t)
	users := map[string]map[string]bool{}
	for _, by := range []map[string][]string{imports.code, imports.tests} {
		for from, imported := range by {
			for _, to := range imported {
				if users[to] == nil {
					users[to] = map[string]bool{}
				}
				users[to][from] = true
			}
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(users)) {
		room := roomOf(slices.Collect(maps.Keys(users[dir])))
		inside := strings.Contains(dir+"/", "/internal/")
		alone := strings.Contains(room, "/") || room == "tui"
		switch {
		case !alone || inside || dir == room || strings.HasPrefix(room, dir+"/") || openRooms[dir] != "" || layer(room) != layer(dir):
		default:
			t.Errorf("%s is used by %s alone: it belongs below %s/internal", dir, room, room)
		}
	}
}

// roomOf is the deepest folder that holds all packages; "" if there is none.
func roomOf(packages []string) string {
	room := packages[0]
	for _, p := range packages[1:] {
		for room != "" && p != room && !strings.HasPrefix(p, room+"/") {
			room, _ = path.Split(room)
			room = strings.TrimSuffix(room, "/")
		}
	}
	return strings.TrimSuffix(room, "/internal")
}

// TestLintLanguage keeps the packages that read a scenario apart from the simulation: they run in editors and in tools that look at
// files. Of what is below they know the table of kinds, the border, and how globs match.
func TestLintLanguage(t *testing.T) {
	for _, p := range packagesOf(t, module+"scenarios/language/...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if slices.Contains([]string{"verb", "translate", "snapshot", "expr"}, strings.Split(dir, "/")[2]) {
			continue // What these say is about the objects and the requests of a run.
		}
		for _, below := range ours(p.Imports, dir) {
			known := []string{"sim/kinds", "sim/trace/file/input", "sim/cluster/glob"}
			if !strings.HasPrefix(below, "scenarios/language/") && !slices.Contains(known, below) {
				t.Errorf("%s imports %s; it knows no simulation", dir, below)
			}
		}
	}
}

// TestLintArchitecture fails on a door that architecture.md does not name: a folder in one of the layers. What is behind a door is in
// docs/reference/packages.md, which is made of the packages' comments.
func TestLintArchitecture(t *testing.T) {
	page, err := os.ReadFile("explanation/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		door := strings.Join(strings.SplitN(dir, "/", 3)[:min(2, strings.Count(dir, "/")+1)], "/")
		if known := isOutsideLayers(dir) || path.Base(door) == "internal"; !known && !strings.Contains(string(page), "`"+door+"`") {
			t.Errorf("docs/explanation/architecture.md does not say what %s contains", door)
		}
	}
}

// TestLintGolden keeps what only tests need out of the program.
func TestLintGolden(t *testing.T) {
	for _, p := range packagesOf(t, module+"...") {
		if slices.Contains(p.Imports, module+"sim/simtest/golden") {
			t.Errorf("%s imports sim/simtest/golden, which is for tests", p.ImportPath)
		}
	}
}

// TestLintPackages fails on a package that does not say in a comment what its idea is. How long a package may be is no rule: it
// divides where its idea divides.
func TestLintPackages(t *testing.T) {
	const minComment = 100
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if len(p.GoFiles) == 0 || dir == p.ImportPath {
			continue
		}
		comment := ""
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", dir, file), nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			comment += parsed.Doc.Text()
		}
		if len(comment) < minComment {
			t.Errorf("%s: the package comment says too little: %q", dir, comment)
		}
	}
}

// TestLintNames fails on two packages of one name: a reader of an import, of a stack or of a profile cannot tell them apart. Folders
// that hold only tests have no package that anybody imports.
func TestLintNames(t *testing.T) {
	first := map[string]string{}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if len(p.GoFiles) == 0 {
			continue
		}
		names := []string{path.Base(dir)}
		if p.Name != "main" && p.Name != names[0] {
			names = append(names, p.Name)
		}
		for _, name := range names {
			if other := first[name]; other != "" {
				t.Errorf("%s and %s are both named %s: rename the one that fewer packages import", other, dir, name)
			}
			first[name] = dir
		}
	}
}

// packagesOf asks the go command for packages.
func packagesOf(t *testing.T, pattern string) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Imports,TestImports,XTestImports,GoFiles", pattern).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []listed
	for decoder := json.NewDecoder(strings.NewReader(string(out))); decoder.More(); {
		var p listed
		if err := decoder.Decode(&p); err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
	return packages
}
