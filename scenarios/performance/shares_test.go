package main

import "testing"

// TestOwnerOf charges stacks, the innermost function first.
func TestOwnerOf(t *testing.T) {
	for _, c := range []struct {
		about string
		stack []string
		want  owner
	}{
		{"Go's packages work for their caller", []string{
			"runtime.mallocgc", "encoding/json.Marshal", "k8s.io/apimachinery/pkg/runtime.Encode",
			"github.com/kubestep/kubestep/sim/apiserver.update",
		}, kubernetes},
		{"so do generic ones", []string{"slices.SortFunc[...]", "sigs.k8s.io/structured-merge-diff/v6/typed.merge"}, kubernetes},
		{"what kubestep does itself", []string{"runtime.memmove", "github.com/kubestep/kubestep/sim/trace/diff.Objects", "k8s.io/x.F"}, kubestep},
		{"a library", []string{"github.com/google/cel-go/cel.(*prog).Eval", "github.com/kubestep/kubestep/sim.F"}, libraries},
		{"collecting while others work", []string{"runtime.scanObject", "runtime.gcDrain", "runtime.gcBgMarkWorker.func2"}, collector},
		{"an allocation that helps to collect", []string{"runtime.gcAssistAlloc", "runtime.mallocgc", "k8s.io/api/core/v1.F"}, kubernetes},
		{"a switch between goroutines", []string{"runtime.schedule", "runtime.mcall"}, others},
	} {
		if got := ownerOf(c.stack); got != c.want {
			t.Errorf("%s: %v is charged to %s, want %s", c.about, c.stack, sharesHead[got+1], sharesHead[c.want+1])
		}
	}
}

// TestShares holds that the percentages are those of all samples, and that each owner has a column.
func TestShares(t *testing.T) {
	s := shares{kubernetes: 6, kubestep: 3, others: 1}
	row := s.row("a run")
	if len(row) != len(sharesHead) || row[1] != "60 %" || row[2] != "30 %" || row[5] != "10 %" {
		t.Errorf("%v", row)
	}
}
