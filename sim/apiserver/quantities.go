package apiserver

import (
	"reflect"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/resource"
)

// parseQuantities gives the quantities in the body of a request the form that they have behind a wire, on which a quantity is text: a
// format that its text does not show is lost. A kubelet computes allocatable storage as 96636764000 in the binary format, in which no
// suffix is for it. A server that reads this number stores 96636764k.
func parseQuantities(body reflect.Value) {
	switch {
	case !holdsQuantities(body.Type()):
	case body.Type() == quantityType:
		if q, changed := parsedQuantity(body.Interface().(resource.Quantity)); changed {
			body.Set(reflect.ValueOf(q))
		}
	case body.Kind() == reflect.Pointer:
		if !body.IsNil() {
			parseQuantities(body.Elem())
		}
	case body.Kind() == reflect.Struct:
		for i := range body.NumField() {
			parseQuantities(body.Field(i))
		}
	case body.Kind() == reflect.Slice:
		for i := range body.Len() {
			parseQuantities(body.Index(i))
		}
	case body.Kind() == reflect.Map:
		for at := body.MapRange(); at.Next(); {
			value := reflect.New(body.Type().Elem()).Elem()
			value.Set(at.Value())
			parseQuantities(value)
			body.SetMapIndex(at.Key(), value)
		}
	}
}

var quantityType = reflect.TypeFor[resource.Quantity]()

// parsedQuantity reads the text of a quantity, if its format is not that of its text.
func parsedQuantity(q resource.Quantity) (parsed resource.Quantity, changed bool) {
	if q.Format != resource.BinarySI {
		return q, false
	}
	text := q.String()
	if strings.HasSuffix(text, "i") {
		return q, false
	}
	return resource.MustParse(text), true
}

// quantityHolders are types, reflect.Type -> bool.
var quantityHolders sync.Map

// holdsQuantities reports whether a value of a type may have quantities in it.
func holdsQuantities(t reflect.Type) bool {
	known, ok := quantityHolders.Load(t)
	if !ok {
		known = reachesQuantity(t, map[reflect.Type]bool{})
		quantityHolders.Store(t, known)
	}
	return known.(bool)
}

// reachesQuantity looks for quantities in the types of a type that it has not seen: some types, as JSONSchemaProps, are recursive.
func reachesQuantity(t reflect.Type, seen map[reflect.Type]bool) bool {
	if t == quantityType || seen[t] {
		return t == quantityType
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return reachesQuantity(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if field := t.Field(i); field.IsExported() && reachesQuantity(field.Type, seen) {
				return true
			}
		}
	}
	return false
}
