package command

import (
	"bytes"
	"strings"
	"testing"

	"github.com/kubestep/kubestep/scenarios/cli"
)

func TestProgramsThatAreNotThere(t *testing.T) {
	for list, want := range map[string]string{
		"mine":                "KUBESTEP_CONTROLLERS: mine is not a controller and its program",
		"mine=,other=":        "KUBESTEP_CONTROLLERS: mine= is not a controller and its program",
		"mine=./no-such-file": "no such file or directory\nTry: the path of a program, as in mine=./mine",
	} {
		t.Setenv(programsVariable, list)
		var errs bytes.Buffer
		code := Main([]string{"version"}, Options{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &errs})
		if code != cli.ExitUsage || !strings.Contains(errs.String(), want) {
			t.Errorf("%s: exit code %d, %s", list, code, errs.String())
		}
	}
}
