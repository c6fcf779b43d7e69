package runner

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestCommandsDoNotWaitForEachOther: each command of kubectl has a client of its own, so 60 of them do not share a rate limit, which
// would let 20 a second pass.
func TestCommandsDoNotWaitForEachOther(t *testing.T) {
	text := &strings.Builder{}
	text.WriteString("apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: many}\nspec:\n  title: Many commands\n  horizon: 1m\n  steps:\n")
	for i := range 60 {
		text.WriteString("  - create: 'apiVersion: v1\n\n      kind: ConfigMap\n\n      metadata: {name: c" + strconv.Itoa(i) + "}'\n")
	}
	scenario, err := format.Parse("many.yaml", []byte(text.String()), verb.All)
	if err != nil {
		t.Fatal(err)
	}
	var last time.Duration
	created := 0
	_, err = Run(scenario, RunOptions{Sinks: []trace.Sink{func(r *trace.Record, _ []byte) {
		if r.Request != nil && r.Request.Verb == "create" && r.Actor == verb.User {
			created, last = created+1, r.At
		}
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if created != 60 || last > time.Second {
		t.Errorf("%d requests, the last at %s, want 60 in less than a second", created, last)
	}
}
