package invariant_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/verdict/invariant"
	"github.com/kubestep/kubestep/sim/simtest/golden"
)

const referenceHead = `# Invariants

Every run checks these rules, whatever its scenario checks. A violation is a failed check: a line in the trace at the time at which it
happens, with its cause, and the exit code is 1. The summary counts the invariants (` + "`invariants 6/6`" + `). The trace shows the first violation
of an invariant and counts the others. An invariant without anything to check is not counted.

Most invariants evaluate the decisions of *controllers*, based on the contents of their caches at that moment. What users, kubelets and
faults do is not a violation. Neither are additional Pods that also exist for a moment in real clusters.

If a scenario shows a bug, or behavior that Kubernetes does not guarantee, it names the invariants that it breaks. The run then fails if
one of them is *not* broken:

    spec:
      invariants: {expect: [replicaset-pods]}

` + "`skip`" + ` instead of ` + "`expect`" + ` does not check the invariant, and the summary says so.

`

const limitsHead = `## When a controller is hot

A controller that nothing gives reason to act does what it does at a constant rate at most, that of its clocks. The limits are beyond
those rates, and grow with what others change and with what an owner wants. They hold for each object, or for each owner of created objects;
the message has the numbers. A run with faults that is hot is compared with the run without them
([exploration.md](../explanation/exploration.md#stuck-hot-diverged-and-late)).

| what it does | found by | hot from | what explains less |
|---|---|---|---|
`

// TestReferenceIsFresh keeps docs/reference/invariants.md as the files of the package say.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, i := range invariant.All() {
		fmt.Fprintf(&out, "## %s\n\n%s\n\n- Exceptions: %s\n- Upstream: %s\n\n", i.Name, i.Sentence, i.Forgives, i.Upstream)
	}
	out.WriteString(limitsHead)
	for _, l := range invariant.Limits() {
		fmt.Fprintf(&out, "| %s | `%s` | %s | %s |\n", l.Work, l.Invariant, l.From, l.Because)
	}
	out.WriteString("\n")
	golden.Page(t, "../../../docs/reference/invariants.md", "scenarios/verdict/invariant", strings.TrimSuffix(out.String(), "\n"))
}

// TestEachInvariantHasAFile wants a file for each, named as it is, in this package or in that of decisions, and the names sorted.
func TestEachInvariantHasAFile(t *testing.T) {
	if !slices.IsSorted(invariant.Names()) {
		t.Errorf("%v is not sorted", invariant.Names())
	}
	for _, name := range invariant.Names() {
		file := strings.ReplaceAll(name, "-", "_") + ".go"
		text, err := os.ReadFile(file)
		if err != nil {
			text, err = os.ReadFile("internal/decision/" + file)
		}
		if err != nil || !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("%s has no file of its own: %v", name, err)
		}
	}
}
