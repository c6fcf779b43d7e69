package tui

import (
	"slices"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/tui/internal/opener"
)

// TestOpenChangesAScenario: what --place adds is in the scenario that is run, and so in its branches; choices are those of each run.
func TestOpenChangesAScenario(t *testing.T) {
	seed, asked := int64(7), int64(0)
	options := OpenOptions{Look: Look{Palette: "default", Background: "dark"}, Seed: &seed, Choices: "0,1", Changed: "--place"}
	options.Change = func(scenario *format.Scenario, seed int64) (*format.Scenario, error) {
		asked = seed
		return format.Parse(scenario.Path(), append(slices.Clone(scenario.Source()), "# changed\n"...), verb.All)
	}
	m, err := prepare(t.Context(), "create", options)
	if err != nil {
		t.Fatal(err)
	}
	entry := m.loading.entry
	if run := m.options.Open.(opener.Run); asked != seed || run.Choices != "0,1" || !slices.Equal(entry.Source, entry.Scenario.Source()) ||
		!slices.Equal(entry.Source[max(len(entry.Source)-10, 0):], []byte("# changed\n")) {
		t.Errorf("seed %d, %+v, and the scenario ends with %q", asked, run, entry.Source[max(len(entry.Source)-20, 0):])
	}
}
