package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/svg"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// shot is a picture of a screen that is to be made.
type shot struct {
	look
	size, keys, output string
	present            bool
	seed               *int64
}

// newScreenshot is kubestep screenshot.
func newScreenshot(streams cli.Streams) *cobra.Command {
	var s shot
	var seed int64
	cmd := &cobra.Command{
		Use:   "screenshot FILE",
		Short: "Print a screen of kubestep open, as text or as a picture",
		Long: `Print a screen of kubestep open, as text or as a picture, without a terminal.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace. The keys are
pressed one after the other before the screen is printed: enter, tab, space and so on by their names,
5*n to press n five times, and text as you type it, with _ for a space.`,
		Example: `  kubestep screenshot rolling-update --at 6s
  kubestep screenshot rolling-update --at 6s --keys m --size 100x30 -o svg > arithmetic.svg
  kubestep screenshot job --keys "5 / verb:create enter"`,
		Args: cli.OneScenario,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("seed") {
				s.seed = &seed
			}
			return s.take(cmd.Context(), streams, args[0])
		},
	}
	s.flags(cmd)
	cmd.Flags().Int64Var(&seed, "seed", 0, "run with this `SEED` instead of the scenario's")
	cmd.Flags().StringVar(&s.size, "size", "120x34", "`SIZE` of the screen in columns and lines")
	cmd.Flags().StringVar(&s.keys, "keys", "", "`KEYS` to press first")
	cmd.Flags().BoolVar(&s.present, "present", false, "presentation mode, as in kubestep open --present")
	cmd.Flags().StringVarP(&s.output, "output", "o", "text", "output `FORMAT`: text, ansi (with colors) or svg")
	cmd.Flags().StringVar(&s.background, "background", "dark", "`BACKGROUND` of the picture: light or dark")
	return cmd
}

// take makes the screen and prints it.
func (s *shot) take(ctx context.Context, streams cli.Streams, file string) error {
	var w, h int
	n, err := fmt.Sscanf(s.size, "%dx%d", &w, &h)
	if n != 2 || err != nil || w < views.MinWidth || h < views.MinHeight || max(w, h) > 1000 {
		return cli.Usage(
			fmt.Sprintf("--size %s: must be between %dx%d and 1000x1000", s.size, views.MinWidth, views.MinHeight),
			"--size 120x34",
		)
	}
	dark := s.background == "dark"
	switch {
	case s.output != "text" && s.output != "ansi" && s.output != "svg":
		return cli.Usage(fmt.Sprintf("unknown output format %q", s.output), "-o text, -o ansi or -o svg")
	case !dark && s.background != "light":
		return cli.Usage(fmt.Sprintf("unknown background %q (light or dark)", s.background), "--background dark")
	}
	if err := s.validate(); err != nil {
		return err
	}
	colors, err := theme.ForPicture(s.palette, dark)
	if err != nil {
		return err
	}
	options := Options{
		Theme: colors, Open: opener.Run{Seed: s.seed, ShowSecrets: s.showSecrets}, At: s.at, Context: ctx,
		Tick: func(time.Duration, tea.Msg) tea.Cmd { return nil },
	}
	m, err := s.model(ctx, options, file, w, h)
	if err != nil {
		return err
	}
	if m.viewer != nil {
		cli.WarnIncomplete(streams, file, m.viewer.Rec, "screen")
	}
	screen := m.View()
	switch s.output {
	case "svg":
		screen = svg.Render(screen, svg.Style{Width: w, Dark: dark})
	case "text":
		lines := strings.Split(ansi.Strip(screen), "\n")
		for i := range lines {
			lines[i] = strings.TrimRight(lines[i], " ")
		}
		screen = strings.Join(lines, "\n")
	}
	if _, err = io.WriteString(streams.Out, strings.TrimRight(screen, "\n")+"\n"); err != nil {
		return &output.Error{Name: "standard output", Err: err}
	}
	return nil
}

// model is the interface after the keys.
func (s *shot) model(ctx context.Context, options Options, file string, w, h int) (*Model, error) {
	m, err := prepareWith(options, file, s.seed)
	if err != nil {
		return nil, err
	}
	m.present = s.present
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	if m.screen == screenLoading {
		v, err := record(ctx, options.Open, m.loading.entry, opener.News{})
		if err == nil {
			err = limits.Check(v.Rec)
		}
		m.Update(loadedMsg{viewer: v, err: err, of: m.loading.updates})
		if err := userError(m.Err()); err != nil {
			return nil, err
		}
	}
	if m.viewer != nil {
		if err := m.goTo(options.At); err != nil {
			return nil, cli.Usage("--at "+options.At+": "+err.Error(), "--at 12.4s")
		}
	}
	m.press(strings.Fields(s.keys)...)
	return m, nil
}
