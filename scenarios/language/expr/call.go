package expr

import (
	"fmt"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/plan"
)

// CEL binds a function to Go code once, before there is a simulation. Functions that read the simulation are therefore
// planned here: each call in a condition becomes a worldCall, which finds the simulation where CEL keeps the values of
// variables.

// overload is one signature of a function.
type overload struct {
	args   []*cel.Type
	result *cel.Type
	// read binds the arguments of a function that reads the simulation.
	read func(args []ref.Val) (reading, error)
	// pure computes from the arguments alone; exactly one of read and pure is set.
	pure func(args []ref.Val) ref.Val
}

// reading is a call with its arguments looked through: names resolved, selectors parsed. Where all
// arguments are literals, that happens when the condition is compiled, and mistakes are found there.
type reading func(e *evaluation) ref.Val

// accepts reports whether the values that a call got at run time fit.
func (o *overload) accepts(args []ref.Val) bool {
	if len(args) != len(o.args) {
		return false
	}
	for i, arg := range args {
		want := o.args[i]
		if want.Kind() != types.DynKind && want.TypeName() != arg.Type().TypeName() {
			return false
		}
	}
	return true
}

// bind chooses the overload for the arguments.
func bind(f *function, args []ref.Val) (reading, error) {
	for i := range f.overloads {
		if f.overloads[i].accepts(args) {
			return f.overloads[i].read(args)
		}
	}
	return nil, fmt.Errorf("%s does not take %s; write %s", f.Name, typeNames(args), f.Signature)
}

// worldCall is a call of a function that reads the simulation.
type worldCall struct {
	interpreter.InterpretableCall
	function *function
	args     []interpreter.Interpretable
	// bound is set when all arguments are literals. The result then holds for a whole evaluation.
	bound reading
}

// planWorldCall replaces CEL's plan of a call. Its error is a mistake in the arguments.
func planWorldCall(f *function, call interpreter.InterpretableCall) (interpreter.Interpretable, error) {
	planned := &worldCall{InterpretableCall: call, function: f, args: plan.Arguments(call)}
	literals := make([]ref.Val, 0, len(planned.args))
	for _, arg := range planned.args {
		literal, ok := arg.(interpreter.InterpretableConst)
		if !ok {
			return plan.Call(planned), nil
		}
		literals = append(literals, literal.Value())
	}
	bound, err := bind(f, literals)
	planned.bound = bound
	return plan.Call(planned), err
}

// Eval implements interpreter.Interpretable.
func (c *worldCall) Eval(vars interpreter.Activation) ref.Val {
	found, _ := vars.ResolveName(evaluationVariable)
	e := found.(*evaluation)
	if c.bound != nil {
		if !c.function.lists {
			return types.LabelErrNode(c.ID(), c.bound(e))
		}
		// A list in a loop: pods().all(p, size(pods()) < 5).
		result, ok := e.results[c.ID()]
		if !ok {
			result = types.LabelErrNode(c.ID(), c.bound(e))
			if e.results == nil {
				e.results = map[int64]ref.Val{}
			}
			e.results[c.ID()] = result
		}
		return result
	}
	args := make([]ref.Val, len(c.args))
	for i, arg := range c.args {
		args[i] = arg.Eval(vars)
		if types.IsUnknownOrError(args[i]) {
			return args[i]
		}
	}
	bound, err := bind(c.function, args)
	if err != nil {
		return types.LabelErrNode(c.ID(), types.WrapErr(err))
	}
	return types.LabelErrNode(c.ID(), bound(e))
}

// declare tells the type checker of a function. Functions of the simulation get no code here.
func (f *function) declare() cel.EnvOption {
	options := make([]cel.FunctionOpt, len(f.overloads))
	for i := range f.overloads {
		o := &f.overloads[i]
		binding := func(args ...ref.Val) ref.Val { return o.pure(args) }
		if o.pure == nil {
			binding = func(...ref.Val) ref.Val { return types.NewErr("%s needs a world", f.Name) }
		}
		options[i] = cel.Overload(fmt.Sprintf("%s_%d", f.Name, i), o.args, o.result, cel.FunctionBinding(binding))
	}
	return cel.Function(f.Name, options...)
}
