package format

import (
	"fmt"
	"reflect"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// Undocumented lists the structs that the reference leaves out, the fields that have no sentence, the required ones without an example, which errors show, and
// the examples that cannot be decoded.
func Undocumented(verbs Verbs) (problems []string) {
	ofVerb := map[reflect.Type]bool{}
	for _, row := range verbs {
		ofVerb[reflect.TypeOf(row.Of).Elem()] = true
	}
	for _, owner := range structs(verbs) {
		if structPaths[owner] == "" && !ofVerb[owner] {
			problems = append(problems, owner.String()+" is in no table of the reference: it needs a path in structPaths")
		}
		for _, f := range verbs.fieldsOf(owner) {
			name := owner.Name() + "." + f.name
			if !strings.HasSuffix(f.doc, ".") {
				problems = append(problems, fmt.Sprintf("%s: the doc %q is not a sentence", name, f.doc))
			}
			if f.required && f.example == "" {
				problems = append(problems, name+" is required and has no example")
			}
			if f.example != "" {
				problems = append(problems, wrongExample(verbs, name, f)...)
			}
		}
	}
	return problems
}

// wrongExample decodes an example as the field that it is for.
func wrongExample(verbs Verbs, name string, f field) (problems []string) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(f.example), &document); err != nil {
		return []string{fmt.Sprintf("%s: example %q: %v", name, f.example, err)}
	}
	d := decoder{scenario: &Scenario{File: source.NewFile("example", nil)}, verbs: verbs}
	d.value(f.name, nil, document.Content[0], f, reflect.New(f.typ).Elem())
	for _, e := range d.errs {
		problems = append(problems, fmt.Sprintf("%s: example %q: %v", name, f.example, e))
	}
	return problems
}
