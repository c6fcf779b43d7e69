package export

import (
	"context"
	"fmt"
	"time"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// picture writes the film of a run as one animated picture.
func (e *export) picture(ctx context.Context, file string) error {
	rec, err := e.filmed(ctx, file)
	if err != nil {
		return err
	}
	text, err := picture.Film(rec, e.Film)
	if err != nil {
		return cli.Usage(err.Error(), "--from 0s --length 30s, or --out with .html")
	}
	if err := output.WriteFile(e.Out, []byte(text), e.rights(e.Out)); err != nil {
		return err
	}
	fmt.Fprintf(e.streams.Out, "%s: %s of film, %d kB\n", e.Out, e.Film.Length.Round(time.Second), (len(text)+999)/1000)
	return nil
}

// filmed runs a scenario, or reads a trace, and says below the film what it is.
func (e *export) filmed(ctx context.Context, file string) (*recording.Recording, error) {
	e.Film.Footer = "kubestep open " + file
	if tracefile.IsMeant(file) {
		return e.read(file)
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	e.Film.Footer = "The real kube-controller-manager " + controllers.KubernetesVersion + " in virtual time: kubestep run " + file
	return e.recorded(ctx, file, scenario)
}
