package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/scenarios/command"
	"github.com/kubestep/kubestep/tui/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// Command is kubestep open. It is what kubestep does at a terminal when nothing else is asked for.
func Command(streams command.Streams) *cobra.Command {
	var seed int64
	var at, palette string
	var present bool
	cmd := &cobra.Command{
		Use:   "open [FILE]",
		Short: "Look at a run in the terminal: step, play, go back, ask why",
		Long: `Look at a run in the terminal: step through it, play it, go back, ask why.

FILE is a scenario file, the name of a scenario that comes with kubestep, or a trace that was
recorded before (kubestep run FILE --trace-out trace.jsonl). Without FILE you choose from those
that come with kubestep. A scenario is run to its end first, in a process of its own; what you see
is the recording, so that going back is as easy as going on. ? shows the keys.`,
		Example: `  kubestep open
  kubestep open rolling-update --at 12.4s
  kubestep open trace.jsonl --at 412
  kubestep open rolling-update --present`,
		Annotations: map[string]string{command.AtTerminal: "true"},
		Args:        cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			file := ""
			if len(args) > 0 {
				file = args[0]
			}
			var chosen *int64
			if cmd.Flags().Changed("seed") {
				chosen = &seed
			}
			model, err := prepare(file, chosen, at, palette)
			if err != nil {
				return err
			}
			model.present = present
			return play(model, streams, file)
		},
	}
	cmd.Flags().Int64Var(&seed, "seed", 0, "seed, instead of the scenario's")
	cmd.Flags().StringVar(&at, "at", "", "where to begin: a time (12.4s), a record (412) or a step (step:3)")
	cmd.Flags().BoolVar(&present, "present", false, "show the workload in large, with few words, for a room; P switches it on and off")
	cmd.Flags().StringVar(&palette, "palette", theme.Palettes[0], "colours: "+strings.Join(theme.Palettes, " or ")+
		"; the variable NO_COLOR turns them off")
	return cmd
}

// prepare finds out about all mistakes that can be known before the screen changes.
func prepare(file string, seed *int64, at, palette string) (*Model, error) {
	colors, err := theme.New(palette)
	if err != nil {
		return nil, &command.UsageError{Message: err.Error(), Try: "--palette " + theme.Palettes[0]}
	}
	if _, err := parsePlace(at); at != "" && err != nil {
		return nil, &command.UsageError{Message: "--at: " + err.Error(), Try: "--at 12.4s"}
	}
	options := Options{Theme: colors, Open: childOpener{seed}, At: at}
	if strings.HasSuffix(file, ".jsonl") {
		rec, err := recording.ReadFile(file)
		switch {
		case err != nil:
			return nil, &command.UsageError{Message: err.Error(), Try: "kubestep run FILE --trace-out trace.jsonl"}
		case seed != nil:
			return nil, &command.UsageError{Message: "--seed: " + file + " is a run that is over", Try: "kubestep open " + file}
		}
		return Show(options, rec), nil
	}
	if file == "" {
		options.Library, err = Library()
		return New(options), err
	}
	scenario, err := command.Open(file)
	if err != nil {
		return nil, err
	}
	return NewWith(options, NewEntry(scenario, file)), nil
}

// play hands the terminal to the interface until it ends.
func play(model *Model, streams command.Streams, file string) error {
	if !command.Interactive(streams) {
		try := "kubestep list"
		if file != "" && !strings.HasSuffix(file, ".jsonl") {
			try = "kubestep run " + file
		}
		return &command.UsageError{Message: "open needs a terminal", Try: try}
	}
	in, out := streams.In.(*os.File), streams.Out.(*os.File)
	if w, h, err := term.GetSize(int(out.Fd())); err == nil {
		model.width, model.height = w, h
	}
	_, err := tea.NewProgram(model, tea.WithInput(in), tea.WithOutput(out), tea.WithAltScreen(), tea.WithMouseCellMotion()).Run()
	if err != nil {
		return fmt.Errorf("the interface ended: %w", err)
	}
	var run *child.Error
	switch err := model.Err(); {
	case errors.As(err, &run):
		return &command.UsageError{Message: run.Message, Try: run.Try}
	case err != nil:
		return err
	}
	return nil
}

// childOpener runs scenarios in processes of their own.
type childOpener struct {
	seed *int64
}

// Open implements Opener.
func (o childOpener) Open(ctx context.Context, e Entry, told func(recording.Progress)) (*recording.Recording, error) {
	return recording.Child{Run: child.Run{File: e.File, Seed: o.seed}, Name: e.Name, Title: e.Title, Progress: told}.Record(ctx)
}
