package outcome_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/serving/e2e/outcome"
)

const text = `# a comment
pass [sig-apps] A works [Conformance]
skip [sig-apps] B works [Conformance]
webhook [sig-node] C works [Conformance]
`

func parsed(t *testing.T) outcome.Expectations {
	t.Helper()
	expected, err := outcome.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return expected
}

// TestDifference reports each outcome that is not the expected one. A failure with a reason may fail in any way.
func TestDifference(t *testing.T) {
	for _, c := range []struct {
		name, state string
		differs     bool
	}{
		{"[sig-apps] A", "pass", false}, {"[sig-apps] A", "fail", true}, {"[sig-apps] A", "skip", true},
		{"[sig-apps] B", "skip", false}, {"[sig-apps] B", "pass", true}, {"[sig-apps] B", "crash", true},
		{"[sig-node] C", "fail", false}, {"[sig-node] C", "timeout", false}, {"[sig-node] C", "pass", true},
		{"[sig-node] D", "pass", true},
	} {
		difference := parsed(t).Difference(c.name+" works [Conformance]", c.state)
		if (difference != "") != c.differs {
			t.Errorf("%s %s: %q; differs: want %t", c.name, c.state, difference, c.differs)
		}
	}
}

// TestRecorded keeps the reason of a failure, asks for one where there is none, and follows upstream's list of tests.
func TestRecorded(t *testing.T) {
	all := []string{"[sig-node] C works [Conformance]", "[sig-apps] A works [Conformance]", "[sig-node] D works [Conformance]"}
	got := parsed(t).Recorded(all, map[string]string{all[0]: "crash", all[1]: "fail"})
	want := outcome.Expectations{{Name: all[0], Outcome: "webhook"}, {Name: all[1], Outcome: outcome.Unknown}, {Name: all[2], Outcome: outcome.Unknown}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"[sig-apps] B works [Conformance]"}, parsed(t).Gone(all)); diff != "" {
		t.Error("upstream does not have these tests any more:\n" + diff)
	}
	if again, err := outcome.Parse(got.Text()); err != nil || !cmp.Equal(got, again) {
		t.Errorf("written and read again: %v, %v", again, err)
	}
	if _, err := outcome.Parse("pass\n"); err == nil {
		t.Error("a line without a name is read")
	}
}
