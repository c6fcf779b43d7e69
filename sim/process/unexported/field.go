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

// Replace replaces an unexported field, of a type func() (I, error) whose interface I is not exported either. What f returns must
// implement I.
func Replace(pointer any, name string, f func() (any, error)) {
	field := reflect.ValueOf(pointer).Elem().FieldByName(name)
	if !field.IsValid() || field.Kind() != reflect.Func || field.Type().NumIn() != 0 || field.Type().NumOut() != 2 {
		panic(fmt.Sprintf("unexported: %T has no function %s", pointer, name))
	}
	of := field.Type()
	made := reflect.MakeFunc(of, func([]reflect.Value) []reflect.Value {
		value, err := f()
		out := []reflect.Value{reflect.Zero(of.Out(0)), reflect.Zero(of.Out(1))}
		if err != nil {
			out[1] = reflect.ValueOf(err).Convert(of.Out(1))
		} else {
			out[0] = reflect.ValueOf(value).Convert(of.Out(0))
		}
		return out
	})
	reflect.NewAt(of, field.Addr().UnsafePointer()).Elem().Set(made)
}
