package expr

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/language/spelling"
)

// CompileError is an error in the text of a condition. Line and Column count from 1, inside the text.
type CompileError struct {
	Line, Column int
	Message      string
}

// Error implements error.
func (e *CompileError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// NotFoundError means that a condition reads something that does not exist, or not yet: an object, an unset field, a
// key of a map, an item of a list. A step that waits for the condition keeps waiting.
type NotFoundError struct {
	// What is missing: deployment default/web, or completionTime of JobStatus.
	What string
	// Unset means that the field exists and is empty.
	Unset bool
	// Key means that a map or a custom resource, which exists, has no such key.
	Key bool
}

// Error implements error.
func (e *NotFoundError) Error() string {
	if e.Unset {
		return e.What + " is not set"
	}
	return e.What + " does not exist"
}

// didYouMean proposes the candidate nearest to a misspelt name, as "; did you mean X?", or nothing when
// none is near. The first of equally near candidates wins, so their order must be fixed.
func didYouMean(name string, candidates []string) string {
	best := spelling.Nearest(name, candidates)
	if plural := best + "s"; best != "" && len(plural) == len(name) && slices.Contains(candidates, plural) {
		// podz is pods with a wrong letter rather than pod with one more.
		best = plural
	}
	if best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}
