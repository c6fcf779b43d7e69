package verb

import (
	"reflect"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/kinds"
)

// TestEveryFieldOfAFaultReachesTheSimulation sets each field of a fault, and of what it matches: the rule of the simulation differs.
func TestEveryFieldOfAFaultReachesTheSimulation(t *testing.T) {
	// These are about when a rule starts or ends, or no rule at all. A request without fields is any request, as that of a rule without one.
	others := map[string]bool{"At": true, "When": true, "Node": true, "Release": true, "Draw": true, "Request": true}
	compare := func(name string, without, with *format.FaultRule) {
		t.Helper()
		table := kinds.BuiltIn()
		before, after := Rule(table, without, "place", 0), Rule(table, with, "place", 0)
		if reflect.DeepEqual(before, after) {
			t.Errorf("the field %s changes nothing", name)
		}
	}
	for field := range reflect.TypeFor[format.FaultRule]().Fields() {
		if !others[field.Name] {
			with := &format.FaultRule{}
			fill(t, field.Name, reflect.ValueOf(with).Elem().FieldByIndex(field.Index))
			compare(field.Name, &format.FaultRule{}, with)
		}
	}
	for _, name := range []string{"Request", "Watch", "Webhook", "Kubelet", "Timer"} {
		part := func() (*format.FaultRule, reflect.Value) {
			rule := &format.FaultRule{}
			of := reflect.ValueOf(rule).Elem().FieldByName(name)
			of.Set(reflect.New(of.Type().Elem()))
			return rule, of.Elem()
		}
		_, fields := part()
		for field := range fields.Type().Fields() {
			without, _ := part()
			with, of := part()
			fill(t, field.Name, of.FieldByIndex(field.Index))
			compare(name+"."+field.Name, without, with)
		}
	}
}

// fill sets a field to something that is valid in a scenario.
func fill(t *testing.T, name string, field reflect.Value) {
	t.Helper()
	switch field.Interface().(type) {
	case bool:
		field.SetBool(true)
	case int:
		field.SetInt(2)
	case string:
		text := map[string]string{"Fail": "Conflict", "Resource": "pods"}[name]
		if text == "" {
			text = "some"
		}
		field.SetString(text)
	case *float64:
		chance := 0.5
		field.Set(reflect.ValueOf(&chance))
	case *notation.Duration:
		field.Set(reflect.ValueOf(notation.NewDuration(time.Minute)))
	case *notation.Delay:
		field.Set(reflect.ValueOf(&notation.Delay{Min: time.Second, Max: time.Minute}))
	default:
		if field.Kind() != reflect.Pointer {
			t.Fatalf("the field %s has the type %s", name, field.Type())
		}
		field.Set(reflect.New(field.Type().Elem()))
	}
}
