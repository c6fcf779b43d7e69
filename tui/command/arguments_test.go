package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
)

// TestArguments holds what the command line says about wrong arguments.
func TestArguments(t *testing.T) {
	for line, want := range map[string]string{
		"rn":                  "Error: unknown command \"rn\"\nTry: kubestep run\n",
		"frobnicate":          "Error: unknown command \"frobnicate\"\nTry: kubestep --help\n",
		"help rn":             "Error: unknown command \"rn\"\nTry: kubestep run\n",
		"explain rollot":      "Error: unknown command \"rollot\"\nTry: kubestep explain rollout\n",
		"list x":              "Error: list takes no arguments\nTry: kubestep list --help\n",
		"describe":            "Error: describe takes one scenario, not 0\nTry: kubestep list, then kubestep describe NAME\n",
		"run a --seed b":      "Error: invalid argument \"b\" for \"--seed\" flag: not a whole number\nTry: kubestep run --help\n",
		"explain rollout a b": "Error: explain rollout takes one scenario, not 2\nTry: kubestep list, then kubestep explain rollout NAME\n",
	} {
		var out, err bytes.Buffer
		code := Main(strings.Fields(line), Options{In: strings.NewReader(""), Out: &out, Err: &err})
		if code != cli.ExitUsage || err.String() != want {
			t.Errorf("%s: exit code %d, %s\nwant %s", line, code, err.String(), want)
		}
	}
}
