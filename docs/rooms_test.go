package docs_test

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// rooms are the packages of scenarios/ from the bottom up; a package may import those in front of it, and no other.
var rooms = []string{
	"scenarios/cli/version", "scenarios/plugin", "scenarios/cli/interrupt", "scenarios/cli/output", "scenarios/cli/limits", "scenarios/cli/sandbox", "scenarios/language/spelling",
	"scenarios/language/source", "scenarios/language/notation", "scenarios/language/annotation", "scenarios/language/definition", "scenarios/language/manifest", "scenarios/language/format", "scenarios/language/expr/internal/changes", "scenarios/language/expr/internal/plan", "scenarios/language/expr",
	"scenarios/language/verb", "scenarios/language/translate", "scenarios", "scenarios/library", "scenarios/reading/glossary", "scenarios/verdict/liveness", "scenarios/verdict/invariant", "scenarios/language/snapshot",
	"scenarios/runner", "scenarios/explore/builds", "scenarios/reading/compare", "scenarios/explore/space", "scenarios/explore/child", "scenarios/explore/verify", "scenarios/explore/branch",
	"scenarios/reading/rollout", "scenarios/reading/why", "scenarios/reading/components", "scenarios/web/browsertest", "scenarios/web/page", "scenarios/web/picture",
	"scenarios/web/playground", "scenarios/web/playground/wasm", "scenarios/web/playground/assemble",
	"scenarios/explore/shrink", "scenarios/scenariotest/internal/perturb",
	"scenarios/explore/sweep", "scenarios/scenariotest", "scenarios/incident/auditlog", "scenarios/shell", "scenarios/command", "scenarios/explore/builds/upgrade", "scenarios/explore/builds/bisect", "scenarios/incident", "scenarios/serving/internal/session", "scenarios/serving/control", "scenarios/serving", "scenarios/web/playground/site",
	"scenarios/performance",
}

// withoutSimulation are the packages that read a scenario. Of what is below they know the table of kinds only.
var withoutSimulation = rooms[slices.Index(rooms, "scenarios/language/spelling") : slices.Index(rooms, "scenarios/language/format")+1]

// TestLintRooms holds the layers inside scenarios/.
func TestLintRooms(t *testing.T) {
	for _, p := range packagesOf(t, module+"scenarios/...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		height := slices.Index(rooms, dir)
		if height < 0 {
			t.Errorf("%s has no place among the layers of scenarios/: put it into the list of this test", dir)
		}
		for _, imported := range p.Imports {
			below, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			if other := slices.Index(rooms, below); other > height {
				t.Errorf("%s imports %s, which is a layer above it", dir, below)
			}
			outside := !strings.HasPrefix(below, "scenarios")
			if slices.Contains(withoutSimulation, dir) && outside && below != "sim/kinds" && below != "sim/trace/file/input" {
				t.Errorf("%s imports %s; it knows no simulation", dir, below)
			}
		}
	}
}

// TestLintArchitecture fails on a package that architecture.md does not name: by its path, or by its last element in the row of a
// package above it. Families of packages with one purpose need no row for each.
func TestLintArchitecture(t *testing.T) {
	page, err := os.ReadFile("explanation/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	families := []string{"controllers/explain", "sim/conformance"}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		top, _, _ := strings.Cut(dir, "/")
		known := !slices.Contains(layers, top) || top == "docs" || underAny(dir, families)
		if !known && !strings.Contains(string(page), "`"+dir+"`") && !strings.Contains(string(page), "`"+path.Base(dir)+"`") {
			t.Errorf("docs/explanation/architecture.md does not say what %s is for", dir)
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

// packagesOf asks the go command for packages.
func packagesOf(t *testing.T, pattern string) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,GoFiles", pattern).Output()
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
