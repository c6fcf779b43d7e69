package tui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/child"
	"github.com/kubestep/kubestep/tui/recording"
)

// Opener makes the recording of a scenario.
type Opener interface {
	Open(ctx context.Context, entry Entry, progress func(recording.Progress)) (*recording.Recording, error)
}

// loading is a recording that is being made.
type loading struct {
	entry    Entry
	progress recording.Progress
	told     chan recording.Progress
	done     chan loadedMsg
	cancel   context.CancelFunc
	ctx      context.Context
}

type (
	progressMsg struct {
		progress recording.Progress
		of       chan recording.Progress
	}
	loadedMsg struct {
		rec *recording.Recording
		err error
		of  chan recording.Progress
	}
)

func newLoading(entry Entry) loading {
	ctx, cancel := context.WithCancel(context.Background())
	return loading{
		entry: entry, ctx: ctx, cancel: cancel,
		told: make(chan recording.Progress, 1), done: make(chan loadedMsg, 1),
	}
}

// start runs the scenario beside the interface, and waits for the first news.
func (l *loading) start(open Opener) tea.Cmd {
	told, done, ctx, entry := l.told, l.done, l.ctx, l.entry
	wait := l.wait()
	return func() tea.Msg {
		go func() {
			rec, err := record(ctx, open, entry, func(p recording.Progress) {
				// Only the newest progress matters; nobody waits for it to be read.
				select {
				case told <- p:
				default:
				}
			})
			done <- loadedMsg{rec, err, told}
		}()
		return wait()
	}
}

// record opens an entry. A panic becomes an error: on this goroutine it would leave the terminal as it is.
func record(ctx context.Context, open Opener, e Entry, told func(recording.Progress)) (rec *recording.Recording, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return open.Open(ctx, e, told)
}

// wait waits for news.
func (l *loading) wait() tea.Cmd {
	told, done := l.told, l.done
	return func() tea.Msg {
		select {
		case msg := <-done:
			return msg
		case p := <-told:
			return progressMsg{p, told}
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
		if m.screen != screenLoading || msg.of != m.loading.told {
			return nil
		}
		m.loading.progress = msg.progress
		return m.loading.wait()
	case loadedMsg:
		if m.screen != screenLoading || msg.of != m.loading.told {
			return nil
		}
		m.loading.stop()
		if msg.err == nil {
			m.show(msg.rec)
			return nil
		}
		m.failure = msg.err
		if m.direct {
			return tea.Quit
		}
		m.screen = screenPicker
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
	if m.direct {
		return tea.Quit
	}
	m.screen = screenPicker
	m.status = "given up"
	return nil
}
