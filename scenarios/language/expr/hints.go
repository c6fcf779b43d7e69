package expr

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
)

// CEL's messages are exact, and written for who knows CEL. What follows says the same for who knows
// Kubernetes, with what to write instead.

// unknownField is a field that the checker asked the type table for in vain.
type unknownField struct {
	typ  *structType
	name string
}

// slip is a piece of another language that conditions are often written in.
type slip struct {
	pattern *regexp.Regexp
	advice  string
}

var slips = []slip{
	{regexp.MustCompile(`=~`), "=~ is not an operator; write text.matches('pattern')"},
	{regexp.MustCompile(`=`), "= is not an operator; write == to compare, and quote label selectors: 'app=web'"},
	{regexp.MustCompile(`\b(?i:and)\b`), "write && for and"},
	{regexp.MustCompile(`\b(?i:or)\b`), "write || for or"},
	{regexp.MustCompile(`\b(?i:not)\b`), "write ! for not"},
	{regexp.MustCompile(`<>`), "write != for <>"},
	{regexp.MustCompile(`&`), "write && for and"},
	{regexp.MustCompile(`\|`), "write || for or"},
	{regexp.MustCompile(`[‘’“”]`), "these are typographic quotes; write ' or \""},
	{regexp.MustCompile(`\bnamespace\(`), "namespace is a reserved word of CEL; write ns('shop')"},
	{regexp.MustCompile(`\d(ms|s|m|h)\b`), "write duration('10s') for a length of time"},
}

// operatorPattern are the operators of CEL that contain a character of a slip, and quoted texts: both are
// blanked out before slips are looked for.
var operatorPattern = regexp.MustCompile(`'(\\.|[^'\\])*'|"(\\.|[^"\\])*"|==|!=|<=|>=|&&|\|\|`)

// syntaxProblem explains why a text is not valid CEL.
func (e *Env) syntaxProblem(text string, issues []*cel.Error) *CompileError {
	masked := operatorPattern.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("_", len(s)) })
	first, advice := len(masked), ""
	for _, s := range slips {
		if at := s.pattern.FindStringIndex(masked); at != nil && at[0] < first {
			first, advice = at[0], s.advice
		}
	}
	if advice != "" {
		line, column := lineColumn(text, first)
		return &CompileError{line, column, advice}
	}
	line, column := max(issues[0].Location.Line(), 1), max(issues[0].Location.Column(), 0)+1
	return &CompileError{line, column, plainSyntax(issues[0].Message)}
}

// lineColumn counts lines and runes up to a byte offset.
func lineColumn(text string, offset int) (line, column int) {
	before := text[:offset]
	start := strings.LastIndexByte(before, '\n') + 1
	return strings.Count(before, "\n") + 1, len([]rune(before[start:])) + 1
}

// readablePosition points at the name where CEL points at what follows or leads it: the parenthesis of a
// call, the dot of a field. Lines and columns count from 1.
func readablePosition(text string, location common.Location) (line, column int) {
	line, column = max(location.Line(), 1), max(location.Column(), 0)
	lines := strings.Split(text, "\n")
	if line > len(lines) {
		return line, column + 1
	}
	runes := []rune(lines[line-1])
	if column < len(runes) && runes[column] == '(' {
		for column > 0 && isNameRune(runes[column-1]) {
			column--
		}
	}
	for column+1 < len(runes) && (runes[column] == '.' || runes[column] == '?') && runes[column+1] != ' ' {
		column++
	}
	return line, column + 1
}

func isNameRune(r rune) bool {
	return r == '_' || r == '.' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

func located(text string, issue *cel.Error, message string) *CompileError {
	line, column := readablePosition(text, issue.Location)
	return &CompileError{line, column, message}
}

var syntaxMessages = []struct {
	pattern *regexp.Regexp
	plain   string
}{
	{regexp.MustCompile(`(?s)^Syntax error: (?:mismatched input|extraneous input|no viable alternative at input) '<EOF>'.*`), "the expression is not finished"},
	{regexp.MustCompile(`(?s)^Syntax error: no viable alternative at input '.*[.]'$`), "the expression is not finished"},
	{regexp.MustCompile(`(?s)^Syntax error: (?:mismatched input|extraneous input|no viable alternative at input) (.*?)(?: expecting .*)?$`), "unexpected $1"},
	{regexp.MustCompile(`(?s)^Syntax error: token recognition error at: '['"].*$`), "the quoted text has no end"},
	{regexp.MustCompile(`(?s)^Syntax error: token recognition error at: (.*)$`), "unexpected $1"},
	{regexp.MustCompile(`(?s)^Syntax error: missing (.*) at '<EOF>'$`), "missing $1 at the end"},
	{regexp.MustCompile(`(?s)^Syntax error: (.*)$`), "$1"},
	{regexp.MustCompile(`(?s)^reserved identifier: (.*)$`), "$1 is a reserved word of CEL"},
}

// plainSyntax shortens a message of the parser, which lists all tokens that it would have liked.
func plainSyntax(message string) string {
	for _, m := range syntaxMessages {
		if m.pattern.MatchString(message) {
			return m.pattern.ReplaceAllString(message, m.plain)
		}
	}
	return message
}

var (
	undeclared   = regexp.MustCompile(`^undeclared reference to '(.*)' \(in container ''\)$`)
	undefined    = regexp.MustCompile(`^undefined field '(.*)'$`)
	noOverload   = regexp.MustCompile(`^found no matching overload for '(.*)' applied to '(.*)'$`)
	wrongType    = regexp.MustCompile(`^expected type '(.*)' but found '(.*)'$`)
	noFields     = regexp.MustCompile(`^type '(.*)' does not support field selection$`)
	noRange      = regexp.MustCompile(`^expression of type '(.*)' cannot be range of a comprehension`)
	protobufTime = strings.NewReplacer("google.protobuf.", "", "Duration", "duration", "Timestamp", "timestamp")
)

// typeProblem explains the first thing that the type checker found.
func (e *Env) typeProblem(parsed *cel.Ast, issues []*cel.Error, unknown []unknownField) *CompileError {
	issue := issues[0]
	message := issue.Message
	if m := undeclared.FindStringSubmatch(message); m != nil {
		message = e.undeclaredProblem(parsed, issue, m[1])
	} else if m := undefined.FindStringSubmatch(message); m != nil {
		for _, u := range unknown {
			if u.name == m[1] {
				message = u.typ.noSuchField(u.name).Error()
				break
			}
		}
	} else if m := noOverload.FindStringSubmatch(message); m != nil {
		message = e.overloadProblem(m[1], readableTypes(m[2]))
	} else if m := wrongType.FindStringSubmatch(message); m != nil {
		message = "expected " + readableTypes(m[1]) + ", not " + readableTypes(m[2])
	} else if m := noFields.FindStringSubmatch(message); m != nil {
		message = "a value of type " + readableTypes(m[1]) + " has no fields"
	} else if m := noRange.FindStringSubmatch(message); m != nil {
		message = "a value of type " + readableTypes(m[1]) + " is not a list"
	}
	return located(parsed.Source().Content(), issue, message)
}

func readableTypes(text string) string {
	if strings.Contains(text, "google.protobuf.") {
		return protobufTime.Replace(text)
	}
	return text
}

// undeclaredProblem is about a name that means nothing: a function's or a variable's.
func (e *Env) undeclaredProblem(parsed *cel.Ast, issue *common.Error, name string) string {
	kind := ast.UnspecifiedExprKind
	ast.PostOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(x ast.Expr) {
		if x.ID() == issue.ExprID {
			kind = x.Kind()
		}
	}))
	if kind == ast.CallKind {
		return "unknown function " + name + didYouMean(name, e.callable())
	}
	if f := e.functions[name]; f != nil {
		return name + " is a function; write " + f.Signature
	}
	return "unknown variable " + name + didYouMean(name, []string{nowVariable}) +
		"; text needs quotes: " + quote(name)
}

// overloadProblem is about a function or operator whose arguments have the wrong types or number.
func (e *Env) overloadProblem(name, applied string) string {
	if f := e.functions[name]; f != nil {
		if strings.Contains(applied, ".(") {
			return name + " is not called on a value; write " + f.Signature
		}
		return name + " does not take " + applied + "; write " + f.Signature
	}
	if symbol, ok := operators.FindReverse(name); ok && symbol != "" {
		message := symbol + " does not take " + applied
		if strings.Contains(applied, "duration") && strings.Contains(applied, "int") {
			message += "; write duration('10s') for a length of time"
		}
		if strings.Contains(applied, "kubernetes.Quantity") {
			message += "; write a.isLessThan(b), a.isGreaterThan(b), a.add(b) or a.sub(b)"
		}
		return message
	}
	for _, f := range describedFunctions() {
		if f.Name == name {
			return name + " does not take " + applied + "; write " + f.Signature
		}
	}
	return name + " does not take " + applied
}
