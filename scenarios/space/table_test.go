package space_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/space"
	"github.com/kubestep/kubestep/sim/golden"
)

// TestTheTableOfSpaces keeps the table of fault spaces in the documentation as the spaces are.
func TestTheTableOfSpaces(t *testing.T) {
	const page, begin, end = "../../docs/explanation/exploration.md", "| space | what goes wrong |", "\n\n"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(data), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		t.Fatalf("%s has no table that begins with %q", page, begin)
	}
	table := begin + " what the seed draws |\n|---|---|---|\n"
	for _, s := range space.All() {
		table += fmt.Sprintf("| `%s` | %s | %s |\n", s.Name, s.Sentence, s.Draws)
	}
	golden.Compare(t, page, before+strings.TrimSuffix(table, "\n")+end+after)
}
