package expr

import (
	"fmt"
	"strings"
)

// CompileError is a mistake in the text of a condition. Line and Column count from 1, inside the text.
type CompileError struct {
	Line, Column int
	Message      string
}

// Error implements error.
func (e *CompileError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// NotFoundError says that a condition looks at something that is not there, or not yet: an object, a
// field that is unset, a key of a map, an item of a list. Who waits for the condition goes on waiting.
type NotFoundError struct {
	// What is missing: deployment default/web, or completionTime of JobStatus.
	What string
	// Unset says that the place exists and is empty.
	Unset bool
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
	if best := nearest(name, candidates); best != "" {
		return "; did you mean " + best + "?"
	}
	return ""
}

func nearest(name string, candidates []string) string {
	// A third of the letters may be wrong: avalable for available, but not pod for job.
	limit := len(name)/3 + 1
	best := ""
	for _, candidate := range candidates {
		if candidate == name {
			continue
		}
		if d := editDistance(strings.ToLower(name), strings.ToLower(candidate), limit); d < limit {
			best, limit = candidate, d
		}
	}
	return best
}

// editDistance counts the letters to insert, delete, replace or swap with their neighbour that turn a
// into b (the restricted Damerau-Levenshtein distance). It gives up at limit.
func editDistance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, previous, current := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range previous {
		previous[j] = j
	}
	for i := 1; i <= len(a); i++ {
		current[0] = i
		for j := 1; j <= len(b); j++ {
			replace := previous[j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			current[j] = min(replace, previous[j]+1, current[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				current[j] = min(current[j], before[j-2]+1)
			}
		}
		before, previous, current = previous, current, before
	}
	return previous[len(b)]
}
