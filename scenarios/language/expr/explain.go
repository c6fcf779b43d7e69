package expr

import (
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/plan"
)

// explainer picks from all steps of an evaluation those that a reader asks about: the two sides of each
// comparison that decided, and no literals.
//
//	deployment('web').status.availableReplicas >= 8 && size(pods('app=web')) <= 13
//	-> deployment('web').status.availableReplicas = 7
//
// The second comparison is left out: the first made the answer false on its own.
type explainer struct {
	condition *Condition
	state     interpreter.EvalState
	items     map[int64]ref.Val
	// veiled is the same evaluation with other values of Secrets, if it read any.
	veiled *observation
	found  []string
	told   map[string]bool
}

func newExplainer(c *Condition, seen observation, veiled *observation) *explainer {
	return &explainer{condition: c, state: seen.State, items: seen.items, veiled: veiled, told: map[string]bool{}}
}

// watchedItem notes the value of a variable each time that it is used.
type watchedItem struct {
	interpreter.InterpretableAttribute
	id   int64
	name string
}

// watchItem plans the uses of variables.
func watchItem(step interpreter.Interpretable) (interpreter.Interpretable, error) {
	attribute, ok := step.(interpreter.InterpretableAttribute)
	if !ok {
		return step, nil
	}
	if variable, ok := attribute.Attr().(interpreter.NamespacedAttribute); ok {
		return plan.Attribute(&watchedItem{attribute, variable.ID(), variable.CandidateVariableNames()[0]}), nil
	}
	return step, nil
}

// Eval implements interpreter.Interpretable.
func (i *watchedItem) Eval(vars interpreter.Activation) ref.Val {
	found, _ := vars.ResolveName(evaluationVariable)
	if value, ok := vars.ResolveName(i.name); ok {
		found.(*evaluation).items[i.id] = i.Adapter().NativeToValue(value)
	}
	return i.InterpretableAttribute.Eval(vars)
}

func (x *explainer) explain() string {
	x.decision(x.condition.ast.NativeRep().Expr())
	return strings.Join(x.found, "; ")
}

// decision explains a step that is true or false.
func (x *explainer) decision(e ast.Expr) {
	if e.Kind() == ast.ComprehensionKind {
		x.loop(e)
		return
	}
	if e.Kind() != ast.CallKind {
		x.value(e)
		return
	}
	call := e.AsCall()
	switch call.FunctionName() {
	case operators.LogicalAnd:
		x.deciding(e, call.Args(), types.False)
	case operators.LogicalOr:
		x.deciding(e, call.Args(), types.True)
	case operators.LogicalNot:
		x.decision(call.Args()[0])
	case operators.Conditional:
		x.decision(call.Args()[0])
		for _, branch := range call.Args()[1:] {
			if _, evaluated := x.state.Value(branch.ID()); evaluated {
				x.decision(branch)
			}
		}
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater,
		operators.GreaterEquals, operators.In:
		for _, side := range call.Args() {
			x.value(side)
		}
	default:
		x.value(e)
	}
}

// deciding explains the terms of a && or ||: those that settled it, when the whole has the value that one
// term can bring about, and all otherwise.
func (x *explainer) deciding(whole ast.Expr, terms []ast.Expr, settles types.Bool) {
	result, _ := x.state.Value(whole.ID())
	for _, term := range terms {
		value, evaluated := x.state.Value(term.ID())
		if evaluated && !types.IsError(value) && (result != settles || value == settles) {
			x.decision(term)
		}
	}
}

// value explains a step by its text and what came out.
func (x *explainer) value(e ast.Expr) {
	value, ok := x.state.Value(e.ID())
	if !ok || types.IsError(value) || x.isConstant(e) {
		return
	}
	shown := x.reveal(value, x.otherValue(e), show)
	if counted, items := x.counted(e); items != nil && length(items) > 0 {
		// A number of things is soon followed by the question which.
		shown += " (" + x.reveal(items, x.otherValue(counted), func(v ref.Val) string {
			return strings.Join(showItems(v.(traits.Lister)), ", ")
		}) + ")"
	}
	x.add(x.condition.source(e), shown)
}

// isConstant steps say nothing that the text does not: duration('10s'), ['a', 'b'].
func (x *explainer) isConstant(e ast.Expr) bool {
	constant := true
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(step ast.Expr) {
		switch step.Kind() {
		case ast.IdentKind, ast.ComprehensionKind:
			constant = false
		case ast.CallKind:
			if x.condition.env.functions[step.AsCall().FunctionName()] != nil {
				constant = false
			}
		}
	}))
	return constant
}

// add notes a line, unless it was noted before.
func (x *explainer) add(source, shown string) {
	line := source + " = " + shown
	if !x.told[line] {
		x.told[line] = true
		x.found = append(x.found, line)
	}
}

// counted returns the list, and its items, in size(list) and list.size().
func (x *explainer) counted(e ast.Expr) (list ast.Expr, items traits.Lister) {
	if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
		return nil, nil
	}
	counted := e.AsCall().Target()
	if !e.AsCall().IsMemberFunction() {
		counted = e.AsCall().Args()[0]
	}
	value, _ := x.state.Value(counted.ID())
	items, _ = value.(traits.Lister)
	return counted, items
}

// loop explains all() and exists(). The values kept from inside a loop are those of its last turn. When
// that turn settled it - an item that breaks all(), or one that exists() looked for - it is shown, too.
func (x *explainer) loop(e ast.Expr) {
	x.value(e)
	// all() is result && predicate, exists() is result || predicate.
	step := e.AsComprehension().LoopStep()
	settled := map[string]ref.Val{operators.LogicalAnd: types.False, operators.LogicalOr: types.True}
	result, _ := x.state.Value(e.ID())
	if step.Kind() != ast.CallKind {
		return
	}
	if settles, ok := settled[step.AsCall().FunctionName()]; !ok || result != settles {
		return
	}
	predicate := step.AsCall().Args()[1]
	variable := e.AsComprehension().IterVar()
	if item, other := x.item(predicate, variable); item != nil {
		x.add(variable, x.reveal(item, other, show))
	}
	if inner, ok := x.state.Value(predicate.ID()); ok && !types.IsError(inner) {
		x.decision(predicate)
	}
}

// item finds the loop variable's value at one of its uses, and the value there in the veiled world.
func (x *explainer) item(e ast.Expr, variable string) (item, other ref.Val) {
	ast.PostOrderVisit(e, ast.NewExprVisitor(func(use ast.Expr) {
		if use.Kind() == ast.IdentKind && use.AsIdent() == variable && item == nil {
			item = x.items[use.ID()]
			if x.veiled != nil {
				other = x.veiled.items[use.ID()]
			}
		}
	}))
	return item, other
}
