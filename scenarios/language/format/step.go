package format

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/language/source"
)

// StepPath is the field path of a step: StepPath(2) is spec.steps[2].
func StepPath(i int) string { return fmt.Sprintf("spec.steps[%d]", i) }

// FuturePath is the field path of a future.
func FuturePath(i int) string { return source.Item("spec.futures", i) }

// StepIndex is the inverse of StepPath; -1 for what is not the path of a step.
func StepIndex(path string) int {
	var i int
	if _, err := fmt.Sscanf(path, "spec.steps[%d]", &i); err != nil || StepPath(i) != path {
		return -1
	}
	return i
}

// BranchPath is the field path of a branch, and BranchStepPath that of one of its steps.
func BranchPath(i int) string { return source.Item("spec.branches", i) }

// BranchStepPath is the field path of a step of a branch.
func BranchStepPath(i, step int) string {
	return source.Item(source.Join(BranchPath(i), "steps"), step)
}

// FaultPath is the field path of a rule of spec.faults: FaultPath(1) is spec.faults[1].
func FaultPath(i int) string { return source.Item("spec.faults", i) }

// A Verb is what a step does. The format does not know verbs by name: it receives a table of them, and calls the
// methods of each value. Package verb defines the verbs and executes them.
type Verb interface {
	// Keyword is the name of the field that holds the value in a file: scale, set-image.
	Keyword() string
	// Role is the role of the verb in a run.
	Role() Role
	// String is the text after the name in the trace: the arguments that the kubectl command would have.
	String() string
	// Check reports errors that the types of the fields cannot exclude.
	Check(*Checker)
}

// Role is the role of a verb in a run.
type Role int

const (
	// Request is a user's action: it sends requests, which the API server may refuse.
	Request Role = iota
	// Fault is a fault that no user requests.
	Fault
	// Change changes the use of the cluster.
	Change
	// Observation waits or reads, and changes nothing.
	Observation
	// Message shows a text to the reader, and changes nothing.
	Message
)

// Defaulter is a Verb with fields that have defaults.
type Defaulter interface{ ApplyDefaults() }

// RuleHolder is a Verb that holds a fault rule.
type RuleHolder interface{ FaultRule() *FaultRule }

// Describer is a Verb whose description is not its name and its arguments.
type Describer interface{ Describe() string }

// Sends reports whether the step sends a request, and so can be refused.
func (s Step) Sends() bool { return s.Verb != nil && s.Verb.Role() == Request }

// Perturbs reports whether the step is a fault. Everything that leaves out faults, or counts them, uses this method.
func (s Step) Perturbs() bool { return s.Verb != nil && s.Verb.Role() == Fault }

// Perturbs counts the faults of the scenario: the rules of spec.faults, and the steps that affect requests, watches,
// processes, Pods, nodes, or the store. It does not count what users do, such as deleting or evicting a Pod:
// controllers are expected to handle that.
func (s *Scenario) Perturbs() (faults, steps int) {
	for _, st := range s.Spec.Steps {
		if st.Perturbs() {
			steps++
		}
	}
	return len(s.Spec.Faults), steps
}

// EachFault calls do for the rules of spec.faults and of the steps, with their field paths.
func (s *Scenario) EachFault(do func(path string, f *FaultRule)) {
	for i := range s.Spec.Faults {
		do(FaultPath(i), &s.Spec.Faults[i])
	}
	for i, st := range s.Spec.Steps {
		if holder, ok := st.Verb.(RuleHolder); ok {
			do(source.Join(StepPath(i), st.Verb.Keyword()), holder.FaultRule())
		}
	}
}

// Syntax is the syntax of a verb: its row in the table for Load.
type Syntax struct {
	// Of is an empty value. Its type is a pointer to a struct with the tags of types.go, or to a string.
	Of Verb
	// Doc is one sentence for the schema and the reference.
	Doc string
	// Value is an example of the value, where that is a string.
	Value string
	// Example shows the verb in the steps of a file.
	Example string
	// Synonyms maps common wrong names of the verb to an answer, and FieldSynonyms those of its fields.
	Synonyms, FieldSynonyms map[string]string
}

// Verbs is the table of verbs, in the order of the reference.
type Verbs []Syntax

// Names lists the verbs.
func (v Verbs) Names() []string {
	var names []string
	for _, row := range v {
		names = append(names, row.Of.Keyword())
	}
	return names
}

// fieldsOf lists the fields of a struct. Those of a step have the verbs among them, in front of the last.
func (v Verbs) fieldsOf(t reflect.Type) []field {
	fields := fieldsOf(t)
	if t != reflect.TypeFor[Step]() {
		return fields
	}
	last := len(fields) - 1
	out := slices.Clone(fields[:last])
	for _, row := range v {
		out = append(out, field{name: row.Of.Keyword(), typ: reflect.TypeOf(row.Of), doc: row.Doc, example: row.Value, verb: true})
	}
	return append(out, fields[last])
}

func (v Verbs) fieldNamed(t reflect.Type, name string) (field, bool) {
	return named(v.fieldsOf(t), name)
}

func (v Verbs) fieldNames(t reflect.Type) []string { return namesOf(v.fieldsOf(t)) }

// synonym is what to write instead of a field that a struct does not have.
func (v Verbs) synonym(owner reflect.Type, name string) string {
	if try := synonyms[owner][name]; try != "" {
		return try
	}
	for _, row := range v {
		if try := row.Synonyms[name]; try != "" && owner == reflect.TypeFor[Step]() {
			return try
		}
		if try := row.FieldSynonyms[name]; try != "" && owner == reflect.TypeOf(row.Of).Elem() {
			return try
		}
	}
	return ""
}

// Describe describes a step in one line: when, verb, what.
func (s Step) Describe() string {
	when := ""
	switch {
	case s.At != nil:
		when = "at " + s.At.String() + ": "
	case s.After != nil:
		when = "after " + s.After.String() + ": "
	case s.When != "":
		when = "when " + s.When + ": "
	}
	if s.Draw != nil {
		when = s.Draw.String() + ": " + when
	}
	if d, ok := s.Verb.(Describer); ok {
		return when + d.Describe()
	}
	return when + strings.TrimSpace(s.Verb.Keyword()+" "+s.Verb.String())
}
