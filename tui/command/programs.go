package command

import (
	"maps"
	"os"
	"os/exec"
	"strings"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/controllers/external"
	"github.com/kubestep/kubestep/scenarios/cli"
)

// programsVariable is the environment variable with the controllers that are programs of their own: NAME=PATH, separated
// by commas. Processes that this one starts inherit it.
const programsVariable = "KUBESTEP_CONTROLLERS"

// addPrograms adds the controllers that are programs of their own to cli.Controllers.
func addPrograms() error {
	list := os.Getenv(programsVariable)
	if list == "" {
		return nil
	}
	all := maps.Clone(cli.Controllers)
	if all == nil {
		all = map[string]controllers.Custom{}
	}
	for program := range strings.SplitSeq(list, ",") {
		program = strings.TrimSpace(program)
		name, path, ok := strings.Cut(program, "=")
		if !ok || name == "" || path == "" {
			problem := programsVariable + ": " + program + " is not a controller and its program"
			return cli.Usage(problem, programsVariable+"=mine=bin/mine")
		}
		if _, err := exec.LookPath(path); err != nil {
			return cli.Usage(programsVariable+": "+err.Error(), "the path of a program, as in "+name+"=./"+name)
		}
		all[name] = external.Program(path)
	}
	cli.Controllers = all
	return nil
}
