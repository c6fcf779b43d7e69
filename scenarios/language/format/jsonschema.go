package format

import (
	"bytes"
	"encoding/json"
	"reflect"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/kubestep/kubestep/scenarios/language/notation"
)

const (
	schemaDraft = "https://json-schema.org/draft/2020-12/schema"
	schemaID    = "https://kubestep.dev/v1alpha1/scenario.schema.json"
	namePattern = `^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`
)

// JSONSchema describes the format for editors, which then complete fields and mark errors. It is generated from the
// types and their tags; the loader checks more, such as targets and the order of the steps.
func JSONSchema(verbs Verbs) ([]byte, error) {
	g := schemaGenerator{verbs: verbs, definitions: map[string]any{}}
	root := g.object(reflect.TypeFor[Scenario]())
	root["$schema"] = schemaDraft
	root["$id"] = schemaID
	root["title"] = "kubestep scenario"
	root["$defs"] = g.definitions
	properties := root["properties"].(jsonObject)
	properties["apiVersion"].(jsonObject)["const"] = APIVersion
	properties["kind"].(jsonObject)["const"] = Kind
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", "  ")
	encoder.SetEscapeHTML(false) // >= in examples stays readable
	err := encoder.Encode(root)
	return out.Bytes(), err
}

// jsonObject is one JSON Schema object. Its JSON is sorted by name, so that the file only changes
// when the format does.
type jsonObject = map[string]any

type schemaGenerator struct {
	verbs       Verbs
	definitions map[string]any
}

// field is the schema of one field, with what its tags say.
func (g *schemaGenerator) field(f field) jsonObject {
	s := g.value(f.typ, f)
	s["description"] = f.doc
	if f.example != "" {
		var example any
		if yaml.Unmarshal([]byte(f.example), &example) == nil {
			s["examples"] = []any{example}
		}
	}
	if f.min != nil {
		s["minimum"] = *f.min
	}
	if f.max != nil {
		s["maximum"] = *f.max
	}
	return s
}

// value is the schema of a type. f adds what belongs to strings and free-form values.
func (g *schemaGenerator) value(t reflect.Type, f field) jsonObject {
	switch t {
	case reflect.TypeFor[notation.Duration]():
		return jsonObject{"type": "string", "pattern": `^` + notation.DurationPattern + `$`}
	case reflect.TypeFor[notation.Delay]():
		return jsonObject{"type": "string",
			"pattern": `^` + notation.DelayPattern + `$`}
	case reflect.TypeFor[time.Time]():
		return jsonObject{"type": "string", "format": "date-time"}
	case reflect.TypeFor[notation.Range]():
		return jsonObject{"type": []string{"string", "integer"}, "pattern": `^[0-9]+(\.\.[0-9]+)?$`, "minimum": 1}
	case reflect.TypeFor[notation.Quantity]():
		return jsonObject{"type": []string{"string", "number"}}
	case reflect.TypeFor[*yaml.Node]():
		if f.isObject {
			return jsonObject{"type": "object"}
		}
		return jsonObject{"type": []string{"object", "array", "string"}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.value(t.Elem(), f)
	case reflect.Struct:
		if t.ConvertibleTo(reflect.TypeFor[FaultRule]()) {
			t = reflect.TypeFor[FaultRule]() // a verb that is a rule has its fields
		}
		if _, done := g.definitions[t.Name()]; !done {
			g.definitions[t.Name()] = nil // a type that contains itself ends here
			g.definitions[t.Name()] = g.object(t)
		}
		whole := jsonObject{"$ref": "#/$defs/" + t.Name()}
		if short, ok := shortField(t); ok {
			return jsonObject{"anyOf": []jsonObject{g.value(short.typ, short), whole}}
		}
		return whole
	case reflect.Slice:
		return jsonObject{"type": "array", "items": g.value(t.Elem(), field{})}
	case reflect.Map:
		element := g.value(t.Elem(), field{name: mapValue})
		if t.Elem().Kind() == reflect.Pointer {
			element["type"] = []any{element["type"], "null"}
		}
		return jsonObject{"type": "object", "additionalProperties": element}
	case reflect.Bool:
		return jsonObject{"type": "boolean"}
	case reflect.Float64:
		return jsonObject{"type": "number"}
	case reflect.String:
		return textSchema(f)
	}
	return jsonObject{"type": "integer"}
}

func textSchema(f field) jsonObject {
	s := jsonObject{"type": "string"}
	switch {
	case f.enum != nil:
		s["enum"] = f.enum
	case f.isName:
		s["pattern"] = namePattern
	case f.name != mapValue:
		s["minLength"] = 1
	}
	return s
}

// object is the schema of a struct.
func (g *schemaGenerator) object(t reflect.Type) jsonObject {
	properties := jsonObject{}
	var required []string
	oneOf, needs := []string(nil), jsonObject{}
	for _, f := range g.verbs.fieldsOf(t) {
		properties[f.name] = g.field(f)
		if f.required {
			required = append(required, f.name)
		}
		if f.oneOf || f.verb {
			oneOf = append(oneOf, f.name)
		}
		if f.needs != "" {
			needs[f.name] = []string{f.needs}
		}
	}
	s := jsonObject{"type": "object", "properties": properties, "additionalProperties": false}
	if required != nil {
		s["required"] = required
	}
	if oneOf != nil {
		s["oneOf"] = eachRequired(oneOf)
	}
	if len(needs) > 0 {
		s["dependentRequired"] = needs
	}
	if t == reflect.TypeFor[Step]() {
		s["not"] = jsonObject{"required": []string{"at", "after"}}
	}
	return s
}

// eachRequired makes exactly one of the fields required when it stands in a oneOf.
func eachRequired(names []string) []jsonObject {
	out := make([]jsonObject, len(names))
	for i, name := range names {
		out[i] = jsonObject{"required": []string{name}}
	}
	return out
}
