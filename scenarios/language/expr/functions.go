package expr

import (
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types/ref"

	"github.com/kubestep/kubestep/sim/kinds"
)

// Function documents a function of conditions. The reference page is generated from it.
type Function struct {
	Name string
	// Section groups functions on the reference page.
	Section string
	// Signature lists the forms, joined by " or ".
	Signature string
	Doc       string
	// Example is a whole condition.
	Example string
}

// function is a Function with its code; those of CEL itself have none here.
type function struct {
	Function
	overloads []overload
	// lists marks functions that go through many objects or records, so that a result is worth keeping
	// for the rest of an evaluation.
	lists bool
}

// The sections of the reference page.
const (
	sectionObjects    = "Objects"
	sectionLists      = "Lists of objects"
	sectionAsking     = "Asking an object"
	sectionTrace      = "The trace"
	sectionCEL        = "From CEL"
	sectionKubernetes = "From Kubernetes"
)

var sections = []string{sectionObjects, sectionLists, sectionAsking, sectionTrace, sectionCEL, sectionKubernetes}

// Functions lists the functions of conditions, in the order of the reference page.
func Functions() []Function {
	all := describedFunctions()
	functions := make([]Function, len(all))
	for i, f := range all {
		functions[i] = f.Function
	}
	return functions
}

// describedFunctions keeps one table for Functions and for error messages.
var describedFunctions = sync.OnceValue(func() []*function {
	s, err := newTypeTable(kinds.BuiltIn())
	if err != nil {
		panic("expr: the Kubernetes types make no type table: " + err.Error())
	}
	all := slices.Concat(newFunctions(s), celFunctions(), kubernetesFunctions())
	sort.SliceStable(all, func(i, j int) bool {
		return slices.Index(sections, all[i].Section) < slices.Index(sections, all[j].Section)
	})
	return all
})

// newFunctions builds the functions that this package adds to CEL.
func newFunctions(s *typeTable) []*function {
	var all []*function
	all = append(all, namedGetters(s)...)
	all = append(all, genericGetters(s)...)
	all = append(all, replicaSetFunctions(s)...)
	all = append(all, listFunctions(s)...)
	all = append(all, askingFunctions(s)...)
	return append(all, traceFunctions(s)...)
}

// texts returns n arguments of type string.
func texts(n int) []*cel.Type {
	args := make([]*cel.Type, n)
	for i := range args {
		args[i] = cel.StringType
	}
	return args
}

// text returns argument i, or "" when the call has fewer.
func text(args []ref.Val, i int) string {
	if i >= len(args) {
		return ""
	}
	value, _ := args[i].Value().(string)
	return value
}

// textArgs are all arguments.
func textArgs(args []ref.Val) []string {
	all := make([]string, len(args))
	for i := range args {
		all[i] = text(args, i)
	}
	return all
}

// readsTexts is a function of the simulation whose forms take from least to most strings.
func readsTexts(least, most int, result *cel.Type, read func(args []ref.Val) (reading, error)) []overload {
	var overloads []overload
	for n := least; n <= most; n++ {
		overloads = append(overloads, overload{args: texts(n), result: result, read: read})
	}
	return overloads
}

// celFunctions are the parts of CEL and its extensions that conditions need most, for the reference page.
func celFunctions() []*function {
	rows := []Function{
		{Name: "all", Signature: "list.all(x, condition)",
			Doc:     "Whether the condition holds for every item; true for an empty list.",
			Example: "pods('app=web').all(p, ready(p))"},
		{Name: "exists", Signature: "list.exists(x, condition)", Doc: "Whether it holds for at least one item.",
			Example: "pods('app=web').exists(p, terminating(p))"},
		{Name: "exists_one", Signature: "list.exists_one(x, condition)", Doc: "Whether it holds for exactly one item.",
			Example: "replicasets('web').exists_one(r, r.spec.replicas > 0)"},
		{Name: "filter", Signature: "list.filter(x, condition)", Doc: "The items for which it holds.",
			Example: "size(pods('app=web').filter(p, ready(p))) >= 8"},
		{Name: "map", Signature: "list.map(x, value)", Doc: "The list of the values.",
			Example: "'web:v2' in pods('app=web').map(p, image(p))"},
		{Name: "sortBy", Signature: "list.sortBy(x, value)", Doc: "The items in the order of the values. Also sort(), " +
			"reverse(), distinct(), slice(from, to), flatten().",
			Example: "pods('app=web').sortBy(p, p.metadata.name)[0].metadata.name == 'web-0'"},
		{Name: "size", Signature: "size(x)", Doc: "Number of items of a list, of keys of a map, of characters of a string.",
			Example: "size(pods('app=web')) <= 13"},
		{Name: "in", Signature: "x in list", Doc: "Whether a list has the item, or a map the key.",
			Example: "'app' in deployment('web').metadata.labels"},
		{Name: "has", Signature: "has(object.field)", Doc: "Whether an optional field is set. Numbers, strings and " +
			"bools that are not optional are always set.",
			Example: "has(pod('web-0').metadata.deletionTimestamp)"},
		{Name: ".?", Signature: "object.?field.orValue(default)", Doc: "An optional field, or the default. For maps: " +
			"labels[?'app'].orValue('').",
			Example: "deployment('web').metadata.annotations[?'deployment.kubernetes.io/revision'].orValue('0') == '2'"},
		{Name: "? :", Signature: "condition ? a : b", Doc: "One of two values.",
			Example: "size(pods()) == (now < duration('10s') ? 0 : 10)"},
		{Name: "duration", Signature: "duration(text)", Doc: "A length of time: '90s', '1m30s', '250ms'.",
			Example: "now > duration('1m30s')"},
		{Name: "timestamp", Signature: "timestamp(text)", Doc: "A date, RFC 3339. The difference of two is a duration.",
			Example: "job('pi').status.completionTime - job('pi').status.startTime < duration('1m')"},
		{Name: "int", Signature: "int(x)", Doc: "A number from a string, or seconds since 1970 from a timestamp.",
			Example: "int(deployment('web').metadata.annotations['deployment.kubernetes.io/revision']) >= 2"},
		{Name: "startsWith", Signature: "text.startsWith(prefix)", Doc: "Also endsWith, contains, matches (RE2), indexOf, " +
			"split, substring, lowerAscii, upperAscii, trim, replace, and list.join(separator).",
			Example: "pods().all(p, p.metadata.name.startsWith('web-'))"},
		{Name: "math.greatest", Signature: "math.greatest(a, b, ...)", Doc: "The greatest; also math.least, math.abs, " +
			"math.ceil, math.floor, math.round.",
			Example: "math.greatest(pods().map(p, p.spec.priority)) <= 1000"},
	}
	return described(sectionCEL, rows)
}

// described are functions of CEL and its libraries, which have no code here.
func described(section string, rows []Function) []*function {
	functions := make([]*function, len(rows))
	for i, row := range rows {
		row.Section = section
		functions[i] = &function{Function: row}
	}
	return functions
}

// signatures joins the forms of a function.
func signatures(forms ...string) string { return strings.Join(forms, " or ") }
