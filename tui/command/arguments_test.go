package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// TestArguments holds what the command line says about wrong arguments.
func TestArguments(t *testing.T) {
	const noDuration, thenLook = ": not a duration, such as 90s or 5m\n", " --trace-out run.kst, then kubestep "
	for line, want := range map[string]string{
		"rn":                  "Error: unknown command \"rn\"\nTry: kubestep run\n",
		"frobnicate":          "Error: unknown command \"frobnicate\"\nTry: kubestep --help\n",
		"help rn":             "Error: unknown command \"rn\"\nTry: kubestep run\n",
		"explain rollot":      "Error: unknown command \"rollot\"\nTry: kubestep explain rollout\n",
		"list x":              "Error: list takes no arguments\nTry: kubestep list --help\n",
		"describe":            "Error: describe takes one scenario, not 0\nTry: kubestep list, then kubestep describe NAME\n",
		"run a --seed b":      "Error: invalid argument \"b\" for \"--seed\" flag: not a whole number\nTry: kubestep run --help\n",
		"run a --sede 4":      "Error: unknown flag: --sede\nTry: --seed\n",
		"run a --frobnicate":  "Error: unknown flag: --frobnicate\nTry: kubestep run --help\n",
		"run a --timeout 5":   "Error: invalid argument \"5\" for \"--timeout\" flag" + noDuration + "Try: --timeout 5s\n",
		"run a --timeout x":   "Error: invalid argument \"x\" for \"--timeout\" flag" + noDuration + "Try: kubestep run --help\n",
		"open a --faults b":   "Error: unknown flag: --faults\nTry: kubestep run FILE --faults SPACES" + thenLook + "open run.kst\n",
		"export a --place 4":  "Error: unknown flag: --place\nTry: kubestep run FILE --place NUMBER" + thenLook + "export run.kst\n",
		"list --place 4":      "Error: unknown flag: --place\nTry: kubestep list --help\n",
		"explain rollout a b": "Error: explain rollout takes one scenario, not 2\nTry: kubestep list, then kubestep explain rollout NAME\n",
	} {
		var out, err bytes.Buffer
		code := Main(strings.Fields(line), Options{In: strings.NewReader(""), Out: &out, Err: &err})
		if code != cli.ExitUsage || err.String() != want {
			t.Errorf("%s: exit code %d, %s\nwant %s", line, code, err.String(), want)
		}
	}
}
