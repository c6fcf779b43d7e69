package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestABubbleOutsideOfATest: kubestep is not a test binary, so package testing is not set up in it as it is here.
func TestABubbleOutsideOfATest(t *testing.T) {
	out, err := exec.Command("go", "run", "./testdata/program").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	const want = `a function that returns: <nil>
one that panics: panic: boom
one that leaves a goroutine behind: panic: deadlock: main bubble goroutine has exited but blocked goroutines remain
and once more: <nil>
`
	if diff := cmp.Diff(want, string(out)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWhatTestingReadsOfATest pins what the comment in Bubble says of a zero testing.T: which of its fields Go uses. If
// a new version of Go uses others, read its source, decide whether they may be zero, and change comment and test.
func TestWhatTestingReadsOfATest(t *testing.T) {
	for _, test := range []struct{ file, function, prefix, want string }{
		{"testing/synctest/synctest.go", "Test", "t.", "t.FailNow"},
		{"testing/testing.go", "testingSynctestTest", "t.", "t.chatty t.cleanupStarted.Load t.common t.level t.name t.tstate"},
		{"testing/testing.go", "tRunner", "t.tstate", "t.tstate.isFuzzing t.tstate.release t.tstate.waitParallel"},
		{"testing/testing.go", "tRunner", "t.parent", "t.parent"},
		{"testing/testing.go", "report", "t.", "t.Failed t.Skipped t.chatty t.duration t.flushToParent t.isSynctest t.name t.parent"},
	} {
		if got := selectors(t, test.file, test.function, test.prefix); got != test.want {
			t.Errorf("%s in %s uses %s, want %s", test.function, test.file, got, test.want)
		}
	}
}

// selectors lists the selector expressions in a function of the standard library that begin with a prefix.
func selectors(t *testing.T, file, function, prefix string) string {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(strings.TrimSpace(string(root)), "src", file)
	parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		declaration, ok := n.(*ast.FuncDecl)
		if !ok {
			return true
		}
		if declaration.Name.Name != function {
			return false
		}
		ast.Inspect(declaration.Body, func(n ast.Node) bool {
			text := chain(n)
			if strings.HasPrefix(text, prefix) {
				found[text] = true
			}
			return text == ""
		})
		return false
	})
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// chain writes a selector expression of names only, such as t.tstate.isFuzzing; empty if n is something else.
func chain(n ast.Node) string {
	selector, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	if name, ok := selector.X.(*ast.Ident); ok {
		return name.Name + "." + selector.Sel.Name
	}
	if inner := chain(selector.X); inner != "" {
		return inner + "." + selector.Sel.Name
	}
	return ""
}

// TestForgivenGoroutines reads a dump with the work queue of controller-runtime that nobody can end.
func TestForgivenGoroutines(t *testing.T) {
	const queue = `goroutine 83 [chan send (durable), synctest bubble 2 labels:{"actor": "operator"}]:
sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.(*priorityqueue[...]).handleReadyItems(0x51b1e60)
	sigs.k8s.io/controller-runtime@v0.24.1/pkg/controller/priorityqueue/priorityqueue.go:408 +0x29
created by sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue.New[...] in goroutine 80
	sigs.k8s.io/controller-runtime@v0.24.1/pkg/controller/priorityqueue/priorityqueue.go:99 +0x7e6
`
	const mine = `goroutine 84 [chan receive (durable), synctest bubble 2 labels:{"actor": "mine"}]:
main.wait(0x1)
	main.go:3 +0x1
created by main.run in goroutine 81
	main.go:2 +0x1
`
	if left := leftBehind("deadlock", queue); left != nil {
		t.Errorf("%v", left)
	}
	left := leftBehind("deadlock", queue+"\n"+mine)
	if left == nil || !slices.Equal(left.Left, []string{"mine"}) || string(left.Stack) != mine {
		t.Errorf("%+v", left)
	}
	if leftBehind("deadlock", "") == nil {
		t.Error("a deadlock without goroutines is forgiven")
	}
}
