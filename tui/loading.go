package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/picker"
	"github.com/kubestep/kubestep/tui/theme"
)

// Opener makes the recording of a scenario.
type Opener interface {
	Open(ctx context.Context, entry picker.Entry, progress func(child.Progress)) (*recording.Recording, error)
}

// loading is a recording that is being made.
type loading struct {
	entry picker.Entry
	// fork is set for a branch.
	fork     *fork
	progress child.Progress
	updates  chan child.Progress
	done     chan loadedMsg
	cancel   context.CancelFunc
	ctx      context.Context
}

type (
	progressMsg struct {
		progress child.Progress
		of       chan child.Progress
	}
	loadedMsg struct {
		rec *recording.Recording
		err error
		of  chan child.Progress
		// own and parents are where a branch and its parent part.
		own, parents int64
	}
)

func newLoading(entry picker.Entry) loading {
	ctx, cancel := context.WithCancel(context.Background())
	return loading{
		entry: entry, ctx: ctx, cancel: cancel,
		updates: make(chan child.Progress, 1), done: make(chan loadedMsg, 1),
	}
}

// start runs the scenario beside the interface, and waits for the first news.
func (l *loading) start(open Opener) tea.Cmd {
	updates, done, ctx, entry, fork := l.updates, l.done, l.ctx, l.entry, l.fork
	wait := l.wait()
	return func() tea.Msg {
		go func() {
			rec, err := record(ctx, open, entry, func(p child.Progress) {
				// Only the newest progress matters; nobody waits for it to be read.
				select {
				case updates <- p:
				default:
				}
			})
			own, parents, partErr := fork.parts(rec)
			if err == nil {
				err = partErr
			}
			done <- loadedMsg{rec, err, updates, own, parents}
		}()
		return wait()
	}
}

// record opens an entry. A panic becomes an error: on this goroutine it would leave the terminal as it is.
func record(ctx context.Context, open Opener, e picker.Entry, updates func(child.Progress)) (rec *recording.Recording, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	rec, err = open.Open(ctx, e, updates)
	if err != nil {
		return nil, err
	}
	return shown(rec)
}

// wait waits for news.
func (l *loading) wait() tea.Cmd {
	updates, done := l.updates, l.done
	return func() tea.Msg {
		select {
		case msg := <-done:
			return msg
		case p := <-updates:
			return progressMsg{p, updates}
		}
	}
}

// stop kills the run.
func (l *loading) stop() {
	if l.cancel != nil {
		l.cancel()
	}
}

// updateLoading takes news of a run. News of one that was given up is dropped.
func (m *Model) updateLoading(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case progressMsg:
		if m.screen != screenLoading || msg.of != m.loading.updates {
			return nil
		}
		m.loading.progress = msg.progress
		return m.loading.wait()
	case loadedMsg:
		if m.screen != screenLoading || msg.of != m.loading.updates {
			return nil
		}
		m.loading.stop()
		switch {
		case msg.err == nil && m.loading.fork != nil:
			m.grow(msg.rec, msg.own, msg.parents)
			return nil
		case msg.err == nil:
			m.show(msg.rec)
			return nil
		}
		m.failure = msg.err
		switch {
		case m.loading.fork != nil:
			// The run that it was to leave is still there.
			m.failure, m.screen = nil, screenViewer
		case m.direct:
			return tea.Quit
		default:
			m.screen = screenPicker
		}
		m.status = msg.err.Error()
		var run *child.Error
		if errors.As(msg.err, &run) && run.Try != "" {
			m.status += " (try: " + run.Try + ")"
		}
	}
	return nil
}

// loadingKey cancels a run.
func (m *Model) loadingKey(msg tea.KeyMsg) tea.Cmd {
	if !key.Matches(msg, m.keys.Escape) {
		return nil
	}
	m.loading.stop()
	m.status = "canceled"
	switch {
	case m.loading.fork != nil:
		m.screen = screenViewer
		return nil
	case m.direct:
		return tea.Quit
	}
	m.screen = screenPicker
	return nil
}

// view shows how far a run is.
func (l *loading) view(t *theme.Theme, width, height int) []string {
	cells := min(width-8, 60)
	part := 0.0
	if l.entry.Horizon > 0 {
		part = min(float64(l.progress.At)/float64(l.entry.Horizon), 1)
	}
	full := int(part * float64(cells))
	lines := make([]string, max(height/3, 1))
	for _, line := range []string{
		t.Title.Render(l.entry.Name) + "  " + l.entry.Title, "",
		t.Now.Render(strings.Repeat("━", full)) + t.Dim.Render(strings.Repeat("─", cells-full)), "",
		fmt.Sprintf("running to the end: %s of %s virtual time, %d records",
			trace.Seconds(l.progress.At), l.entry.Horizon, l.progress.Records),
		t.Dim.Render("Then you can look at every record, forward and backward. esc cancels."),
	} {
		lines = append(lines, "    "+line)
	}
	return lines
}
