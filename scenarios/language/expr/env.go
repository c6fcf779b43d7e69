package expr

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/kubestep/kubestep/scenarios/language/expr/internal/plan"
	"github.com/kubestep/kubestep/sim/kinds"
)

// Env holds the functions and types of conditions. It is safe for concurrent use.
type Env struct {
	cel       *cel.Env
	types     *typeTable
	functions map[string]*function
	// implementations are those of CEL's own functions, by overload.
	implementations map[string]*functions.Overload
	// maxWork is what one evaluation may do (bounds.go).
	maxWork uint64
	// compiling guards types.unknown, which environments with one table of types share.
	compiling *sync.Mutex
}

// builtIn is the environment of the kinds that every cluster has, and last the newest one of other kinds. An environment takes a few
// milliseconds, and many runs of a process are of one scenario.
var (
	builtIn = sync.OnceValues(func() (*Env, error) { return newEnv(kinds.BuiltIn()) })
	last    atomic.Pointer[knownEnv]
)

type knownEnv struct {
	table *kinds.Table
	env   *Env
}

// NewEnv returns an environment for objects of these kinds. Scenarios with the same kinds share it.
func NewEnv(table *kinds.Table) (*Env, error) {
	if table == kinds.BuiltIn() {
		return builtIn()
	}
	if known := last.Load(); known != nil && known.table == table {
		return known.env, nil
	}
	env, err := newEnv(table)
	if err == nil {
		last.Store(&knownEnv{table, env})
	}
	return env, err
}

func newEnv(table *kinds.Table) (*Env, error) {
	s, err := newTypeTable(table)
	if err != nil {
		return nil, err
	}
	e := &Env{
		types: s, functions: map[string]*function{}, implementations: map[string]*functions.Overload{}, maxWork: maxWork,
		compiling: &sync.Mutex{},
	}
	options := append(libraries(),
		cel.CustomTypeAdapter(s), cel.CustomTypeProvider(s),
		cel.ParserExpressionSizeLimit(maxText), cel.ParserRecursionLimit(maxDepth),
		// Explanations show macros as they were written.
		cel.EnableMacroCallTracking(),
		cel.Variable(nowVariable, cel.DurationType),
	)
	for _, f := range newFunctions(s) {
		e.functions[f.Name] = f
		options = append(options, f.declare())
	}
	if e.cel, err = cel.NewEnv(options...); err == nil {
		err = e.addGetters()
	}
	if err != nil {
		return nil, fmt.Errorf("setting up CEL: %w", err)
	}
	for _, declaration := range e.cel.Functions() {
		overloads, err := declaration.Bindings()
		if err != nil {
			return nil, fmt.Errorf("setting up CEL: %w", err)
		}
		for _, o := range overloads {
			e.implementations[o.Operator] = o
		}
	}
	return e, nil
}

// About returns an environment that also has the variable object, of a kind, or of any if kind is nil.
func (e *Env) About(kind *kinds.Kind) (*Env, error) {
	of := cel.DynType
	if kind != nil {
		of = e.types.celType(kind)
	}
	extended, err := e.cel.Extend(cel.Variable(objectVariable, of))
	if err != nil {
		return nil, fmt.Errorf("setting up CEL: %w", err)
	}
	return &Env{
		cel: extended, types: e.types, functions: e.functions, implementations: e.implementations, maxWork: e.maxWork,
		compiling: e.compiling,
	}, nil
}

// Compile compiles a condition. Its error is a *CompileError.
func (e *Env) Compile(text string) (*Condition, error) {
	e.compiling.Lock()
	defer e.compiling.Unlock()
	if strings.TrimSpace(text) == "" {
		return nil, &CompileError{1, 1, "the condition is empty"}
	}
	parsed, issues := e.cel.Parse(text)
	if issues.Err() != nil {
		return nil, e.syntaxProblem(text, issues.Errors())
	}
	var unknown []unknownField
	e.types.unknown = func(t *structType, field string) { unknown = append(unknown, unknownField{t, field}) }
	checked, issues := e.cel.Check(parsed)
	e.types.unknown = nil
	if issues.Err() != nil {
		return nil, e.typeProblem(parsed, issues.Errors(), unknown)
	}
	if out := checked.OutputType(); out.Kind() != types.BoolKind && out.Kind() != types.DynKind {
		return nil, &CompileError{1, 1, "the condition returns " + typeName(out) + ", not true or false"}
	}
	if problem := e.namespaceProblem(checked); problem != nil {
		return nil, problem
	}
	c := &Condition{text: text, env: e, ast: checked, cursors: &cursors{}}
	program, err := e.program(checked)
	if err != nil {
		return nil, c.planProblem(err)
	}
	c.program = program
	return c, nil
}

// program plans the evaluation of a checked condition.
func (e *Env) program(checked *cel.Ast, options ...cel.ProgramOption) (cel.Program, error) {
	return e.cel.Program(checked, append(options,
		cel.EvalOptions(cel.OptOptimize),
		cel.InterruptCheckFrequency(1),
		cel.CustomDecorator(e.plan),
		cel.CustomDecorator(plan.Loops(loopSteps(checked), turn)),
	)...)
}

// loopSteps are the expressions that the loops of a condition evaluate in each turn, by their numbers.
func loopSteps(checked *cel.Ast) map[int64]bool {
	steps := map[int64]bool{}
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.Kind() == ast.ComprehensionKind {
			steps[e.AsComprehension().LoopStep().ID()] = true
		}
	}))
	return steps
}

// planError is a mistake in a call whose arguments are literals.
type planError struct {
	id  int64
	err error
}

// Error implements error.
func (p *planError) Error() string { return p.err.Error() }

// plan replaces CEL's own plan of some steps.
func (e *Env) plan(step interpreter.Interpretable) (interpreter.Interpretable, error) {
	if maker, ok := step.(interpreter.InterpretableConstructor); ok && maker.Type() == types.MapType {
		return plan.Constructor(&orderedMap{maker}), nil
	}
	call, ok := step.(interpreter.InterpretableCall)
	if !ok {
		return step, nil
	}
	if f, ok := e.functions[call.Function()]; ok && f.overloads[0].read != nil {
		planned, err := planWorldCall(f, call)
		if err != nil {
			return nil, &planError{call.ID(), err}
		}
		return planned, nil
	}
	effort, bounded := efforts[call.Function()]
	if !bounded {
		return step, nil
	}
	impl := e.implementations[call.OverloadID()]
	if impl == nil {
		impl = e.implementations[call.Function()]
	}
	return plan.Call(&boundedCall{call, plan.Arguments(call), effort, impl}), nil
}

// planProblem explains why a checked condition cannot be planned: a literal argument makes no sense.
func (c *Condition) planProblem(err error) *CompileError {
	var bad *planError
	if errors.As(err, &bad) {
		line, column := c.position(bad.id)
		return &CompileError{line, column, bad.Error()}
	}
	var value *types.Err
	if errors.As(err, &value) && value.NodeID() != 0 {
		line, column := c.position(value.NodeID())
		return &CompileError{line, column, c.conversionProblem(value.NodeID(), err)}
	}
	return &CompileError{1, 1, err.Error()}
}

// conversionProblem is about a literal that is not a duration, timestamp or number.
func (c *Condition) conversionProblem(id int64, err error) string {
	message := err.Error()
	forms := map[string]string{
		"duration":  "; write '90s', '1m30s' or '250ms'",
		"timestamp": "; write '2026-01-01T00:00:00Z'",
	}
	ast.PostOrderVisit(c.ast.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
		if e.ID() == id && e.Kind() == ast.CallKind && len(e.AsCall().Args()) == 1 {
			name := e.AsCall().FunctionName()
			message = c.source(e.AsCall().Args()[0]) + " is no " + name + forms[name]
		}
	}))
	return message
}

// orderedMap is a map literal, whose keys come in order like those of any other map.
type orderedMap struct {
	interpreter.InterpretableConstructor
}

// Eval implements interpreter.Interpretable.
func (m *orderedMap) Eval(vars interpreter.Activation) ref.Val {
	value := m.InterpretableConstructor.Eval(vars)
	if made, ok := value.Value().(map[ref.Val]ref.Val); ok {
		return sortedMap{types.NewRefValMap(types.DefaultTypeAdapter, made)}
	}
	return value
}

// callable lists the names of all functions and macros, in alphabetical order.
func (e *Env) callable() []string {
	var names []string
	for name := range e.cel.Functions() {
		if name[0] >= 'a' && name[0] <= 'z' {
			names = append(names, name)
		}
	}
	for _, macro := range e.cel.Macros() {
		names = append(names, macro.Function())
	}
	sort.Strings(names)
	return names
}
