package why_test

import (
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// healthy plays a scenario of objects that are unusual, but as somebody wants them. A run of it has nothing to complain about, whatever
// -rewrite writes into the script.
func healthy(t *testing.T, d *datadriven.TestData) string {
	t.Helper()
	scenario, err := format.Parse("script.yaml", []byte(d.Input), verb.All)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	builder := recording.NewBuilder()
	outcome, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{builder.Sink}})
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	for _, check := range outcome.Checks {
		if check.Result != runner.Pass {
			t.Errorf("%s: %s: %s", d.Pos, check.Name, check.Message)
		}
	}
	if outcome.Result != runner.Pass || !outcome.Rests {
		t.Errorf("%s: %s %s, at rest: %t", d.Pos, outcome.Result, outcome.Error, outcome.Rests)
	}
	rec := builder.Done(recording.Origin{}, "")
	answers := why.New(rec).At(rec.Len(), rec.At(rec.Len())+time.Nanosecond).Unmet("")
	told := map[string]why.Verdict{}
	var out strings.Builder
	for _, a := range answers {
		told[trace.ObjectName(a.Object)] = a.Verdict
		if a.Verdict == why.Stuck {
			t.Errorf("%s: why says that %s is stuck", d.Pos, trace.ObjectName(a.Object))
		}
		out.WriteString(strings.Join(a.Brief(140), "\n") + "\n")
	}
	for _, u := range outcome.Unmet {
		verdict := told[u.Object]
		if verdict == why.Working {
			verdict = why.Waiting // for its controller
		}
		if u.Verdict() != string(verdict) {
			t.Errorf("%s: the run says that %s is %s, why that it is %q", d.Pos, u.Object, u.Verdict(), verdict)
		}
	}
	return out.String()
}
