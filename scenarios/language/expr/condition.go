package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/runtime"
)

// Condition is a compiled condition. It remembers how far it has read the trace, so that another evaluation after one
// more write is cheap.
type Condition struct {
	text    string
	env     *Env
	ast     *cel.Ast
	program cel.Program
	cursors *cursors

	// costMu guards cost: goroutines may share a condition.
	costMu sync.Mutex
	cost   Cost

	// watched is planned when somebody first wants to know why.
	watchedOnce sync.Once
	watched     cel.Program
	watchedErr  error
}

// Fresh returns the condition for another run: it has not read any trace yet.
func (c *Condition) Fresh() *Condition {
	return &Condition{text: c.text, env: c.env, ast: c.ast, program: c.program, cursors: &cursors{}}
}

// Cost is the work that a condition has taken in its run, in items.
type Cost struct {
	// Evaluations counts the evaluations; Last is the work of the last one, and Total that of all.
	Evaluations int
	Last, Total uint64
}

// Cost returns the work so far.
func (c *Condition) Cost() Cost {
	c.costMu.Lock()
	defer c.costMu.Unlock()
	return c.cost
}

// spent adds the work of an evaluation.
func (c *Condition) spent(e *evaluation) {
	c.costMu.Lock()
	defer c.costMu.Unlock()
	c.cost.Evaluations++
	c.cost.Last = e.worked
	c.cost.Total += e.worked
}

// Result is the result of a condition.
type Result struct {
	True bool
	// Explanation lists the values that decided it, such as deployment('web').status.availableReplicas = 7. Only
	// Explain sets it.
	Explanation string
}

// ReadsTrace reports whether the condition asks what happened, and not only which objects there are.
func (c *Condition) ReadsTrace() bool {
	reads, functions := false, traceFunctions(c.env.types)
	ast.PreOrderVisit(c.ast.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		reads = reads || e.Kind() == ast.CallKind && slices.ContainsFunc(functions, func(f *function) bool {
			return f.Name == e.AsCall().FunctionName()
		})
	}))
	return reads
}

// Text returns the condition as it was written.
func (c *Condition) Text() string { return c.text }

// Eval evaluates the condition. The error is a *NotFoundError if something that the condition names does not exist.
func (c *Condition) Eval(w World) (Result, error) {
	e := c.evaluation(w)
	value, _, err := c.program.Eval(e)
	c.spent(e)
	switch {
	case e.isExhausted():
		return Result{}, ErrTooMuch
	case err != nil:
		return Result{}, c.problem(w, err, e.secrets)
	}
	return c.result(value)
}

// Matches evaluates a condition of Env.About for an object. Its errors mean that the object does not have what the
// condition names, so that it does not match.
func (c *Condition) Matches(w World, object runtime.Object) bool {
	e := c.evaluation(w)
	e.object = object
	value, _, err := c.program.Eval(e)
	c.spent(e)
	return err == nil && value == types.True
}

// Explain is Eval with an explanation. It is a few times slower.
func (c *Condition) Explain(w World) (Result, error) {
	value, seen, err := c.watch(w)
	switch {
	case errors.Is(err, ErrTooMuch):
		return Result{}, ErrTooMuch
	case err != nil:
		return Result{}, c.problem(w, err, seen.secrets)
	}
	result, err := c.result(value)
	if err == nil {
		result.Explanation = newExplainer(c, seen, c.veil(w, seen)).explain()
		if seen.elsewhere != "" && !result.True {
			result.Explanation += "; " + seen.elsewhere
		}
	}
	return result, err
}

// observation is what an evaluation left behind.
type observation struct {
	// State has the value of every step, by its id; inside of a loop, the value of the last turn.
	State interpreter.EvalState
	// items has the values of loop variables, by the id of their use. CEL keeps none for p in p.spec.
	items map[int64]ref.Val
	// secrets is whether it read Secrets.
	secrets bool
	// elsewhere says where the objects are that a list does not have; empty if none is.
	elsewhere string
}

// watch evaluates and notes the value of every step.
func (c *Condition) watch(w World) (ref.Val, observation, error) {
	c.watchedOnce.Do(func() {
		c.watched, c.watchedErr = c.env.program(c.ast, cel.EvalOptions(cel.OptTrackState), cel.CustomDecorator(watchItem))
	})
	if c.watchedErr != nil {
		return nil, observation{}, c.watchedErr
	}
	e := c.evaluation(w)
	e.items = map[int64]ref.Val{}
	value, details, err := c.watched.Eval(e)
	c.spent(e)
	if e.isExhausted() {
		err = ErrTooMuch
	}
	return value, observation{details.State(), e.items, e.secrets, e.elsewhere}, err
}

func (c *Condition) evaluation(w World) *evaluation {
	return &evaluation{world: w, types: c.env.types, cursors: c.cursors, maxWork: c.env.maxWork}
}

func (c *Condition) result(value ref.Val) (Result, error) {
	answer, ok := value.(types.Bool)
	if !ok {
		return Result{}, fmt.Errorf("the condition returns %s, not true or false", typeName(value.Type()))
	}
	return Result{True: bool(answer)}, nil
}

// problem turns an error of CEL into one that people read. It has no value of a Secret, which the evaluation read or not.
func (c *Condition) problem(w World, err error, secrets bool) error {
	told := c.tell(w, err)
	if secrets {
		return c.unveiled(w, told)
	}
	return told
}

// tell says what is missing, or where the mistake is.
func (c *Condition) tell(w World, err error) error {
	var missing *NotFoundError
	if errors.As(err, &missing) {
		return missing
	}
	// CEL tells these apart in their texts only.
	message := err.Error()
	if key, ok := strings.CutPrefix(message, "no such key: "); ok {
		return &NotFoundError{What: "key " + quote(key), Key: true}
	}
	if index, ok := strings.CutPrefix(message, "index out of bounds: "); ok {
		return &NotFoundError{What: "item " + index + " of the list"}
	}
	culprit, state := c.culprit(w)
	if culprit == nil {
		return errors.New(message)
	}
	if strings.HasPrefix(message, "no such overload") && culprit.Kind() == ast.CallKind {
		message = c.env.overloadProblem(culprit.AsCall().FunctionName(), argumentTypes(culprit.AsCall(), state))
	}
	line, column := c.position(culprit.ID())
	return fmt.Errorf("line %d, column %d: %s", line, column, message)
}

// culprit finds the innermost step that failed. The node that CEL's errors carry will not do: some errors
// are shared, and carry the node that happened to meet them first.
func (c *Condition) culprit(w World) (ast.Expr, interpreter.EvalState) {
	_, seen, err := c.watch(w)
	if err == nil || seen.State == nil {
		return nil, nil
	}
	var found ast.Expr
	ast.PostOrderVisit(c.ast.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		// Variables only carry errors on, such as the result so far of a loop.
		value, ok := seen.State.Value(e.ID())
		if found == nil && ok && types.IsError(value) && e.Kind() != ast.IdentKind {
			found = e
		}
	}))
	return found, seen.State
}

// argumentTypes lists the types that a call got: (int, string).
func argumentTypes(call ast.CallExpr, state interpreter.EvalState) string {
	steps := call.Args()
	if call.IsMemberFunction() {
		steps = append([]ast.Expr{call.Target()}, steps...)
	}
	var args []ref.Val
	for _, step := range steps {
		if value, ok := state.Value(step.ID()); ok {
			args = append(args, value)
		}
	}
	return typeNames(args)
}

// position tells where a step is in the text, counting from 1.
func (c *Condition) position(id int64) (line, column int) {
	return readablePosition(c.text, c.ast.NativeRep().SourceInfo().GetStartLocation(id))
}

// source writes a step as text again.
func (c *Condition) source(e ast.Expr) string {
	return unparse(e, c.ast.NativeRep().SourceInfo())
}
