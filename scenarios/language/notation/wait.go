package notation

import (
	"regexp"
	"strings"
	"time"

	"github.com/kubestep/kubestep/sim/kinds"

	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// WaitFor is the parsed form of a wait's "for". Exactly one field is set.
type WaitFor struct {
	Rollout   *Target       // rollout deployment/web, as kubectl rollout status
	Delete    *Target       // delete pod/web-0, as kubectl wait --for=delete
	Quiet     time.Duration // quiet 10s: no write for so long
	Condition string        // a CEL expression
}

var (
	// twoWords finds text that cannot be CEL, where two names only meet with an operator between them.
	twoWords = regexp.MustCompile(`^([A-Za-z][A-Za-z-]*)\s+([A-Za-z][A-Za-z0-9./-]*)`)
	// kubectlFor finds the conditions of kubectl wait --for.
	kubectlFor = regexp.MustCompile(`^(condition|jsonpath|delete)=`)
)

// ParseWait reads a wait's "for". Conditions are returned as they are; compiling them is not its
// business. Errors are *source.Error.
func ParseWait(table *kinds.Table, text string) (WaitFor, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return WaitFor{}, source.Problem("rollout deployment/NAME", "waits for nothing")
	}
	if match := kubectlFor.FindString(text); match == "delete=" {
		return WaitFor{}, source.Problem("delete KIND/NAME", "invalid wait %q", text)
	} else if match != "" {
		const condition = "deployment('web').status.availableReplicas == 3"
		return WaitFor{}, source.Problem("a CEL condition such as "+condition, "invalid wait %q", text)
	}
	words := strings.Fields(text)
	switch words[0] {
	case "rollout":
		return waitRollout(table, words[1:])
	case "delete":
		target, err := waitTarget(table, "delete", words[1:])
		return WaitFor{Delete: target}, err
	case "quiet":
		return waitQuiet(words[1:])
	}
	if match := twoWords.FindStringSubmatch(text); match != nil && match[2] != "in" {
		return WaitFor{}, source.Problem(waitTry(table, match[1], match[2]), "invalid wait %q: unknown keyword %q; "+
			"write rollout, delete, quiet or a CEL condition", text, match[1])
	}
	return WaitFor{Condition: text}, nil
}

// waitTry is what may have been meant. A Pod has no rollout, but it can be ready; other kinds have conditions of their own.
func waitTry(table *kinds.Table, keyword, operand string) string {
	if near := spelling.Nearest(keyword, []string{"rollout", "delete", "quiet"}); near != "" {
		return near + " " + operand
	}
	target, err := ParseTarget(table, operand)
	switch {
	case err != nil || target.Kind().RollsOut("status"):
		return "rollout " + operand
	case target.Kind().Resource == "pods":
		return "ready(" + operandOf(target) + ")"
	}
	return "a CEL condition about " + operandOf(target)
}

// operandOf writes an object as conditions do: pod('web').
func operandOf(target Target) string { return target.Kind().Singular + "('" + target.Name + "')" }

func waitRollout(table *kinds.Table, words []string) (WaitFor, error) {
	if len(words) > 0 && words[0] == "status" {
		words = words[1:]
	}
	target, err := waitTarget(table, "rollout", words)
	if err != nil {
		return WaitFor{}, err
	}
	if err := target.OneOf("has no rollout to wait for", RollsOut("status")); err != nil {
		return WaitFor{}, err
	}
	return WaitFor{Rollout: target}, nil
}

func waitTarget(table *kinds.Table, keyword string, words []string) (*Target, error) {
	switch len(words) {
	case 0:
		return nil, source.Problem(keyword+" deployment/NAME", "%s needs a target", keyword)
	case 1:
		target, err := ParseTarget(table, words[0])
		if e, ok := err.(*source.Error); ok && strings.Contains(e.Try, "/") {
			return nil, source.Problem(keyword+" "+e.Try, "%s", e.Message)
		}
		return &target, err
	}
	try := words[0]
	switch {
	case len(words) == 3 && (words[1] == "-n" || words[1] == "--namespace"):
		try = words[2] + "/" + words[0]
	case !strings.Contains(words[0], "/"):
		try += "/" + words[1]
	}
	return nil, source.Problem(keyword+" "+try, "%s takes one target", keyword)
}

func waitQuiet(words []string) (WaitFor, error) {
	if len(words) == 0 {
		return WaitFor{}, source.Problem("quiet 10s", "quiet needs a duration")
	}
	d, err := ParseDuration(strings.Join(words, " "))
	if err != nil {
		return WaitFor{}, err
	}
	if d.Duration == 0 {
		return WaitFor{}, source.Problem("quiet 10s", "quiet must be longer than 0s")
	}
	return WaitFor{Quiet: d.Duration}, nil
}

// RollsOut are the kinds that a subcommand of kubectl rollout works on.
func RollsOut(subcommand string) func(*kinds.Kind) bool {
	return func(k *kinds.Kind) bool { return k.RollsOut(subcommand) }
}

// OneOf checks that the target is of one of the kinds of which something is true.
func (t Target) OneOf(otherwise string, is func(*kinds.Kind) bool) error {
	k := t.Kind()
	if is(k) {
		return nil
	}
	var others []string
	for _, other := range kinds.BuiltIn().Which(is) {
		others = append(others, other.Singular+"/NAME")
	}
	return source.Problem(strings.Join(others, ", "), "a %s %s", k.Kind, otherwise)
}
