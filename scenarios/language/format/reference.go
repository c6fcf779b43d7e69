package format

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/annotation"
	"github.com/kubestep/kubestep/scenarios/language/notation"
)

const referenceHead = `# Scenario format v1alpha1

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
scenario and at most 32 MiB.

## Notations

| type | written as |
|---|---|
| duration | Go's notation: 5s, 1m30s, 250ms, 48h. A bare number is an error. Periods of what happens again and again have a minimum. |
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

// Reference is docs/reference/scenario-format.md, but for the comment that says what makes it.
func Reference(verbs Verbs) string {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, owner := range structs(verbs) {
		if path := structPaths[owner]; path != "" {
			fmt.Fprintf(&out, "## %s\n\n%s\n", path, fieldTable(owner, verbs))
		}
		if owner == reflect.TypeFor[Metadata]() {
			out.WriteString(annotationTables())
		}
	}
	out.WriteString("## Verbs\n\nA step has exactly one of them.\n\n")
	for _, row := range verbs {
		fmt.Fprintf(&out, "### %s\n\n%s\n\n", row.Of.Keyword(), row.Doc)
		if inner := reflect.TypeOf(row.Of).Elem(); inner.Kind() == reflect.Struct {
			out.WriteString(fieldTable(inner, verbs) + "\n")
		}
		fmt.Fprintf(&out, "```yaml\n%s```\n\n", row.Example)
	}
	fmt.Fprintf(&out, "## Status reasons\n\nWhat a step with `fails` can expect: %s. %s is a refusal without a reason, such as that of a webhook.\n",
		strings.Join(notation.Refusals(), ", "), notation.UnknownReason)
	return out.String()
}

// structs lists the structs of the format as they are nested.
func structs(verbs Verbs) []reflect.Type {
	var found []reflect.Type
	seen := map[reflect.Type]bool{}
	var visit func(t reflect.Type)
	visit = func(t reflect.Type) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		if t.Kind() != reflect.Struct || isScalar(t) || seen[t] || t == reflect.TypeFor[yaml.Node]() {
			return
		}
		seen[t] = true
		found = append(found, t)
		for _, f := range verbs.fieldsOf(t) {
			visit(f.typ)
		}
	}
	visit(reflect.TypeFor[Scenario]())
	return found
}

// annotationTables lists the annotations that have a meaning.
func annotationTables() string {
	var out strings.Builder
	out.WriteString("These annotations make [the gallery](gallery.md); any scenario may have them.\n\n")
	out.WriteString("| annotation | meaning | example |\n|---|---|---|\n")
	for _, a := range annotation.Keys {
		fmt.Fprintf(&out, "| `%s` | %s | `%s` |\n", a.Name, a.Doc, a.Example)
	}
	out.WriteString("\n| status | meaning |\n|---|---|\n")
	for _, status := range annotation.Statuses {
		fmt.Fprintf(&out, "| `%s` | %s |\n", status.Name, status.Doc)
	}
	return out.String() + "\n"
}

// structPaths says where the structs are that are not verbs.
var structPaths = map[reflect.Type]string{
	reflect.TypeFor[Scenario]():            "The file",
	reflect.TypeFor[Metadata]():            "metadata",
	reflect.TypeFor[Spec]():                "spec",
	reflect.TypeFor[Future]():              "spec.futures[]",
	reflect.TypeFor[Kubernetes]():          "spec.kubernetes",
	reflect.TypeFor[LeaderElection]():      "spec.kubernetes.leaderElection",
	reflect.TypeFor[Cluster]():             "spec.cluster",
	reflect.TypeFor[Authorization]():       "spec.cluster.authorization",
	reflect.TypeFor[NodePool]():            "spec.cluster.nodes[]",
	reflect.TypeFor[PodLife]():             "spec.cluster.pods[]",
	reflect.TypeFor[Program]():             "spec.cluster.programs[]",
	reflect.TypeFor[ProgramExit]():         "spec.cluster.programs[].exits",
	reflect.TypeFor[ProgramTerm]():         "spec.cluster.programs[].onTerm",
	reflect.TypeFor[ProgramAnswer]():       "spec.cluster.programs[].answers[]",
	reflect.TypeFor[ProgramLine]():         "spec.cluster.programs[].prints[]",
	reflect.TypeFor[ProgramPull]():         "spec.cluster.programs[].pull",
	reflect.TypeFor[PodMatch]():            "spec.cluster.pods[].match",
	reflect.TypeFor[CSIDriver]():           "spec.cluster.csiDrivers[]",
	reflect.TypeFor[DRADriver]():           "spec.cluster.draDrivers[]",
	reflect.TypeFor[PluginCall]():          "spec.cluster.csiDrivers[].nodeStageVolume",
	reflect.TypeFor[Latency]():             "spec.cluster.latency",
	reflect.TypeFor[PodLoad]():             "spec.cluster.load[]",
	reflect.TypeFor[LoadLevel]():           "spec.cluster.load[].levels[]",
	reflect.TypeFor[Step]():                "spec.steps[]",
	reflect.TypeFor[notation.StepDraw]():   "spec.steps[].draw",
	reflect.TypeFor[PriorityAndFairness](): "spec.cluster.priorityAndFairness",
	reflect.TypeFor[Metrics]():             "spec.cluster.metrics",
	reflect.TypeFor[notation.PoolDraw]():   "spec.cluster.nodes[].draw",
	reflect.TypeFor[FaultRule]():           "spec.faults[]",
	reflect.TypeFor[Branch]():              "spec.branches[]",
	reflect.TypeFor[Check]():               "spec.checks[]",
	reflect.TypeFor[Invariants]():          "spec.invariants",
	reflect.TypeFor[MayDiffer]():           "spec.mayDiffer[]",

	reflect.TypeFor[FaultRequest]():       "fault.request",
	reflect.TypeFor[FaultWatch]():         "fault.watch",
	reflect.TypeFor[FaultWebhook]():       "fault.webhook",
	reflect.TypeFor[FaultKubelet]():       "fault.kubelet",
	reflect.TypeFor[FaultTimer]():         "fault.timer",
	reflect.TypeFor[FaultNode]():          "fault.node",
	reflect.TypeFor[notation.FaultDraw](): "fault.draw",
}

func fieldTable(owner reflect.Type, verbs Verbs) string {
	var out strings.Builder
	out.WriteString("| field | type | meaning | example |\n|---|---|---|---|\n")
	for _, f := range fieldsOf(owner) {
		name, example := "`"+f.name+"`", ""
		if f.required {
			name += " (required)"
		}
		if f.example != "" {
			example = "`" + f.example + "`"
		}
		doc := f.doc
		if f.floor > 0 {
			doc += " At least " + notation.Text(f.floor) + "."
		}
		row := []string{name, typeName(f), doc, example}
		for i, cell := range row {
			row[i] = strings.ReplaceAll(cell, "|", `\|`)
		}
		fmt.Fprintf(&out, "| %s |\n", strings.Join(row, " | "))
	}
	if owner == reflect.TypeFor[Step]() {
		fmt.Fprintf(&out, "| *verb* (required) | | One of %s. | |\n", strings.Join(verbs.Names(), ", "))
	}
	return out.String()
}

// typeName names a field's type in the words of the Notations.
func typeName(f field) string {
	t := valueType(f.typ)
	switch {
	case f.cel == "true", f.cel == string(ObjectForm):
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
