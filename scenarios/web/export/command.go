// Package export is kubestep export: it runs scenarios, or reads traces, and writes them as pages (scenarios/web/page).
package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// export is what kubestep export is asked to do.
type export struct {
	streams cli.Streams
	out     string
	all     bool
	force   bool
	seed    *int64
	film    picture.Options
}

// Command is kubestep export.
func Command(streams cli.Streams) *cobra.Command {
	e := export{streams: streams}
	var seed int64
	cmd := &cobra.Command{
		Use:   "export FILE",
		Short: "Write a run as one HTML file that opens in any browser, without a network",
		Long: `Write a run as one HTML file that opens in any browser, without a network.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. The page plays the
run as kubestep open does: who talks to whom, the rollout, the arithmetic, notes, and questions. It
contains all that it needs, so it can be sent by mail and opened from a disk or on a phone.

If --out ends in .svg, it is an animated picture of the workload and of who talks to whom instead, for
a README: it plays from --from to the end of the run in the time of --length, over and over. Readers who
prefer reduced motion see it at the time of --still.

With --all, it writes a folder with a page for each scenario that comes with kubestep, and an index.`,
		Example: `  kubestep export rolling-update --out rolling-update.html
  kubestep export trace.jsonl --out incident.html
  kubestep export rolling-update --out film.svg --from 5.1s --length 30s --still 6s
  kubestep export --all --out site`,
		Args: cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				e.seed = &seed
			}
			return e.run(cmd.Context(), args)
		},
	}
	cmd.Flags().StringVar(&e.out, "out", "", "write to this `FILE`, or with --all to this folder; default: the name of the scenario with .html, or site")
	cmd.Flags().BoolVar(&e.all, "all", false, "export all scenarios that come with kubestep")
	cmd.Flags().BoolVar(&e.force, "force", false, "replace a file that is not a page of kubestep")
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().DurationVar(&e.film.From, "from", 0, "for an .svg, the virtual `TIME` at which the film begins")
	cmd.Flags().DurationVar(&e.film.Length, "length", 30*time.Second, "for an .svg, how long the film takes, a `DURATION`")
	cmd.Flags().DurationVar(&e.film.Still, "still", 0, "for an .svg, the virtual `TIME` of the picture without motion")
	return cmd
}

// Lesson runs a scenario, or reads a trace.
func Lesson(ctx context.Context, streams cli.Streams, file string) (*page.Lesson, error) {
	e := export{streams: streams}
	return e.lesson(ctx, file)
}

func (e *export) run(ctx context.Context, args []string) error {
	switch {
	case e.all && len(args) > 0:
		return cli.Usage("--all exports every scenario, and "+args[0]+" is one", "kubestep export "+args[0])
	case e.all && e.seed != nil:
		return cli.Usage("--seed is for one scenario, not for --all", "kubestep export --all")
	case e.all:
		return e.site(ctx)
	case len(args) == 0:
		return cli.Usage("export takes one scenario or trace, or --all", "kubestep export rolling-update")
	}
	if e.out == "" {
		e.out = strings.TrimSuffix(filepath.Base(args[0]), filepath.Ext(args[0])) + ".html"
	}
	if err := output.Check(e.out, e.rights(e.out)); err != nil {
		return err
	}
	if extension := filepath.Ext(e.out); extension != "" && !e.force && !slices.Contains([]string{".html", ".htm", ".svg"}, extension) {
		return cli.Usage("export writes pages and pictures, not "+extension, "--out lesson.html, or film.svg")
	}
	if filepath.Ext(e.out) == ".svg" {
		return e.picture(ctx, args[0])
	}
	lesson, err := e.lesson(ctx, args[0])
	if err != nil {
		return err
	}
	size, err := e.write(lesson, e.out)
	if err == nil {
		fmt.Fprintf(e.streams.Out, "%s: %s of film, %d kB\n", e.out, lesson.Length().Round(time.Second), (size+999)/1000)
	}
	return err
}

// rights are those of pages and films, which can be made again.
func (e *export) rights(path string) output.Rights {
	kind := input.Page
	if filepath.Ext(path) == ".svg" {
		kind = input.Film
	}
	return output.Rights{Force: e.force, Own: []input.Kind{kind}}
}

// write writes a page. The file is complete or not there.
func (e *export) write(lesson *page.Lesson, path string) (size int, err error) {
	var text strings.Builder
	if err := lesson.Write(&text); err != nil {
		return 0, err
	}
	return text.Len(), output.WriteFile(path, []byte(text.String()), e.rights(path))
}

// lesson runs a scenario, or reads a trace.
func (e *export) lesson(ctx context.Context, file string) (*page.Lesson, error) {
	if tracefile.Meant(file) {
		return e.traced(file)
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	rec, err := e.recorded(ctx, file, scenario)
	if err != nil {
		return nil, err
	}
	return lessonOf(rec, file, scenario, e.seed)
}

// recorded runs a scenario, and says for how long.
func (e *export) recorded(ctx context.Context, file string, scenario *format.Scenario) (*recording.Recording, error) {
	stop := output.ShowLine(e.streams.Err, func(elapsed time.Duration) string {
		return fmt.Sprintf("runs %s, %s", scenario.Metadata.Name, elapsed.Round(time.Second))
	})
	defer stop()
	rec, err := record(ctx, file, scenario, e.seed)
	var run *child.Error
	if errors.As(err, &run) {
		return nil, cli.Usage(run.Message, run.Try)
	}
	return rec, err
}

// record runs a scenario.
func record(ctx context.Context, file string, scenario *format.Scenario, seed *int64) (*recording.Recording, error) {
	origin := recording.Origin{Name: scenario.Metadata.Name, Title: scenario.Spec.Title}
	rec, err := child.Run{File: file, Seed: seed}.Record(ctx, origin, nil)
	if err == nil {
		err = limits.Check(rec)
	}
	return rec, err
}

// lessonOf is the page of a run of a scenario.
func lessonOf(rec *recording.Recording, file string, scenario *format.Scenario, seed *int64) (*page.Lesson, error) {
	lesson, err := page.New(rec)
	if err != nil {
		return nil, cli.Usage(err.Error(), "kubestep open "+file)
	}
	lesson.Version, lesson.Kubernetes, lesson.About = version.Version, controllers.KubernetesVersion, scenario.Background()
	lesson.Command = "kubestep run " + file
	if seed != nil {
		lesson.Command += fmt.Sprintf(" --seed %d", *seed)
	}
	return lesson, nil
}

// traced is the page of a trace.
func (e *export) traced(file string) (*page.Lesson, error) {
	rec, err := e.read(file)
	if err != nil {
		return nil, err
	}
	lesson, err := page.New(rec)
	if err != nil {
		return nil, cli.Usage(err.Error(), "kubestep open "+file)
	}
	// JSON lines do not tell which version of Kubernetes ran.
	lesson.Version = version.Version
	if rec.Made != nil {
		lesson.Kubernetes = rec.Made.Kubernetes
		cli.WarnVersion(e.streams, file, rec.Made)
	}
	cli.WarnIncomplete(e.streams, file, rec, "page")
	return lesson, nil
}

// read reads a trace, without the values of Secrets.
func (e *export) read(file string) (*recording.Recording, error) {
	if e.seed != nil {
		return nil, cli.Usage("--seed: "+file+" is a trace of a complete run", "kubestep export "+file)
	}
	read, err := recording.ReadFile(file)
	if err != nil {
		return nil, cli.TraceError(err)
	}
	builder := recording.NewBuilder()
	for record := range read.All() {
		if err := builder.Add(trace.Redacted(record)); err != nil {
			return nil, cli.TraceError(err)
		}
	}
	origin := read.Origin
	origin.Name = filepath.Base(file)
	if read.Made == nil || read.Made.Seed == nil {
		origin.Seed = -1
	}
	return builder.Done(origin, read.Hash), nil
}
