package law_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/law"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

// TestTheTable holds that each time of the table has a sentence, a page and a wait.
func TestTheTable(t *testing.T) {
	for _, field := range law.Fields {
		if !strings.HasSuffix(field.Sentence, ".") || !strings.HasPrefix(field.Page, "https://kubernetes.io/docs/") {
			t.Errorf("%s: sentence %q, page %q", field.Path, field.Sentence, field.Page)
		}
		if field.Waits == "" || field.From == "" {
			t.Errorf("%s: nothing waits for it", field.Path)
		}
	}
}

// TestReferenceIsFresh keeps docs/reference/laws.md as the table says.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	out.WriteString(lawsHead)
	for _, field := range law.Fields {
		length, notes := "-", []string{}
		if field.Default > 0 {
			length = law.Seconds(field.Default)
		}
		if field.Races {
			notes = append(notes, "decides")
		}
		if field.Repeats {
			notes = append(notes, "any number of times")
		}
		fmt.Fprintf(&out, "| %s | `%s` | [%s](%s) | %s | %s |\n", field.Objects(), field.Path, field.Sentence, field.Page, length,
			strings.Join(notes, ", "))
	}
	golden.Page(t, "../../../docs/reference/laws.md", "scenarios/reading/law", out.String())
}

// TestChangeEachTime changes each time of a scenario that has many, and reads it again.
func TestChangeEachTime(t *testing.T) {
	const path = "testdata/many.yaml"
	scenario, err := format.Load(path, verb.All)
	if err != nil {
		t.Fatal(err)
	}
	times, err := law.Find(scenario)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, time := range times {
		fmt.Fprintf(&out, "%s %s default=%v\n", time, law.Seconds(time.Value), time.Default)
	}
	golden.Compare(t, "testdata/many.txt", out.String())
	for _, changed := range times {
		text, err := changed.Change(scenario, times, 2*changed.Value)
		if err != nil {
			t.Fatal(err)
		}
		again, err := format.Parse(path, text, verb.All)
		if err != nil {
			t.Fatalf("%s: %v\n%s", changed, err, text)
		}
		found, err := law.Find(again)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(found, func(other *law.Time) bool { return other.String() == changed.String() })
		if len(found) != len(times) || i < 0 || found[i].Value != 2*changed.Value || found[i].Default {
			t.Errorf("%s is not %s in\n%s", changed, 2*changed.Value, text)
		}
		for j, other := range found {
			if j < len(times) && other.String() != changed.String() && other.Value != times[j].Value && other.String() == times[j].String() {
				t.Errorf("%s changes %s, too", changed, other)
			}
		}
	}
}
