package invariant_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/invariant"
)

const referenceHead = `# Invariants

<!-- Written by go test ./scenarios/invariant -rewrite; edit the files of scenarios/invariant instead. -->

What every run checks by itself, whatever its scenario checks. A breach is a check that fails: a line in the trace at the moment it
happens, with its cause, counted in the summary (` + "`invariants 6/6`" + `), and the exit code is 1. Only the first breach of an invariant is told;
the others are counted. An invariant that there was nothing to look at for is not counted.

They judge what *controllers* decide, by what their caches held when they decided it: what users, kubelets and faults do is no breach.
Real clusters have more Pods than they should for a moment, and that is not one either.

A scenario about a bug, or about what Kubernetes does not promise, names the invariants that it breaks. The run then fails if one of
them is *not* broken:

    spec:
      invariants: {expect: [replicaset-pods]}

` + "`skip`" + ` instead of ` + "`expect`" + ` does not look at all, and the summary says so.

`

// TestReferenceIsFresh keeps docs/reference/invariants.md as the files of the package say.
func TestReferenceIsFresh(t *testing.T) {
	var out strings.Builder
	out.WriteString(referenceHead)
	for _, i := range invariant.All() {
		fmt.Fprintf(&out, "## %s\n\n%s\n\n- No breach: %s\n- Upstream: %s\n\n", i.Name, i.Sentence, i.Forgives, i.Upstream)
	}
	golden(t, "../../docs/reference/invariants.md", strings.TrimSuffix(out.String(), "\n"))
}

// TestEachInvariantHasAFile wants a file for each, named as it is, and the names sorted.
func TestEachInvariantHasAFile(t *testing.T) {
	if !slices.IsSorted(invariant.Names()) {
		t.Errorf("%v is not sorted", invariant.Names())
	}
	for _, name := range invariant.Names() {
		text, err := os.ReadFile(strings.ReplaceAll(name, "-", "_") + ".go")
		if err != nil || !strings.Contains(string(text), `"`+name+`"`) {
			t.Errorf("%s has no file of its own: %v", name, err)
		}
	}
}
