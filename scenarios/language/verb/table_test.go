package verb_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
)

// otherMeanings are the words that are verbs, and mean something else in other places: a verb of the API, a subcommand
// of kubestep, a kind of record, a resource. They may stand there as strings; the types of the verbs may not.
var otherMeanings = map[string]string{
	"apply": "a verb of the API", "create": "a verb of the API", "delete": "a verb of the API", "patch": "a verb of the API",
	"scale": "a subresource", "evict": "a term of the glossary", "drain": "a term of the glossary",
	"controller": "a flag, a column", "fault": "a kind of record", "label": "a column", "load": "a column",
	"node": "a resource", "image": "a field of a container", "pod": "a resource", "note": "a kind of record", "ask": "a kind of record",
	"rollout": "a wait for a rollout, and kubestep explain rollout", "edit": "a kind of request",
	"exec": "a subresource",
}

// TestEachVerbHasItsFile: the file of a verb is named after it, and has its row, its type and its methods.
func TestEachVerbHasItsFile(t *testing.T) {
	for _, row := range verb.Table {
		word, name := row.Of.Keyword(), reflect.TypeOf(row.Of).Elem().Name()
		file := strings.ReplaceAll(word, "-", "_") + ".go"
		source, err := os.ReadFile(file)
		if err != nil {
			t.Errorf("the verb %s has no file: %v", word, err)
			continue
		}
		for _, want := range []string{
			strings.ToLower(name[:1]) + name[1:] + "Row = Row{", "type " + name + " ", name + ") Keyword() string { return " + strconv.Quote(word),
			name + ") Role() ", name + ") String() string", name + ") Check(", name + ") Do(",
		} {
			if !strings.Contains(string(source), want) {
				t.Errorf("%s has no %q", file, want)
			}
		}
		if _, ok := row.Of.(verb.Verb); !ok {
			t.Errorf("%s cannot be carried out", word)
		}
		if row.Doc == "" || row.Example == "" {
			t.Errorf("%s has no sentence or no example", word)
		}
		for _, c := range row.Commands {
			if len(c.Complete) > len(strings.Fields(c.Args)) || c.About == "" || c.Parse == nil {
				t.Errorf("the command %s is not whole", c.Name)
			}
		}
	}
}

// writers are the packages that write steps of their own, and so know the verbs that they write.
var writers = map[string]string{
	"../../language/translate":           "finds the verb for a request",
	"../../explore/child/internal/fresh": "writes the steps that create what users want",
	"../../explore/mutant":               "writes a wait instead of an expectation",
	"../../reading/law":                  "gives waits more time and expectations nothing to expect",
}

// TestNobodyElseKnowsAVerb reads the sources of kubestep: outside of the file of a verb, nothing names its type, and
// nothing has its name as a string.
func TestNobodyElseKnowsAVerb(t *testing.T) {
	words, types := map[string]string{}, map[string]string{}
	for _, row := range verb.Table {
		file := strings.ReplaceAll(row.Of.Keyword(), "-", "_") + ".go"
		words[strconv.Quote(row.Of.Keyword())] = file
		types[reflect.TypeOf(row.Of).Elem().Name()] = file
	}
	for _, root := range []string{"../..", "../../../tui"} {
		eachSource(t, root, func(path string, file *ast.File) {
			if writers[filepath.Dir(path)] != "" {
				return
			}
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BasicLit:
					word, _ := strconv.Unquote(n.Value)
					if home, ok := words[n.Value]; ok && filepath.Base(path) != home && otherMeanings[word] == "" {
						t.Errorf("%s knows the verb %s", path, n.Value)
					}
				case *ast.SelectorExpr:
					pkg, ok := n.X.(*ast.Ident)
					if ok && pkg.Name == "verb" && types[n.Sel.Name] != "" {
						t.Errorf("%s knows the verb %s", path, n.Sel.Name)
					}
				}
				return true
			})
		})
	}
}

// TestOnlyTheVerbSaysThatItIsAFault: nothing else lists the verbs that make something go wrong.
func TestOnlyTheVerbSaysThatItIsAFault(t *testing.T) {
	var faults []string
	for _, row := range verb.Table {
		if (format.Step{Verb: row.Of}).Perturbs() {
			faults = append(faults, row.Of.Keyword())
		}
	}
	if want := []string{"controller", "pod", "image", "node", "edit", "fault"}; !slices.Equal(faults, want) {
		t.Errorf("the faults are %v, want %v: is that meant?", faults, want)
	}
}

func eachSource(t *testing.T, root string, do func(path string, file *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err == nil {
			do(path, file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
