package why_test

import (
	"os"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/snapshot"
	"github.com/kubestep/kubestep/scenarios/reading/why"
)

// TestADumpWithCustomResources asks for an object whose kind the dump defines, and finds it among all that are not as they want
// to be.
func TestADumpWithCustomResources(t *testing.T) {
	file, err := os.Open("../../language/snapshot/testdata/custom.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	dump, err := snapshot.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	history, err := why.FromDump(dump)
	if err != nil {
		t.Fatal(err)
	}
	target, err := notation.ParseTarget(history.Kinds(), "farm/north")
	if err != nil {
		t.Fatal(err)
	}
	now, err := history.Parse("")
	if err != nil {
		t.Fatal(err)
	}
	o, err := now.Find(target)
	if err != nil {
		t.Fatal(err)
	}
	for name, answers := range map[string][]*why.Answer{"of the object": now.Ask(o), "of all": now.Unmet("")} {
		var out strings.Builder
		why.Print(&out, answers, true, 100)
		if text := out.String(); !strings.Contains(text, "farms.example.com/north") || !strings.Contains(text, "example.com/harvest") {
			t.Errorf("the answer %s does not name the Farm and its finalizer:\n%s", name, text)
		}
	}
}
