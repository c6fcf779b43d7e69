package scenarios

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

const referenceDir = "../docs/reference"

// TestJSONSchemaIsFresh and TestReferenceIsFresh keep the two reference files as the types say. Run
// the tests with -rewrite to write them.
func TestJSONSchemaIsFresh(t *testing.T) {
	text, err := JSONSchema()
	if err != nil {
		t.Fatal(err)
	}
	compareFile(t, filepath.Join(referenceDir, "scenario.schema.json"), text)
	again, _ := JSONSchema()
	if !bytes.Equal(text, again) {
		t.Error("two calls of JSONSchema differ")
	}
}

func TestReferenceIsFresh(t *testing.T) {
	compareFile(t, filepath.Join(referenceDir, "scenario-format.md"), []byte(reference(t)))
}

// rewriting is the flag that datadriven defines.
func rewriting() bool { return flag.Lookup("rewrite").Value.String() == "true" }

func compareFile(t *testing.T, path string, want []byte) {
	t.Helper()
	if rewriting() {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types say; run go test ./scenarios -rewrite", path)
	}
}

// TestEveryFieldHasADoc lets no field into the format without a sentence, and no required field
// without an example, which errors show.
func TestEveryFieldHasADoc(t *testing.T) {
	for _, owner := range formatStructs() {
		for _, f := range fieldsOf(owner) {
			if !strings.HasSuffix(f.doc, ".") {
				t.Errorf("%s.%s: the doc tag %q is not a sentence", owner.Name(), f.name, f.doc)
			}
			if f.required && f.example == "" {
				t.Errorf("%s.%s is required and has no example tag", owner.Name(), f.name)
			}
			if f.example != "" {
				checkExample(t, owner, f)
			}
		}
	}
}

// checkExample decodes an example tag as the field that it is for.
func checkExample(t *testing.T, owner reflect.Type, f field) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(f.example), &document); err != nil {
		t.Fatalf("%s.%s: example %q: %v", owner.Name(), f.name, f.example, err)
	}
	s := &Scenario{positions: map[string]Position{}, texts: map[string]*sourceText{}}
	d := newDecoder(s)
	d.value(f.name, nil, document.Content[0], f, reflect.New(f.typ).Elem())
	for _, e := range d.errs {
		t.Errorf("%s.%s: example %q: %v", owner.Name(), f.name, f.example, e)
	}
}

// formatStructs lists the structs of the format as they are nested.
func formatStructs() []reflect.Type {
	var found []reflect.Type
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		own := t.PkgPath() == reflect.TypeFor[Step]().PkgPath()
		if t.Kind() != reflect.Struct || isScalar(t) || seen[t] || !own {
			return
		}
		seen[t] = true
		found = append(found, t)
		for _, f := range fieldsOf(t) {
			visit(f.typ)
		}
	}
	visit(reflect.TypeFor[Scenario]())
	return found
}

// verbExample is the steps in testdata/verbs/VERB.yaml, which must load.
func verbExample(t *testing.T, verb string) string {
	text, err := os.ReadFile(filepath.Join("testdata", "verbs", verb+".yaml"))
	if err != nil {
		t.Fatalf("the verb %s needs an example: %v", verb, err)
	}
	file := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: example}\n" +
		"spec:\n  title: Example\n  steps:\n" + indented(string(text))
	s, err := Parse(verb+".yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	for i, step := range s.Spec.Steps {
		if step.Verb() != verb {
			t.Errorf("step %d of the example of %s is a %s", i, verb, step.Verb())
		}
	}
	return string(text)
}

const referenceHead = `# Scenario format v1alpha1

<!-- Made from the Go types by "go test ./scenarios -rewrite"; do not edit. -->

A scenario is a YAML file with a cluster, the steps that a user takes in it, and the checks that
must hold. Unknown fields are errors. [scenario.schema.json](scenario.schema.json) is the same as a
JSON Schema: in editors with the YAML language server, the first line

    # yaml-language-server: $schema=PATH/scenario.schema.json

turns completion on. The smallest scenario is

    apiVersion: kubestep.dev/v1alpha1
    kind: Scenario
    metadata: {name: smallest}
    spec:
      title: The smallest scenario
      steps: []

Anchors and aliases may stand for any value; merge keys (<<) are not supported. A file holds one
scenario and at most 1 MiB.

## Notations

| type | written as |
|---|---|
| duration | Go's notation: 5s, 1m30s, 250ms, 48h. A bare number is an error. |
| quantity | An amount in Kubernetes' notation: 500m, 2, 1Gi. |
| delay | A duration, a range that is drawn from the seed (1ms..5ms), or never. |
| range | Whole numbers from which the seed draws one: 1..12, or 3. |
| target | KIND/NAME, or NAMESPACE/KIND/NAME in another namespace than default. |
| CEL | A condition in the Common Expression Language. |
| name | A DNS-1123 label: lower case letters, digits and dashes, at most 63. |
| enum | One of the values in the text. |

The kind of a target is a kind, plural or short name in any case: deployment, Deployments, deploy
and deployments.apps are the same.

`

// reference is docs/reference/scenario-format.md.
func reference(t *testing.T) string {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, owner := range formatStructs() {
		if path := structPaths[owner]; path != "" {
			fmt.Fprintf(&out, "## %s\n\n%s\n", path, fieldTable(owner, false))
		}
		if owner == reflect.TypeFor[Metadata]() {
			out.WriteString(annotationTables())
		}
	}
	out.WriteString("## Verbs\n\nA step has exactly one of them.\n\n")
	for _, f := range fieldsOf(reflect.TypeFor[Step]()) {
		if !f.verb {
			continue
		}
		fmt.Fprintf(&out, "### %s\n\n%s\n\n", f.name, f.doc)
		if inner := f.typ; inner.Kind() == reflect.Pointer {
			out.WriteString(fieldTable(inner.Elem(), false) + "\n")
		}
		fmt.Fprintf(&out, "```yaml\n%s```\n\n", verbExample(t, f.name))
	}
	fmt.Fprintf(&out, "## Status statusReasons\n\nWhat a step with `fails` can expect: %s.\n",
		strings.Join(enumValues("@reasons"), ", "))
	return out.String()
}

// annotationTables lists the annotations that have a meaning.
func annotationTables() string {
	var out strings.Builder
	out.WriteString("These annotations make [the gallery](gallery.md); any scenario may have them.\n\n")
	out.WriteString("| annotation | meaning | example |\n|---|---|---|\n")
	for _, a := range annotationKeys {
		fmt.Fprintf(&out, "| `%s` | %s | `%s` |\n", a.key, a.doc, a.example)
	}
	out.WriteString("\n| status | meaning |\n|---|---|\n")
	for _, status := range BugStatuses {
		fmt.Fprintf(&out, "| `%s` | %s |\n", status.Name, status.Doc)
	}
	return out.String() + "\n"
}

// structPaths says where the structs are that are not verbs.
var structPaths = map[reflect.Type]string{
	reflect.TypeFor[Scenario]():   "The file",
	reflect.TypeFor[Metadata]():   "metadata",
	reflect.TypeFor[Spec]():       "spec",
	reflect.TypeFor[Kubernetes](): "spec.kubernetes",
	reflect.TypeFor[Cluster]():    "spec.cluster",
	reflect.TypeFor[NodePool]():   "spec.cluster.nodes[]",
	reflect.TypeFor[PodLife]():    "spec.cluster.pods[]",
	reflect.TypeFor[PodMatch]():   "spec.cluster.pods[].match",
	reflect.TypeFor[Latency]():    "spec.cluster.latency",
	reflect.TypeFor[PodLoad]():    "spec.cluster.load[]",
	reflect.TypeFor[LoadLevel]():  "spec.cluster.load[].levels[]",
	reflect.TypeFor[Step]():       "spec.steps[]",
	reflect.TypeFor[Check]():      "spec.checks[]",
	reflect.TypeFor[Invariants](): "spec.invariants",

	reflect.TypeFor[FaultRequest](): "fault.request",
	reflect.TypeFor[FaultWatch]():   "fault.watch",
	reflect.TypeFor[FaultDraw]():    "fault.draw",
}

func fieldTable(owner reflect.Type, verbs bool) string {
	var out strings.Builder
	out.WriteString("| field | type | meaning | example |\n|---|---|---|---|\n")
	for _, f := range fieldsOf(owner) {
		if f.verb != verbs {
			continue
		}
		name, example := "`"+f.name+"`", ""
		if f.required {
			name += " (required)"
		}
		if f.example != "" {
			example = "`" + f.example + "`"
		}
		row := []string{name, typeName(f), f.doc, example}
		for i, cell := range row {
			row[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	if owner == reflect.TypeFor[Step]() {
		fmt.Fprintf(&out, "| *verb* (required) | | One of %s. | |\n", strings.Join(Verbs(), ", "))
	}
	return out.String()
}

// typeName names a field's type in the words of the Notations.
func typeName(f field) string {
	t := f.typ
	switch {
	case f.cel:
		return "CEL"
	case f.isName:
		return "name"
	case f.isObject:
		return "mapping"
	case slices.Contains([]string{"target", "undo", "pause", "resume", "restart"}, f.name):
		return "target"
	case f.enum != nil:
		return "enum"
	}
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t.Name() {
	case "Duration", "Delay", "Quantity", "Range":
		return strings.ToLower(t.Name())
	case "Time":
		return "date"
	case "Node":
		return "any"
	}
	switch t.Kind() {
	case reflect.Struct:
		return "mapping"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "map"
	case reflect.Bool, reflect.String:
		return t.Kind().String()
	}
	return "number"
}
