package expr

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/ext"
	"k8s.io/apiserver/pkg/cel/library"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/changes"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

const referencePage = "../../../docs/reference/expressions.md"

// TestReferencePage keeps the page of functions in step with the table. With -rewrite, the flag that all
// golden files have, it writes the page.
func TestReferencePage(t *testing.T) {
	golden.Page(t, referencePage, "the tables in scenarios/language/expr", reference())
}

// TestExamplesCompile keeps the examples of the page true.
func TestExamplesCompile(t *testing.T) {
	env := testEnv(t)
	for _, f := range Functions() {
		if f.Example == "" || f.Doc == "" || f.Signature == "" || f.Section == "" {
			t.Errorf("%s lacks an example, a text, a signature or a section", f.Name)
		}
		if _, err := env.Compile(f.Example); err != nil {
			t.Errorf("%s: %s: %v", f.Name, f.Example, err)
		}
	}
}

const referenceHead = `# Expressions

The conditions of a scenario (` + "`when`, `wait.for`, `expect.that`" + ` and the checks) are written in
[CEL](https://cel.dev), as in Kubernetes' own validation rules and admission policies. A condition reads the
current state of the cluster and the trace so far, and is true or false:

    deployment('web').status.availableReplicas >= 8
    pods('app=web').all(p, ready(p))
    now > duration('30s') && size(events('ScalingReplicaSet')) == 2

` + "`now`" + ` is the virtual time since the start, a duration. ` + "`&&`, `||`, `!`, `==`, `!=`, `<`, `<=`, `>`, `>=`, `+`, `-`, `*`, `/`, `%`" + ` and
` + "`c ? a : b`" + ` work as in Go or JavaScript. Strings have single or double quotes.

A form without a namespace means the namespace ` + "`default`" + `.
`

const referenceFields = `
## Fields

Objects have the fields that their YAML has. A misspelled field is an error when the scenario is loaded; in the results of
` + "`get()`, `list()` and `condition()`" + `, when the condition is evaluated.

| Field | In a condition |
|---|---|
| number, bool, text | always there: ` + "`status.availableReplicas`" + ` reads 0 before any controller wrote it |
| optional number, bool, text, time or struct | may be unset: ask with ` + "`has()`, or read with `.?` and `orValue()`" + ` |
| list, map | always a list or map; ` + "`has()`" + ` says whether anything is in it |
| time | timestamp |
| quantity (` + "`500m`, `64Mi`" + `) | text |
| number or percentage (` + "`maxSurge`, `targetPort`" + `) | int or text, as written |
| bytes (` + "`data`" + ` of a Secret) | bytes: ` + "`b'hello'`" + ` |

## Missing values

An object, an unset field, a key or a list item that does not exist makes a condition neither true nor false.
` + "`when` and `wait`" + ` continue to wait, because it may be created. ` + "`exists()`, `has()` and `.?`" + ` test for it without an error. As always in
CEL, ` + "`a || b` is true if one of them is true, and `a && b`" + ` is false if one is false, whatever the other one is.
`

const referenceLimits = `
## Limits

A condition has at most %d characters. One evaluation may process %d things (iterations,
objects and records), and build lists of %d items and strings of %d bytes. The limits count work,
not time, so they apply at the same place on every machine.
`

// reference makes the page.
func reference() string {
	var page strings.Builder
	page.WriteString(referenceHead)
	page.WriteString(referenceFields)
	section := ""
	for _, f := range Functions() {
		if f.Section != section {
			section = f.Section
			fmt.Fprintf(&page, "\n## %s\n", section)
		}
		forms := strings.Split(f.Signature, " or ")
		fmt.Fprintf(&page, "\n**`%s`**\n%s\n\n    %s\n", strings.Join(forms, "`**, **`"), f.Doc, f.Example)
	}
	for _, record := range []any{TraceRequest{}, TraceChange{}, TraceEvent{}, TraceSync{}} {
		recordTable(&page, reflect.TypeOf(record))
	}
	page.WriteString("\n## Kinds\n\nNames that `get()`, `exists()` and `list()` take for a kind; case does not matter.\n\n| Kind | Version | Names | Namespaced |\n|---|---|---|---|\n")
	for _, k := range kinds.BuiltIn().All() {
		if kinds.BuiltIn().Named(k.Resource) != k {
			continue // Events of events.k8s.io are read as those of the core group
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %v |\n", k.Kind, k.GroupVersion(), strings.Join(k.Names(), ", "), k.Namespaced)
	}
	fmt.Fprintf(&page, referenceLimits, maxText, maxWork, maxItems, maxBytes)
	return page.String()
}

func recordTable(page *strings.Builder, t reflect.Type) {
	fmt.Fprintf(page, "\n### %s\n\n| Field | Type | |\n|---|---|---|\n", t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		typ := strings.ToLower(strings.TrimPrefix(f.Type.String(), "time."))
		switch f.Type {
		case reflect.TypeFor[changesOf]():
			typ = "list of TraceChange"
		case reflect.TypeFor[*objectOf](), reflect.TypeFor[*changes.Value]():
			typ = "any"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s |\n", f.Tag.Get("json"), typ, f.Tag.Get("doc"))
	}
}

// TestLibrariesAreDescribed wants every function of Kubernetes' libraries on the page and in a script.
func TestLibrariesAreDescribed(t *testing.T) {
	plain, err := cel.NewEnv()
	if err != nil {
		t.Fatal(err)
	}
	env, err := plain.Extend(library.URLs(), library.Regex(), library.Lists(), library.Quantity(), library.IP(), library.CIDR(),
		library.Format(), library.SemverLib(library.SemverVersion(1)), ext.Sets())
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("testdata/kubernetes.txt")
	if err != nil {
		t.Fatal(err)
	}
	page := reference()
	for name := range env.Functions() {
		if plain.HasFunction(name) {
			continue
		}
		word := regexp.MustCompile(`\b` + regexp.QuoteMeta(strings.TrimPrefix(name, "format.")) + `\b`)
		if !word.MatchString(page) {
			t.Errorf("the page does not mention %s", name)
		}
		if !strings.Contains(string(script), name+"(") {
			t.Errorf("testdata/kubernetes.txt does not call %s", name)
		}
	}
}
