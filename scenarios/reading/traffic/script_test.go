package traffic_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/traffic"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// TestScripts plays the scripts of testdata. They have these commands:
//
//	play NAME        plays a scenario that comes with kubestep
//	play             plays the scenario below
//	at TIME SERVICE [node=NODE]
//	                 says where connections to a Service go at a time
//	course SERVICE   says what happens to them during the run
func TestScripts(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		if strings.HasPrefix(filepath.Base(path), "kubelet") && !controllers.RunsKubelets() {
			t.Skip(controllers.ErrNoKubelet)
		}
		var rec *recording.Recording
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			var out strings.Builder
			switch d.Cmd {
			case "play":
				rec = play(t, d)
			case "at":
				instant, err := why.New(rec).Parse(d.CmdArgs[0].Key)
				if err != nil {
					d.Fatalf(t, "%v", err)
				}
				moment := traffic.New(rec, service(d.CmdArgs[1].Key)).At(instant.Place())
				if node := ""; d.MaybeScanArgs(t, "node", &node) && !moment.OnNode(node) {
					d.Fatalf(t, "there is no node %s", node)
				}
				moment.Print(&out, 110)
			case "course":
				traffic.New(rec, service(d.CmdArgs[0].Key)).Course().Print(&out, 140)
			default:
				d.Fatalf(t, "unknown command %q", d.Cmd)
			}
			return out.String()
		})
	})
}

func service(name string) trace.Object {
	return trace.Object{Resource: "services", Namespace: "default", Name: name}
}

func play(t *testing.T, d *datadriven.TestData) *recording.Recording {
	t.Helper()
	scenario, err := format.Parse("script.yaml", []byte(d.Input), verb.All)
	if len(d.CmdArgs) > 0 {
		scenario, err = library.Load(d.CmdArgs[0].Key)
	}
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	builder := recording.NewBuilder()
	if _, err := runner.Run(scenario, runner.RunOptions{Sinks: []trace.Sink{builder.Sink}}); err != nil {
		d.Fatalf(t, "%v", err)
	}
	return builder.Done(recording.Origin{}, "")
}
