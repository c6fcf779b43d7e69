package space_test

import (
	"fmt"
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/space"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestTheTableOfSpaces keeps the table of fault spaces in the documentation as the spaces are.
func TestTheTableOfSpaces(t *testing.T) {
	var rows []string
	for _, s := range space.All() {
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |", s.Name, s.Sentence, s.Draws))
	}
	golden.Table(t, "../../../docs/explanation/exploration.md", "| space | what goes wrong | what the seed draws |", rows)
}
