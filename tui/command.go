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
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/explore/builds/bisect"
	"github.com/kubestep/kubestep/scenarios/explore/builds/upgrade"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/incident"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/scenarios/serving"
	"github.com/kubestep/kubestep/scenarios/web/export"
	web "github.com/kubestep/kubestep/scenarios/web/site"
	"github.com/kubestep/kubestep/scenarios/web/teach"
	"github.com/kubestep/kubestep/sim/trace/file/input"
	"github.com/kubestep/kubestep/sim/trace/file/tracefile"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/unasked"
)

// Here Bubble Tea, which this package needs, is initialized.
func init() { unasked.Restore() }

// Commands are the commands of the interface, in the terminal and as a page, those of other clients, and init.
func Commands(streams cli.Streams) []*cobra.Command {
	own := []*cobra.Command{web.Command(streams)}
	for _, cmd := range []*cobra.Command{Command(streams), newScreenshot(streams), export.Command(streams), teach.Command(streams)} {
		own = append(own, cli.Bounded(streams, cmd))
	}
	own = append(own, cli.Bounded(streams, incident.Command(streams)))
	return slices.Concat(own, serving.Commands(streams), upgrade.Commands(streams), bisect.Commands(streams))
}

// Command is kubestep open. It is what kubestep does at a terminal when nothing else is asked for.
func Command(streams cli.Streams) *cobra.Command {
	var seed int64
	var look look
	var present, serve bool
	var served *serving.Flags
	cmd := &cobra.Command{
		Use:   "open [FILE]",
		Short: "Look at a run in the terminal: step, play, go back, ask why",
		Long: `Look at a run in the terminal: step through it, play it, go back, ask why.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace that was
recorded before (kubestep run FILE --trace-out trace.kst). Without FILE, you choose a scenario that
comes with kubestep. A scenario is first run to its end, in a process of its own, and you see the
recording, so you can move backward as easily as forward. ? shows the keys.

With --serve, you see the cluster of the scenario while you use it with kubectl in another terminal, as with
kubestep serve. FILE can also be the kubeconfig file of a session that kubestep serve runs.`,
		Example: `  kubestep open
  kubestep open rolling-update --at 12.4s
  kubestep open trace.jsonl --at 412
  kubestep open rolling-update --present
  kubestep open --serve rolling-update --save session.yaml
  kubestep open kubestep.kubeconfig`,
		Annotations: map[string]string{cli.AtTerminal: "true"},
		Args:        cli.AtMostOneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			var chosen *int64
			if cmd.Flags().Changed("seed") {
				chosen = &seed
			}
			if serve || file != "" && input.What(file) == input.Session {
				cli.Unbound(cmd.Context())
				return follow(streams, file, serve, served, chosen, look, present)
			}
			if given := served.Given(); len(given) > 0 {
				return cli.Usage(given[0]+" needs --serve", "kubestep open --serve FILE")
			}
			model, err := prepare(cmd.Context(), file, chosen, look)
			if err != nil {
				return err
			}
			cli.Unbound(cmd.Context())
			model.present = present
			return play(model, streams, file)
		},
	}
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().BoolVar(&serve, "serve", false, "use the cluster of the scenario with kubectl while you look at it")
	served = serving.NewFlags(cmd.Flags())
	cmd.Flags().BoolVar(&present, "present", false, "presentation mode for a projector; P switches it on and off")
	cmd.Flags().BoolVar(&look.still, "still", false, "do not move messages between the components while a film plays")
	look.flags(cmd)
	cmd.Flags().StringVar(&look.background, "background", theme.Backgrounds[0],
		"`BACKGROUND` of the terminal: light, dark or auto, which reads the variable COLORFGBG and is dark without it")
	return cmd
}

// look is where in a recording the interface begins, and in which colors.
type look struct {
	at, palette, background string
	showSecrets, still      bool
}

func (l *look) flags(cmd *cobra.Command) {
	cmd.Flags().StringVar(&l.at, "at", "", "start at `PLACE`: a time (12.4s), a record (412) or a step (step:3)")
	cmd.Flags().StringVar(&l.palette, "palette", theme.Palettes[0], "`PALETTE` of colors: "+strings.Join(theme.Palettes, " or ")+
		"; the variable NO_COLOR turns them off")
	cmd.Flags().BoolVar(&l.showSecrets, "show-secrets", false, "show the values of Secrets instead of redacting them")
}

// validate finds mistakes in the flags.
func (l *look) validate() error {
	if !slices.Contains(theme.Palettes, l.palette) {
		return cli.Usage(
			fmt.Sprintf("unknown palette %q (one of: %s)", l.palette, strings.Join(theme.Palettes, ", ")),
			"--palette "+theme.Palettes[0],
		)
	}
	if _, err := parsePlace(l.at); l.at != "" && err != nil {
		return cli.Usage("--at: "+err.Error(), "--at 12.4s")
	}
	return nil
}

// prepare finds out about all mistakes that can be known before the screen changes.
func prepare(ctx context.Context, file string, seed *int64, look look) (*Model, error) {
	if err := look.validate(); err != nil {
		return nil, err
	}
	colors, err := theme.New(look.palette, look.background)
	if err != nil {
		return nil, cli.Usage(err.Error(), "--background "+theme.Backgrounds[0])
	}
	run := opener.Run{Seed: seed, ShowSecrets: look.showSecrets}
	return prepareWith(Options{Theme: colors, Open: run, At: look.at, Still: look.still, Context: ctx}, file, seed)
}

// prepareWith makes the interface for a trace, a scenario, or all that come with kubestep.
func prepareWith(options Options, file string, seed *int64) (*Model, error) {
	if file != "" && tracefile.Meant(file) {
		if seed != nil {
			return nil, cli.Usage("--seed: "+file+" is a trace of a complete run", "kubestep open "+file)
		}
		entry, small, err := opener.Trace(file)
		if err != nil || !small {
			return NewWith(options, entry), err
		}
		rec, err := opener.Read(cmp.Or[context.Context](options.Context, context.Background()), entry, opener.News{})
		if err != nil {
			return nil, err
		}
		m := Show(options, rec)
		m.branches.nodes[0].entry = entry
		return m, nil
	}
	if file == "" {
		var err error
		options.Library, err = picker.Library()
		return New(options), err
	}
	scenario, err := runner.Open(file)
	if err != nil {
		return nil, err
	}
	return NewWith(options, picker.NewEntry(scenario, file)), nil
}

// play hands the terminal to the interface until it ends.
func play(model *Model, streams cli.Streams, file string) error {
	if !cli.Interactive(streams) {
		try := "kubestep list"
		if file != "" && !tracefile.Meant(file) {
			try = "kubestep run " + file
		}
		return cli.Usage("open needs a terminal", try)
	}
	in, out := streams.In.(*os.File), streams.Out.(*os.File)
	if w, h, err := term.GetSize(int(out.Fd())); err == nil {
		model.width, model.height = w, h
	}
	_, err := tea.NewProgram(model, tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithMouseCellMotion()).Run()
	if err != nil {
		return fmt.Errorf("the terminal interface failed: %w", err)
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
