package agreement_test

import (
	"bytes"
	"io/fs"
	"testing"

	"github.com/kubestep/kubestep/controllers/explain/internal/agreement"
	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestExplanationsAgreeWithShippedScenarios plays all scenarios that come with kubestep, and compares what
// is explained about each sync with what the real controllers did in it.
func TestExplanationsAgreeWithShippedScenarios(t *testing.T) {
	files, err := library.Files()
	if err != nil {
		t.Fatal(err)
	}
	var all agreement.Tally
	actions, due := agreement.NewActions(), agreement.NewDue()
	for _, file := range files {
		text, err := fs.ReadFile(scenarios.Files, file)
		if err != nil {
			t.Fatal(err)
		}
		scenario, err := library.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		wrong := func(format string, args ...any) { t.Errorf("%s: "+format, append([]any{file}, args...)...) }
		p, seed := agreement.New(t, nil), int64(1)
		// What nobody would sync any more is left out.
		if _, err := runner.Run(scenario, runner.RunOptions{Seed: &seed, EndEarly: true, Sinks: []trace.Sink{p.Sink}}); err != nil {
			t.Fatal(err)
		}
		p.Done()
		all.Add(p.CompareRollouts(t, wrong))
		p.CompareDue(due, wrong)
		gate := func(setting string) bool { return bytes.Contains(text, []byte(setting)) } // a trace does not tell them
		if !gate("MaxUnavailableStatefulSet: false") && !gate("StatefulSetSemanticRevisionComparison: false") {
			p.CompareActions(actions, wrong)
		}
	}
	t.Log(all)
	actions.Check(t)
	due.Check(t)
	if all.Acted < 100 {
		t.Errorf("only %d syncs changed a ReplicaSet: that proves little", all.Acted)
	}
}
