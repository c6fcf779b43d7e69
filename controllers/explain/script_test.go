package explain_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/controllers/explain/internal/agreement"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestScripts plays the scripts of testdata. They have these commands:
//
//	play NAME             plays a scenario that comes with kubestep
//	play                  plays the scenario below
//	explain from=5s [count=3] [quiet] [width=100] [controller=deployment-controller]
//	                      explains the syncs of a controller from then on that changed something or, with
//	                      quiet, any of them; of those with the same verdict the first. With requests, it explains
//	                      those that belong to no sync
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var p *agreement.Played
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "play":
				p = play(t, scripted(t, d), 1, nil)
				return ""
			case "explain":
				return explained(t, p, d)
			}
			d.Fatalf(t, "unknown command %q", d.Cmd)
			return ""
		})
	})
}

// play runs a scenario. distort, if there is one, may falsify the lines of the recording that is explained. What nobody would sync any
// more is left out (runner.RunOptions.EndEarly).
func play(t *testing.T, scenario *format.Scenario, seed int64, distort func(line string) string) *agreement.Played {
	t.Helper()
	p := agreement.New(t, distort)
	if _, err := runner.Run(scenario, runner.RunOptions{Seed: &seed, EndEarly: true, Sinks: []trace.Sink{p.Sink}}); err != nil {
		t.Fatal(err)
	}
	return p.Done()
}

func scripted(t *testing.T, d *datadriven.TestData) *format.Scenario {
	t.Helper()
	load := func() (*format.Scenario, error) { return format.Parse("script.yaml", []byte(d.Input), verb.All) }
	if len(d.CmdArgs) > 0 {
		load = func() (*format.Scenario, error) { return library.Load(d.CmdArgs[0].Key) }
	}
	scenario, err := load()
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return scenario
}

// explained is the text of explanations.
func explained(t *testing.T, p *agreement.Played, d *datadriven.TestData) string {
	t.Helper()
	from, count, width, controller := "", 1, 100, "deployment-controller"
	d.ScanArgs(t, "from", &from)
	d.MaybeScanArgs(t, "count", &count)
	d.MaybeScanArgs(t, "width", &width)
	d.MaybeScanArgs(t, "controller", &controller)
	after, err := time.ParseDuration(from)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	var out strings.Builder
	told := map[string]bool{}
	records := p.Syncs(controller)
	if d.HasArg("requests") {
		records = aside(p, controller)
	}
	for _, record := range records {
		e := explain.At(p.Seen, record.Seq)
		if e == nil || e.At < after || count == 0 || told[e.Verdict] || len(e.Effects)+len(e.Actions) == 0 && !d.HasArg("quiet") {
			continue
		}
		told[e.Verdict] = true
		count--
		out.WriteString(text(e, width))
	}
	return out.String()
}

// aside are the requests of a controller that belong to no sync.
func aside(p *agreement.Played, controller string) []*trace.Record {
	var requests []*trace.Record
	for _, r := range p.Records {
		if name, _ := trace.SplitActor(r.Actor); name == controller && r.Request != nil && r.Cause == 0 {
			requests = append(requests, r)
		}
	}
	return requests
}

func text(e *arithmetic.Explanation, width int) string {
	return fmt.Sprintf("%s %s, %s\n  %s\n", trace.Seconds(e.At), e.Key, e.Branch, strings.Join(e.Text(width), "\n  "))
}
