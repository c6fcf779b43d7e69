package why_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestScripts plays the scripts of testdata. They have these commands:
//
//	play NAME       plays a scenario that comes with kubestep
//	play            plays the scenario below
//	play guard      plays it with the controller guard, which serves webhooks
//	now OBJECT      says what is so at each of the times below
//	why [OBJECT] at=TIME
//	                says why nothing happens to an object, or lists all that are not in their desired state
//	healthy         plays the scenario below, which must pass, without an object that is stuck, and lists what is not in its desired state at
//	                its end, with what only looks so; the run and why must agree
//	missing OBJECT at=TIME
//	                says why there is no such object
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.HasPrefix(filepath.Base(path), "kubelet") && !controllers.RunsKubelets() {
			t.Skip(controllers.ErrNoKubelet)
		}
		var history *why.History
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "play":
				history = play(t, d)
				return ""
			case "healthy":
				return healthy(t, d)
			case "now":
				return now(t, d, history)
			case "missing":
				return missing(t, d, history)
			case "why":
				return answers(t, d, history)
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

func play(t *testing.T, d *datadriven.TestData) *why.History {
	t.Helper()
	load := func() (*format.Scenario, error) { return format.Parse("script.yaml", []byte(d.Input), verb.All) }
	options := runner.RunOptions{}
	if d.HasArg("guard") {
		options.Controllers = map[string]controllers.Custom{"guard": guard}
	} else if len(d.CmdArgs) > 0 {
		load = func() (*format.Scenario, error) { return library.Load(d.CmdArgs[0].Key) }
	}
	scenario, err := load()
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	builder := recording.NewBuilder()
	options.Sinks = []trace.Sink{builder.Sink}
	if _, err := runner.Run(scenario, options); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return why.New(builder.Done(recording.Origin{}, ""))
}

func instant(t *testing.T, d *datadriven.TestData, history *why.History, at string) *why.Instant {
	t.Helper()
	i, err := history.Parse(at)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return i
}

func object(t *testing.T, d *datadriven.TestData, i *why.Instant) trace.Object {
	t.Helper()
	o, err := i.Find(targetOf(t, d, i))
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return o
}

func targetOf(t *testing.T, d *datadriven.TestData, i *why.Instant) notation.Target {
	t.Helper()
	target, err := notation.ParseTarget(i.Kinds(), d.CmdArgs[0].Key)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return target
}

func missing(t *testing.T, d *datadriven.TestData, history *why.History) string {
	at := ""
	d.ScanArgs(t, "at", &at)
	i := instant(t, d, history, at)
	_, err := i.Find(targetOf(t, d, i))
	if err == nil {
		d.Fatalf(t, "%s exists", d.CmdArgs[0].Key)
	}
	return err.Error() + "\n"
}

func now(t *testing.T, d *datadriven.TestData, history *why.History) string {
	var out strings.Builder
	for at := range strings.FieldsSeq(d.Input) {
		i := instant(t, d, history, at)
		out.WriteString(at + "  " + i.Now(object(t, d, i)) + "\n")
	}
	return out.String()
}

func answers(t *testing.T, d *datadriven.TestData, history *why.History) string {
	at := ""
	d.ScanArgs(t, "at", &at)
	i := instant(t, d, history, at)
	var out strings.Builder
	if d.CmdArgs[0].Key == "at" {
		why.Print(&out, i.Unmet(""), true, 110)
	} else {
		why.Print(&out, i.Ask(object(t, d, i)), false, 110)
	}
	return out.String()
}
