package expr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"k8s.io/apimachinery/pkg/api/meta"
)

// A form without a namespace means the namespace default, as in kubectl. Two mistakes are easy to make: to look in a list of that namespace
// for objects of another one, and to name the namespace where a label selector is expected.

// namespaceProblem finds a comparison that is never true: of the namespace of an item with another one than that of the list.
//
//	list('jobs').exists(j, j.metadata.namespace == 'shop')
func (e *Env) namespaceProblem(checked *cel.Ast) (problem *CompileError) {
	ast.PreOrderVisit(checked.NativeRep().Expr(), ast.NewExprVisitor(func(loop ast.Expr) {
		if loop.Kind() != ast.ComprehensionKind || problem != nil {
			return
		}
		c := loop.AsComprehension()
		of := c.IterRange()
		for of.Kind() == ast.ComprehensionKind {
			of = of.AsComprehension().IterRange()
		}
		form, listed, ok := e.listed(of)
		if !ok {
			return
		}
		ast.PreOrderVisit(c.LoopStep(), ast.NewExprVisitor(func(step ast.Expr) {
			name, ok := comparedNamespace(step, c.IterVar())
			if !ok || name == listed.namespace || problem != nil {
				return
			}
			instead := fmt.Sprintf("list('%s/%s')", name, listed.kind.Resource)
			if form == podsFunction {
				instead = fmt.Sprintf("pods('%s', '')", name)
			}
			line, column := lineColumnOf(checked, step)
			problem = &CompileError{line, column, fmt.Sprintf("the list has only %s of the namespace %s, so this is never true; write %s",
				listed.kind.Resource, listed.namespace, instead)}
		}))
	}))
	return problem
}

// The functions that list objects.
const (
	listFunction = "list"
	podsFunction = "pods"
)

// listed is what a call of pods() or list() lists, if all of its arguments are literals and it lists one namespace.
func (e *Env) listed(call ast.Expr) (form string, listed listRef, ok bool) {
	if call.Kind() != ast.CallKind {
		return "", listRef{}, false
	}
	var args []string
	for _, arg := range call.AsCall().Args() {
		literal, ok := literalText(arg)
		if !ok {
			return "", listRef{}, false
		}
		args = append(args, literal)
	}
	var err error
	switch form = call.AsCall().FunctionName(); {
	case form == listFunction && len(args) > 0:
		listed, err = e.types.parseListRef(args[0], "")
	case form == podsFunction:
		listed, err = e.types.parsePodsRef(args)
	default:
		return "", listRef{}, false
	}
	return form, listed, err == nil && listed.namespace != ""
}

// comparedNamespace is the literal that a step compares the namespace of a variable with.
func comparedNamespace(step ast.Expr, variable string) (name string, ok bool) {
	if step.Kind() != ast.CallKind || step.AsCall().FunctionName() != operators.Equals {
		return "", false
	}
	for i, side := range step.AsCall().Args() {
		if isNamespaceOf(side, variable) {
			return literalText(step.AsCall().Args()[1-i])
		}
	}
	return "", false
}

// isNamespaceOf reports whether a step is variable.metadata.namespace.
func isNamespaceOf(step ast.Expr, variable string) bool {
	for _, field := range []string{"namespace", "metadata"} {
		if step.Kind() != ast.SelectKind || step.AsSelect().FieldName() != field {
			return false
		}
		step = step.AsSelect().Operand()
	}
	return step.Kind() == ast.IdentKind && step.AsIdent() == variable
}

// literalText is the text of a literal.
func literalText(step ast.Expr) (text string, ok bool) {
	if step.Kind() != ast.LiteralKind {
		return "", false
	}
	text, ok = step.AsLiteral().Value().(string)
	return text, ok
}

// lineColumnOf is where a step begins, counted from 1.
func lineColumnOf(checked *cel.Ast, step ast.Expr) (line, column int) {
	least, found := int32(0), false
	info := checked.NativeRep().SourceInfo()
	ast.PostOrderVisit(step, ast.NewExprVisitor(func(part ast.Expr) {
		if span, ok := info.GetOffsetRange(part.ID()); ok && (!found || span.Start < least) {
			least, found = span.Start, true
		}
	}))
	at := info.GetLocationByOffset(least)
	return max(at.Line(), 1), max(at.Column(), 0) + 1
}

// noteElsewhere notes, for an explanation, where the objects are that a list does not have.
func (e *evaluation) noteElsewhere(r listRef) {
	if r.namespace == "" || len(e.elsewhere) > 0 {
		return
	}
	all := e.world.List(r.kind.GroupResource(), "")
	if !r.selector.Empty() {
		all = selected(all, r.selector)
	}
	counts := map[string]int{}
	for _, object := range all {
		if accessor, err := meta.Accessor(object); err == nil {
			counts[accessor.GetNamespace()]++
		}
	}
	if len(counts) == 0 {
		e.noteSelector(r)
		return
	}
	// The control plane has objects of its own in the namespaces of the system.
	var names []string
	for name := range counts {
		if !strings.HasPrefix(name, "kube-") {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	if len(names) > 0 {
		e.elsewhere = fmt.Sprintf("the namespace %s has no such %s, and %s has %d: list('%s/%s')", r.namespace, r.kind.Resource,
			names[0], counts[names[0]], names[0], r.kind.Resource)
	}
}

// noteSelector notes that the label selector of an empty list is the name of a namespace.
func (e *evaluation) noteSelector(r listRef) {
	requirements, _ := r.selector.Requirements()
	if len(requirements) != 1 {
		return
	}
	name := r.selector.String()
	if _, isNamespace := e.world.Get(e.types.builtIn("namespaces").GroupResource(), "", name); isNamespace {
		e.elsewhere = fmt.Sprintf("%s is a label selector here, but also a namespace, whose %s are list('%s/%s')", name,
			r.kind.Resource, name, r.kind.Resource)
	}
}
