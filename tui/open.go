package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/future"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/unasked"
)

// Here Bubble Tea, which this package needs, is initialized.
func init() { unasked.Restore() }

// OpenOptions are what Open shows, and how.
type OpenOptions struct {
	Look
	// Seed is nil for that of the scenario.
	Seed *int64
	// Choices is the order of what is due at one time, as in --choices; empty for the order that the seed draws.
	Choices string
	// Change changes a scenario before it is run with a seed, such as by adding a fault; nil for none. Changed is the flag that asks for
	// it.
	Change  func(scenario *format.Scenario, seed int64) (*format.Scenario, error)
	Changed string
	// Present begins in presentation mode.
	Present bool
	// Serve serves the scenario while it is shown, with these arguments of kubestep serve. Kubeconfig is the file that they name.
	Serve      bool
	Served     []string
	Kubeconfig string
}

// Open shows a scenario, a trace or a session in the terminal until its user ends it; without a file, the scenarios to choose from. The
// limits of the context (limits.Of) apply until there is something to show. A wrong option, a file that cannot be shown, and streams that
// are no terminal are a *cli.UsageError; an invalid scenario is a *source.Error or a source.ErrorList.
func Open(ctx context.Context, streams cli.Streams, file string, options OpenOptions) error {
	if options.Serve || file != "" && input.What(file) == input.Session {
		cli.Unbound(ctx)
		return follow(streams, file, options)
	}
	model, err := prepare(ctx, file, options)
	if err != nil {
		return err
	}
	cli.Unbound(ctx)
	model.present = options.Present
	return play(model, streams, file)
}

// Look is where in a recording the interface begins, and in which colors.
type Look struct {
	// At is a place: a time (12.4s), a record (412) or a step (step:3); "" is the beginning.
	At string
	// Palette is that of the colors, and Background that of the terminal: light, dark or auto. kubestep open --help has all palettes.
	Palette, Background string
	// Language is that of the texts of lessons and the glossary; nil for English.
	Language *localization.Language
	// ShowSecrets shows the values of Secrets.
	ShowSecrets bool
	// Still does not move messages while a film plays.
	Still bool
	// Futures are seeds for the rest of the run, as values of the flag --future.
	Futures []string
}

// validate finds mistakes in the flags.
func (l *Look) validate() error {
	if !slices.Contains(palette.Names, l.Palette) {
		return cli.Usage(
			fmt.Sprintf("unknown palette %q (one of: %s)", l.Palette, strings.Join(palette.Names, ", ")),
			"--palette "+palette.Names[0],
		)
	}
	if _, err := parsePlace(l.At); l.At != "" && err != nil {
		return cli.Usage("--at: "+err.Error(), "--at 12.4s")
	}
	return nil
}

// prepare finds out about all mistakes that can be known before the screen changes.
func prepare(ctx context.Context, file string, o OpenOptions) (*Model, error) {
	look := o.Look
	if err := look.validate(); err != nil {
		return nil, err
	}
	colors, err := theme.New(look.Palette, look.Background)
	if err != nil {
		return nil, cli.Usage(err.Error(), "--background "+theme.Backgrounds[0])
	}
	if err := o.needsScenario(file); err != nil {
		return nil, err
	}
	run := opener.Run{Seed: o.Seed, ShowSecrets: look.ShowSecrets, Choices: o.Choices}
	options := Options{Theme: colors, Open: run, At: look.At, Still: look.Still, Futures: look.Futures, Context: ctx}
	options.Language, options.Change = look.Language, o.Change
	return prepareWith(options, file, o.Seed)
}

// needsScenario refuses flags that make another run of a scenario, where there is none.
func (o *OpenOptions) needsScenario(file string) error {
	flag := o.Changed
	if o.Choices != "" {
		flag = "--choices"
	}
	switch {
	case flag == "":
		return nil
	case file == "":
		return cli.Usage(flag+" needs a scenario", "kubestep open FILE "+flag)
	case tracefile.IsMeant(file):
		return cli.Usage(flag+": "+file+" is a trace of a complete run", "kubestep open "+file)
	}
	return nil
}

// prepareWith makes the interface for a trace, a scenario, or all that come with kubestep.
func prepareWith(options Options, file string, seed *int64) (*Model, error) {
	if file != "" && tracefile.IsMeant(file) {
		if seed != nil {
			return nil, cli.Usage("--seed: "+file+" is a trace of a complete run", "kubestep open "+file)
		}
		if len(options.Futures) > 0 {
			return nil, cli.Usage("--"+future.Flag+": "+file+" is a trace of a complete run", "kubestep open "+file)
		}
		entry, small, err := opener.Trace(file)
		if err != nil || !small {
			return NewWith(options, entry.In(options.Language)), err
		}
		entry = entry.In(options.Language)
		ctx := cmp.Or[context.Context](options.Context, context.Background())
		rec, err := opener.Reading{To: recording.All}.Read(ctx, entry, opener.News{})
		if err != nil {
			return nil, err
		}
		m := Show(options, rec)
		m.branches.nodes[0].entry = entry
		return m, nil
	}
	if file == "" {
		if len(options.Futures) > 0 {
			return nil, cli.Usage("--"+future.Flag+" needs a scenario",
				"kubestep open rolling-update --"+future.Flag+" "+options.Futures[0])
		}
		var err error
		options.Library, err = picker.Library(options.Language)
		return New(options), err
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	if scenario, err = future.Add(scenario, options.Futures); err != nil {
		return nil, err
	}
	if options.Change != nil {
		if seed == nil {
			seed = &scenario.Spec.Seed
		}
		if scenario, err = options.Change(scenario, *seed); err != nil {
			return nil, err
		}
	}
	entry := picker.NewEntry(scenario, file).In(options.Language)
	if len(options.Futures) > 0 || options.Change != nil {
		entry.Source = scenario.Source()
	}
	return NewWith(options, entry), nil
}

// play hands the terminal to the interface until it ends.
func play(model *Model, streams cli.Streams, file string) error {
	if !cli.IsInteractive(streams) {
		try := "kubestep list"
		if file != "" && !tracefile.IsMeant(file) {
			try = "kubestep run " + file
		}
		return cli.Usage("open needs a terminal", try)
	}
	in, out := streams.In.(*os.File), streams.Out.(*os.File)
	if w, h, err := term.GetSize(int(out.Fd())); err == nil {
		model.width, model.height = w, h
	}
	guard := &guarded{Model: model}
	program := tea.NewProgram(guard, tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithMouseCellMotion())
	guard.quit = program.Quit
	if _, err := program.Run(); err != nil {
		return fmt.Errorf("the terminal interface failed: %w", err)
	}
	if guard.err != nil {
		return guard.err
	}
	return userError(model.Err())
}

// userError is the error of a run in its own words.
func userError(err error) error {
	var run *child.Error
	if errors.As(err, &run) {
		return cli.Usage(run.Message, run.Try)
	}
	return serving.Lost(err)
}
