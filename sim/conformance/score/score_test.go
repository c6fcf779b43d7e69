package score_test

import (
	"strings"
	"testing"

	"github.com/kubestep/kubestep/sim/conformance/score"
)

const text = `# a comment
job TestA pass
job TestB skip
job TestC watches do not end
`

// TestDifference reports each outcome that is not the expected one. A failure with a reason may fail in any way.
func TestDifference(t *testing.T) {
	expected, err := score.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		test, state string
		differs     bool
	}{
		{"TestA", "pass", false}, {"TestA", "fail", true}, {"TestA", "skip", true},
		{"TestB", "skip", false}, {"TestB", "pass", true}, {"TestB", "crash", true},
		{"TestC", "fail", false}, {"TestC", "timeout", false}, {"TestC", "pass", true},
		{"TestD", "pass", true},
	} {
		difference := expected.Difference(score.Test{Package: "job", Name: c.test}, c.state)
		if (difference != "") != c.differs {
			t.Errorf("%s %s: %q; differs: want %t", c.test, c.state, difference, c.differs)
		}
	}
}

// TestRecord keeps the reason of a failure, and asks for one where there is none.
func TestRecord(t *testing.T) {
	expected, err := score.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, state := range map[string]string{"TestA": "fail", "TestB": "pass", "TestC": "crash"} {
		expected.Record(score.Test{Package: "job", Name: name}, state)
	}
	got := expected.Text()
	for _, want := range []string{"job TestA " + score.Unknown, "job TestB pass", "job TestC watches do not end"} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	found := map[score.Test]bool{{Package: "job", Name: "TestA"}: true, {Package: "job", Name: "TestB"}: true}
	if gone := expected.Gone("job", found); len(gone) != 1 || gone[0].Name != "TestC" {
		t.Errorf("upstream does not have %v any more; want TestC", gone)
	}
	if _, err := score.Parse("job TestA\n"); err == nil {
		t.Error("a line without an outcome is read")
	}
}

// TestNearest proposes the package that was probably meant, and all of them for a name that is like none.
func TestNearest(t *testing.T) {
	for name, want := range map[string]string{
		"deploymnt": "deployment", "jobs": "job", "deamonset": "daemonset", "apiserver/aply": "apiserver/apply",
	} {
		if got := score.Nearest(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := score.Nearest("xyz"); got != "one of "+strings.Join(score.Names(), ", ") {
		t.Errorf("xyz: %s", got)
	}
}
