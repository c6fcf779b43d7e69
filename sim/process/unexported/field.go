// Package unexported reaches fields of upstream's structs that upstream does not export, where there is no option for what a
// simulation has to replace. A field that a new version of Kubernetes renames or changes is a panic when what has it is built.
package unexported

import (
	"fmt"
	"reflect"
)

// Field returns an unexported field of the struct that a pointer points to.
func Field[T any](pointer any, name string) *T {
	field := reflect.ValueOf(pointer).Elem().FieldByName(name)
	if !field.IsValid() || !field.Type().ConvertibleTo(reflect.TypeFor[T]()) {
		panic(fmt.Sprintf("unexported: %T has no field %s of type %s", pointer, name, reflect.TypeFor[T]()))
	}
	return (*T)(field.Addr().UnsafePointer())
}
