package tui

import (
	"context"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/cli/output"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/svg"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// ScreenshotOptions are which screen is printed, and how.
type ScreenshotOptions struct {
	// Look has a Background that is light or dark.
	Look
	// Size is that of the screen in columns and lines, such as 120x34.
	Size string
	// Keys are pressed before, one after the other, with spaces between them.
	Keys string
	// Output is text, ansi or svg.
	Output string
	// Present is presentation mode.
	Present bool
	// Seed is nil for that of the scenario.
	Seed *int64
}

// Screenshot makes a screen of Open without a terminal, and prints it. A wrong option, and a file that cannot be shown, are a
// *cli.UsageError; an invalid scenario is a *source.Error or a source.ErrorList. A run that exceeds the limits of the context (limits.Of)
// is a *limits.Error.
func Screenshot(ctx context.Context, streams cli.Streams, file string, s ScreenshotOptions) error {
	var w, h int
	n, err := fmt.Sscanf(s.Size, "%dx%d", &w, &h)
	if n != 2 || err != nil || w < views.MinWidth || h < views.MinHeight || max(w, h) > 1000 {
		return cli.Usage(
			fmt.Sprintf("--size %s: must be between %dx%d and 1000x1000", s.Size, views.MinWidth, views.MinHeight),
			"--size 120x34",
		)
	}
	dark := s.Background == "dark"
	switch {
	case s.Output != "text" && s.Output != "ansi" && s.Output != "svg":
		return cli.Usage(fmt.Sprintf("unknown output format %q", s.Output), "-o text, -o ansi or -o svg")
	case !dark && s.Background != "light":
		return cli.Usage(fmt.Sprintf("unknown background %q (light or dark)", s.Background), "--background dark")
	}
	if err := s.validate(); err != nil {
		return err
	}
	colors, err := theme.ForPicture(s.Palette, dark)
	if err != nil {
		return err
	}
	options := Options{
		Theme: colors, Open: opener.Run{Seed: s.Seed, ShowSecrets: s.ShowSecrets}, At: s.At, Futures: s.Futures, Language: s.Language,
		Context: ctx,
		AtOnce:  math.MaxInt,
		Tick:    func(time.Duration, tea.Msg) tea.Cmd { return nil },
	}
	m, err := s.model(ctx, options, file, w, h)
	if err != nil {
		return err
	}
	if m.viewer != nil {
		cli.WarnIncomplete(streams, file, m.viewer.Rec, "screen")
	}
	screen := m.View()
	switch s.Output {
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
func (s *ScreenshotOptions) model(ctx context.Context, options Options, file string, w, h int) (*Model, error) {
	m, err := prepareWith(options, file, s.Seed)
	if err != nil {
		return nil, err
	}
	m.present = s.Present
	m.Update(tea.WindowSizeMsg{Width: w, Height: h})
	if m.screen == screenLoading {
		v, err := record(ctx, options.Open, m.loading.entry, opener.Reading{To: recording.All}, opener.News{})
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
	m.press(strings.Fields(s.Keys)...)
	return m, nil
}
