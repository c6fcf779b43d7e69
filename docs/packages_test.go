package docs_test

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/simtest/golden"
)

const packagesHead = `# The packages

The packages of kubestep, each with the first sentence of its package comment, which ` + "`go doc`" + ` shows in full. A folder has a dozen doors at
most; what only one of them needs is below its folder ` + "`internal`" + `. [How kubestep is built](../explanation/architecture.md) says how they
work together, and [stability](stability.md) which of them are meant for programs of others.
`

// chapters are the layers from the top down, as a reader meets them, each with what it is.
var chapters = []struct{ dir, is string }{
	{"tui", "The terminal: the commands, and the screens of `kubestep open`"},
	{"scenarios", "Scenarios: what a file may say, one run and many runs, what they tell"},
	{"controllers", "The controllers of Kubernetes, and why they do what they do"},
	{"sim", "The simulation: virtual time, API server, network, trace"},
}

// TestPackagesPageIsFresh compares docs/reference/packages.md with the package comments; -rewrite makes it again.
func TestPackagesPageIsFresh(t *testing.T) {
	comments := packageComments(t)
	var out strings.Builder
	out.WriteString(packagesHead)
	for _, chapter := range chapters {
		fmt.Fprintf(&out, "\n## %s\n\n%s.\n\n| package | what it is |\n|---|---|\n", chapter.dir, chapter.is)
		for _, dir := range slices.Sorted(maps.Keys(comments)) {
			if dir == chapter.dir || strings.HasPrefix(dir, chapter.dir+"/") {
				fmt.Fprintf(&out, "| `%s` | %s |\n", dir, strings.ReplaceAll(comments[dir], "|", `\|`))
			}
		}
	}
	golden.Page(t, "reference/packages.md", "the comments of the packages", out.String())
}

// packageComments are the first sentences of the comments of all packages with code, without "Package name".
func packageComments(t *testing.T) map[string]string {
	t.Helper()
	comments := map[string]string{}
	for _, p := range packagesOf(t, module+"...") {
		dir := strings.TrimPrefix(p.ImportPath, module)
		if isOutsideLayers(dir) {
			continue
		}
		for _, file := range p.GoFiles {
			parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", dir, file), nil, parser.ParseComments|parser.PackageClauseOnly)
			if err != nil {
				t.Fatal(err)
			}
			if text := new(doc.Package).Synopsis(parsed.Doc.Text()); text != "" {
				comments[dir] = strings.TrimSuffix(withoutName(text, parsed.Name.Name), ".")
			}
		}
	}
	return comments
}

// withoutName is a sentence such as "Package engine runs events." without its first two words.
func withoutName(sentence, name string) string {
	return strings.TrimPrefix(sentence, "Package "+name+" ")
}
