package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// cutting are the functions of package strings that take a text apart, or ask what it says, with the index of their argument that is
// a part of that text.
var cutting = map[string]int{
	"Contains": 1, "Count": 1, "Cut": 1, "CutPrefix": 1, "CutSuffix": 1, "HasPrefix": 1, "HasSuffix": 1, "Index": 1, "LastIndex": 1,
	"Split": 1, "SplitAfter": 1, "SplitN": 1, "SplitSeq": 1, "TrimPrefix": 1, "TrimSuffix": 1,
}

// sentence matches a part of a sentence: a word and a space, or a mark of punctuation and a space after a word.
var sentence = regexp.MustCompile(`[[:alpha:]]{2,}([ ;,(]|: )|[ ;,()][[:alpha:]]{2,}|^[;,:.(] | \($`)

// foreign are the parts of sentences that code may look for, by the end of the path of its package: somebody else has written them, a user
// writes them, or they are a format that both sides keep to. Each has its reason.
var foreign = map[string]map[string]string{
	"conformance/answers": {
		"# Kubernetes ": "a line of the recording, which this package writes",
		"the body of: ": "a line of the recording, which this package writes",
		": ":            "a line of the recording, which this package writes",
	},
	"catalog": {
		`<script type="application/json" id="pages">`: "the element in which this package writes its data",
	},
	"controllers": {
		"\npanic(":                         "a stack of Go",
		"created by ":                      "a stack of Go",
		"JSON: ":                           "the decoder of kube-controller-manager's configuration",
		"(combined from similar events): ": "client-go's aggregator of Events",
	},
	"explain/internal/agreement": {
		"no node at all": "the text of an explanation, which this package judges for tests",
		"patch ":         "a request as an explanation has it, a verb and an object",
	},
	"explain/internal/autoscaling": {
		"failed to compute desired number of replicas": "an error of the HorizontalPodAutoscaler controller",
	},
	"explain/internal/observed": {
		"because it is being terminated": "an answer of the API server",
	},
	"explain/internal/scheduling": {
		"preemption: ": "a status of kube-scheduler",
	},
	"external": {
		"synctest bubble": "a stack of Go",
		"(durable)":       "a stack of Go",
	},
	"controllers/scheduler": {
		"strict decoding error: ":                "the decoder of apimachinery",
		" moved to an internal scheduling queue": "a log line of kube-scheduler",
	},
	"child": {
		"signal: interrupt":  "the state of a process of Go",
		"WARNING: DATA RACE": "Go's race detector",
	},
	"expr": {
		"no such key: ":         "an error of cel-go",
		"index out of bounds: ": "an error of cel-go",
		"no such overload":      "an error of cel-go",
	},
	"glossary": {
		", ": "the forms of a term in the file of a language, which a translator writes",
	},
	"manifest": {
		"already set":                     "an error of yaml.v3",
		"error converting YAML to JSON: ": "an error of sigs.k8s.io/yaml",
		"yaml: ":                          "an error of yaml.v3",
		"json: ":                          "an error of encoding/json",
	},
	"performance": {
		"<!-- : written by make performance -->\n": "the marks in the page that it writes",
		"<!-- end of  -->":                         "the marks in the page that it writes",
	},
	"session": {
		"kubectl ": "a header of kubectl",
		"Bearer ":  "the header Authorization of HTTP",
	},
	"snapshot": {
		"unknown field ":     "the strict decoder of apimachinery",
		"cannot unmarshal":   "an error of yaml.v3",
		"control characters": "an error of yaml.v3",
	},
	"source": {
		"unknown anchor": "an error of yaml.v3",
	},
	"verb": {
		"`selector` does not match template `labels`": "an answer of the API server",
		"json: ": "an error of encoding/json",
	},
	"conformance/upstream": {
		"module \n": "a file go.mod",
	},
	"engine": {
		"synctest bubble":      "a stack of Go",
		"(durable)":            "a stack of Go",
		"net.(*netFD).accept(": "a stack of Go",
	},
	"lifecycle": {
		"connection refused": "an error of the kernel, as a probe reports it",
	},
	"syncs": {
		"Unhandled Error: ":                 "utilruntime.HandleError",
		"Reconcile done, requeueing after ": "a log line of controller-runtime",
	},
	"trace": {
		", ":                           "the trace has one text for the effects of a fault",
		"drawn: ":                      "the trace has one text for the effects of a fault",
		"the process ":                 "the trace has one text for the error of a sync",
		"the object has been modified": "an answer of the API server",
		" is forbidden: ":              "an answer of the API server",
		" is invalid: ":                "an answer of the API server",
	},
	"typecheck": {
		"missing go.sum entry for module providing package": "an error of the go command",
		"no required module provides package":               "an error of the go command",
		"missing go.sum entry for go.mod":                   "an error of the go command",
	},
}

// matching are the methods of regular expressions, with which code finds facts in a text.
var matching = regexp.MustCompile(`^(Match|Find|Split|ReplaceAll)`)

// spoken are the names of what holds sentences: those of records, errors and verdicts, and what another process printed.
var spoken = regexp.MustCompile(`^(?i:message|problem|verdict|explanation|said|stderr|printed)$`)

// matched are the packages whose regular expressions look into a sentence, with whose sentences these are.
var matched = map[string]string{
	"compare":   "an answer of the API server",
	"expr":      "errors of cel-go",
	"external":  "what the runtime of Go prints about a panic",
	"lifecycle": "the message of a container that waits, which the kubelet wrote",
	"snapshot":  "a condition of a namespace, which the namespace controller wrote",
	"verb":      "answers of the API server",
}

// TestLintMatches fails on code that looks for facts in a sentence with a regular expression, for the reason of TestLintCuts.
func TestLintMatches(t *testing.T) {
	used := map[string]bool{}
	eachPackage(t, func(dir string, files map[string]*ast.File, at *token.FileSet) {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			ast.Inspect(files[name], func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 || !spoken.MatchString(lastName(call.Args[0])) {
					return true
				}
				function, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || !matching.MatchString(function.Sel.Name) {
					return true
				}
				used[path.Base(dir)] = true
				if matched[path.Base(dir)] == "" {
					t.Errorf("%s: %s looks into %s: hand on a value beside the text, or say in the list of this test whose text it is",
						at.Position(call.Pos()), function.Sel.Name, lastName(call.Args[0]))
				}
				return true
			})
		}
	})
	for name := range matched {
		if !used[name] {
			t.Errorf("%s looks into no message any more: remove it from the list of this test", name)
		}
	}
}

// lastName is the name of a variable, of a field, or of what a method without arguments is called on.
func lastName(expression ast.Expr) string {
	switch e := expression.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.CallExpr:
		if function, ok := e.Fun.(*ast.SelectorExpr); ok && len(e.Args) == 0 {
			return lastName(function.X)
		}
	}
	return ""
}

// TestLintCuts fails on code that takes a sentence apart. What one part of kubestep knows and another needs travels as a value: a
// sentence is made of it once, where somebody reads it, so that its words can change. A text of somebody else is the exception.
func TestLintCuts(t *testing.T) {
	used := map[string]bool{}
	eachPackage(t, func(dir string, files map[string]*ast.File, at *token.FileSet) {
		texts := constantsOf(files)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			ast.Inspect(files[name], func(node ast.Node) bool {
				call, ok := node.(*ast.CallExpr)
				if !ok {
					return true
				}
				function, ok := call.Fun.(*ast.SelectorExpr)
				if !ok || chainOf(function.X) != "strings" {
					return true
				}
				part, ok := cutting[function.Sel.Name]
				if !ok || len(call.Args) <= part {
					return true
				}
				text, known := textOf(call.Args[part], texts)
				if !known || !sentence.MatchString(text) {
					return true
				}
				owner := ""
				for end, allowed := range foreign {
					if allowed[text] != "" && (dir == end || strings.HasSuffix(dir, "/"+end)) {
						owner = end
					}
				}
				if owner == "" {
					t.Errorf("%s: strings.%s looks for %q in a text: hand on a value beside the text, or say in the list of this test whose "+
						"text it is", at.Position(call.Pos()), function.Sel.Name, text)
				}
				used[owner+" "+text] = true
				return true
			})
		}
	})
	for end, texts := range foreign {
		for text := range texts {
			if !used[end+" "+text] {
				t.Errorf("%s does not look for %q any more: remove it from the list of this test", end, text)
			}
		}
	}
}

// TestCutsAreFound shows what TestLintCuts finds and what it overlooks.
func TestCutsAreFound(t *testing.T) {
	for text, want := range map[string]bool{
		"; then ": true, "broken, as": true, " (and ": true, " has dropped ": true, ": ": true, "; ": true, "retry after": true,
		"spec.": false, "/": false, "controller": false, "kubelet|beat|": false, "\n": false, "pods/": false, "-": false,
	} {
		if got := sentence.MatchString(text); got != want {
			t.Errorf("%q: %t, want %t", text, got, want)
		}
	}
}

// eachPackage calls f with the code of every package, without its tests.
func eachPackage(t *testing.T, f func(dir string, files map[string]*ast.File, at *token.FileSet)) {
	t.Helper()
	at, packages := token.NewFileSet(), map[string]map[string]*ast.File{}
	eachGoFile(t, func(name string, _ []string) {
		if strings.HasSuffix(name, "_test.go") {
			return
		}
		file, err := parser.ParseFile(at, filepath.Join("..", name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(filepath.ToSlash(name))
		if packages[dir] == nil {
			packages[dir] = map[string]*ast.File{}
		}
		packages[dir][name] = file
	})
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		f(dir, packages[dir], at)
	}
}

// constantsOf are the texts of a package's constants, those of its functions included.
func constantsOf(files map[string]*ast.File) map[string]string {
	texts := map[string]string{}
	for _, file := range files {
		ast.Inspect(file, func(node ast.Node) bool {
			declared, ok := node.(*ast.GenDecl)
			if !ok || declared.Tok != token.CONST {
				return true
			}
			for _, spec := range declared.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, value := range spec.Values {
					if text, ok := textOf(value, nil); ok {
						texts[spec.Names[i].Name] = text
					}
				}
			}
			return true
		})
	}
	return texts
}

// textOf is the text of an expression, as far as it is known: that of a literal, of a constant of the package, or of both joined. What
// else is joined to them counts as nothing.
func textOf(expression ast.Expr, constants map[string]string) (text string, known bool) {
	switch e := expression.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.Ident:
		text, known = constants[e.Name]
		return text, known
	case *ast.BinaryExpr:
		left, ok := textOf(e.X, constants)
		right, also := textOf(e.Y, constants)
		return left + right, ok || also
	}
	return "", false
}

// chainOf is the name of an identifier.
func chainOf(expression ast.Expr) string {
	if name, ok := expression.(*ast.Ident); ok {
		return name.Name
	}
	return ""
}
