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

	"github.com/kubestep/kubestep/controllers"
	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/scenarios/cli/version"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/web/page"
	"github.com/kubestep/kubestep/scenarios/web/picture"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
)

// Options are what is written, and where to.
type Options struct {
	// Out is the file, or the folder of Site; "" is the name of the scenario with .html, or site.
	Out string
	// Force replaces a file that is no page of kubestep.
	Force bool
	// Seed is nil for that of the scenario.
	Seed *int64
	// Futures are values of --future.
	Futures []string
	// Language is that of the page; nil for English.
	Language *localization.Language
	// Film is for an Out that ends in .svg.
	Film picture.Options
}

// export is a call of Write or Site.
type export struct {
	streams cli.Streams
	Options
}

// Lesson runs a scenario, or reads a trace, and shows it in a language.
func Lesson(ctx context.Context, streams cli.Streams, file string, language *localization.Language) (*page.Lesson, error) {
	e := export{streams, Options{Language: language}}
	return e.lesson(ctx, file)
}

// Write writes the page of a scenario or a trace, or its film if Out ends in .svg, and says what it has written. The file is
// complete or not there. A wrong option is a *cli.UsageError, as is a run that makes no page; a file that is in the way is an
// *output.ExistsError.
func Write(ctx context.Context, streams cli.Streams, file string, options Options) error {
	e := export{streams, options}
	if e.Out == "" {
		e.Out = strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) + ".html"
	}
	if err := output.Check(e.Out, e.rights(e.Out)); err != nil {
		return err
	}
	if extension := filepath.Ext(e.Out); extension != "" && !e.Force && !slices.Contains([]string{".html", ".htm", ".svg"}, extension) {
		return cli.Usage("export writes pages and pictures, not "+extension, "--out lesson.html, or film.svg")
	}
	if filepath.Ext(e.Out) == ".svg" {
		return e.picture(ctx, file)
	}
	lesson, err := e.lesson(ctx, file)
	if err != nil {
		return err
	}
	size, err := e.write(lesson, e.Out)
	if err == nil {
		fmt.Fprintf(e.streams.Out, "%s: %s of film, %d kB\n", e.Out, lesson.Length().Round(time.Second), (size+999)/1000)
	}
	return err
}

// rights are those of pages and films, which can be made again.
func (e *export) rights(path string) output.Rights {
	kind := input.Page
	if filepath.Ext(path) == ".svg" {
		kind = input.Film
	}
	return output.Rights{Force: e.Force, Own: []input.Kind{kind}}
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
	if tracefile.IsMeant(file) {
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
	return lessonOf(ctx, rec, file, scenario, e.Options)
}

// recorded runs a scenario, and says for how long.
func (e *export) recorded(ctx context.Context, file string, scenario *format.Scenario) (*recording.Recording, error) {
	stop := output.ShowLine(e.streams.Err, func(elapsed time.Duration) string {
		return fmt.Sprintf("runs %s, %s", scenario.Metadata.Name, elapsed.Round(time.Second))
	})
	defer stop()
	rec, err := record(ctx, child.Run{File: file, Seed: e.Seed, Futures: e.Futures}, scenario, e.Language)
	var run *child.Error
	if errors.As(err, &run) {
		return nil, cli.Usage(run.Message, run.Try)
	}
	return rec, err
}

// record runs a scenario.
func record(ctx context.Context, run child.Run, scenario *format.Scenario, language *localization.Language) (*recording.Recording, error) {
	origin := recording.Origin{Name: scenario.Metadata.Name, Title: language.Lesson(scenario.Spec.Title)}
	run.Text = language.Lines
	rec, err := run.Record(ctx, origin, nil)
	if err == nil {
		err = limits.Check(rec)
	}
	return rec, err
}

// recordBranch runs a branch that a scenario prepares.
func recordBranch(
	ctx context.Context, run child.Run, branched *format.Scenario, language *localization.Language,
) (*recording.Recording, error) {
	text, err := branched.Encode()
	if err != nil {
		return nil, err
	}
	run.Text = language.Lines
	origin := recording.Origin{Name: branched.Metadata.Name, Title: language.Lesson(branched.Spec.Title)}
	rec, err := run.RecordText(ctx, text, origin, nil)
	if err == nil {
		err = limits.Check(rec)
	}
	return rec, err
}

// lessonOf is the page of a run of a scenario, with the branches that it prepares.
func lessonOf(
	ctx context.Context, rec *recording.Recording, file string, scenario *format.Scenario, options Options,
) (*page.Lesson, error) {
	lesson, err := page.New(rec)
	if err != nil {
		return nil, cli.Usage(err.Error(), "kubestep open "+file)
	}
	if rec.Error == "" && rec.Cut == "" {
		err := lesson.Prepare(scenario, func(branched *format.Scenario) (*recording.Recording, error) {
			return recordBranch(ctx, child.Run{Futures: options.Futures}, branched, options.Language)
		})
		if err != nil {
			return nil, cli.Usage(err.Error(), "kubestep open "+file+", and type the step behind a colon")
		}
	}
	lesson.Localize(options.Language)
	lesson.Version, lesson.Kubernetes = version.Version, controllers.KubernetesVersion
	lesson.About = options.Language.Lesson(scenario.Background())
	lesson.Command = "kubestep run " + file
	if options.Seed != nil {
		lesson.Command += fmt.Sprintf(" --seed %d", *options.Seed)
	}
	for _, word := range future.Args(options.Futures) {
		lesson.Command += " " + cli.ShellWord(word)
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
	lesson.Localize(e.Language)
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
	for _, flag := range []struct {
		name  string
		given bool
	}{{"seed", e.Seed != nil}, {future.Flag, len(e.Futures) > 0}} {
		if flag.given {
			return nil, cli.Usage("--"+flag.name+": "+file+" is a trace of a complete run", "kubestep export "+file)
		}
	}
	rec, err := cli.ReadTrace(e.streams, file, func(lines []byte) []byte { return e.Language.Lines(trace.RedactedLines(lines)) })
	if err != nil {
		return nil, err
	}
	rec.Name, rec.Title = filepath.Base(file), e.Language.Lesson(rec.Title)
	if rec.Made == nil || rec.Made.Seed == nil {
		rec.Seed = -1
	}
	return rec, nil
}
