package command

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"
	"github.com/spf13/pflag"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/place"
)

// TestFlags gives the commands wrong flags. Each line of testdata/flags.txt is a command line; the answer is
// the exit code and what is printed. Nothing is run, and nothing goes to standard output.
func TestFlags(t *testing.T) {
	script := testdata(t, "flags.txt")
	t.Chdir(t.TempDir())
	// The hint for --workers names the number of processors.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	datadriven.RunTest(t, script, func(t *testing.T, d *datadriven.TestData) string {
		var answer strings.Builder
		for _, line := range strings.Split(d.Input, "\n") {
			var out, errs bytes.Buffer
			code := Main(strings.Fields(line), Options{In: strings.NewReader(""), Out: &out, Err: &errs})
			fmt.Fprintf(&answer, "%s\n  exit code %d\n  %s\n", line, code, strings.ReplaceAll(strings.TrimSpace(errs.String()), "\n", "\n  "))
			if out.Len() > 0 {
				t.Errorf("%s: standard output has %q", line, out.String())
			}
		}
		return answer.String()
	})
}

// TestRunEachPassesEveryFlag holds that run with several files gives each process all flags. Those that take
// one scenario are the exception.
func TestRunEachPassesEveryFlag(t *testing.T) {
	one := map[string]bool{"trace-out": true, "force": true, "sealed": true}
	values := map[string]string{"int64": "7", "string": "1Gi", "bool": "true", "int": "100", "duration": "30s", "stringSlice": "[flaky-api]", "stringArray": "[1s:2]", "place": "31,7"}
	cmd := newRun(cli.Streams{})
	args := (&runFlags{
		seed: 7, seedSet: true, futures: []string{"1s:2"}, output: "1Gi", verbose: true, width: 100, withoutFaults: withoutFaults{"1Gi"}, showSecrets: true,
		compare: withoutFaults{"1Gi"}, addedFaults: addedFaults{draw: drawFlags{[]string{"flaky-api"}, "1Gi"}, place: placeFlags{number: placeValue{place.Pair(31, 7)}}}, choices: choiceFlags{text: "1Gi"},
		LimitFlags: cli.LimitFlags{Untrusted: true, Required: true, MaxMemory: "1Gi", Limits: limits.Limits{Timeout: 30 * time.Second, Records: 7}},
	}).args("FILE")
	if args[0] != "run" || args[len(args)-2] != "--" || args[len(args)-1] != "FILE" {
		t.Errorf("%q does not run FILE", args)
	}
	if err := cmd.ParseFlags(args[1:]); err != nil {
		t.Fatal(err)
	}
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if flag.Name == "help" || one[flag.Name] {
			return
		}
		if got, want := flag.Value.String(), values[flag.Value.Type()]; !flag.Changed || got != want {
			t.Errorf("--%s is %q (given: %v), want %q", flag.Name, got, flag.Changed, want)
		}
	})
}

// TestRunEachPassesNoSeed leaves the seed to each scenario unless one is given.
func TestRunEachPassesNoSeed(t *testing.T) {
	if args := (&runFlags{output: "text"}).args("FILE"); strings.Contains(strings.Join(args, " "), "--seed") {
		t.Errorf("%q", args)
	}
}
