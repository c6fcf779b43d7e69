//go:build !kubernetes_before_1_37

package plan

import (
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// Arguments are those of a call.
func Arguments(call interpreter.InterpretableCall) (args []interpreter.Interpretable) {
	for _, arg := range call.Args() {
		args = append(args, arg)
	}
	return args
}

// CEL 0.29 evaluates a step with Exec. A step of kubestep's own embeds the step of CEL's that it replaces, and with it that
// step's Exec, which would pass over the Eval of our own.
type (
	call      struct{ interpreter.InterpretableCall }
	attribute struct {
		interpreter.InterpretableAttribute
	}
	constructor struct {
		interpreter.InterpretableConstructor
	}
)

// Exec implements interpreter.InterpretableV2.
func (c call) Exec(frame *interpreter.ExecutionFrame) ref.Val { return c.Eval(frame) }

// Exec implements interpreter.InterpretableV2.
func (a attribute) Exec(frame *interpreter.ExecutionFrame) ref.Val { return a.Eval(frame) }

// Exec implements interpreter.InterpretableV2.
func (c constructor) Exec(frame *interpreter.ExecutionFrame) ref.Val { return c.Eval(frame) }

// Call is a step that calls a function.
func Call(own interpreter.InterpretableCall) interpreter.Interpretable { return call{own} }

// Attribute is a step that reads a variable.
func Attribute(own interpreter.InterpretableAttribute) interpreter.Interpretable {
	return attribute{own}
}

// Loops decorates the steps that loops evaluate in each turn: turn is called before each. A loop of CEL 0.29 asks a context whether it
// is interrupted, and no variable.
func Loops(steps map[int64]bool, turn func(vars interpreter.Activation)) interpreter.InterpretableDecorator {
	return func(own interpreter.Interpretable) (interpreter.Interpretable, error) {
		if of, ok := own.(interpreter.InterpretableV2); ok && steps[own.ID()] {
			return counted{of, turn}, nil
		}
		return own, nil
	}
}

// counted is the step of a loop.
type counted struct {
	interpreter.InterpretableV2
	turn func(vars interpreter.Activation)
}

// Eval implements interpreter.Interpretable.
func (c counted) Eval(vars interpreter.Activation) ref.Val {
	c.turn(vars)
	return c.InterpretableV2.Eval(vars)
}

// Exec implements interpreter.InterpretableV2.
func (c counted) Exec(frame *interpreter.ExecutionFrame) ref.Val {
	c.turn(frame)
	return c.InterpretableV2.Exec(frame)
}

// Constructor is a step that makes a list, a map or an object.
func Constructor(own interpreter.InterpretableConstructor) interpreter.Interpretable {
	return constructor{own}
}
