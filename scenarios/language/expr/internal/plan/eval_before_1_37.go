//go:build kubernetes_before_1_37

package plan

import "github.com/google/cel-go/interpreter"

// Arguments are those of a call.
func Arguments(call interpreter.InterpretableCall) []interpreter.Interpretable { return call.Args() }

// Call is a step that calls a function.
func Call(own interpreter.InterpretableCall) interpreter.Interpretable { return own }

// Attribute is a step that reads a variable.
func Attribute(own interpreter.InterpretableAttribute) interpreter.Interpretable { return own }

// Loops decorates nothing: a loop of CEL 0.26 asks a variable after each turn.
func Loops(map[int64]bool, func(vars interpreter.Activation)) interpreter.InterpretableDecorator {
	return func(own interpreter.Interpretable) (interpreter.Interpretable, error) { return own, nil }
}

// Constructor is a step that makes a list, a map or an object.
func Constructor(own interpreter.InterpretableConstructor) interpreter.Interpretable { return own }
