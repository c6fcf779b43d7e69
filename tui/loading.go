package tui

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/cli"
	"github.com/kubestep/kubestep/scenarios/cli/limits"
	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/explore/keyframe"
	"github.com/kubestep/kubestep/scenarios/language/source"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Opener makes the recording of a scenario.
type Opener interface {
	Open(ctx context.Context, entry picker.Entry, news opener.News) (*recording.Recording, error)
}

// loading is a recording that is being made.
type loading struct {
	entry picker.Entry
	// fork is set for a branch.
	fork     *fork
	progress opener.Progress
	updates  chan opener.Progress
	early    chan *recording.Recording
	done     chan loadedMsg
	cancel   context.CancelFunc
	ctx      context.Context
	// behind means that the first part of the recording is shown already, and used that somebody looked around in it.
	behind, used bool
	// session means that it is that of a session that runs.
	session bool
	// reading is how much of a large trace is read, and then what the reader does afterwards; nil for nothing.
	reading opener.Reading
	then    func() tea.Cmd
}

type (
	progressMsg struct {
		progress opener.Progress
		of       chan opener.Progress
	}
	earlyMsg struct {
		rec *recording.Recording
		of  chan opener.Progress
	}
	loadedMsg struct {
		viewer *viewer
		err    error
		of     chan opener.Progress
		// own and parents are where a branch and its parent part.
		own, parents int64
	}
)

func newLoading(options *Options, entry picker.Entry) loading {
	parent := options.Context
	if parent == nil {
		parent = context.Background()
	}
	ctx, cancel := context.WithCancel(parent)
	return loading{
		entry: entry, ctx: ctx, cancel: cancel, reading: opener.Reading{Parts: options.Parts},
		updates: make(chan opener.Progress, 1), early: make(chan *recording.Recording, 1), done: make(chan loadedMsg, 1),
	}
}

// start runs the scenario beside the interface, and waits for the first news.
func (l *loading) start(open Opener) tea.Cmd {
	updates, early, done, ctx, entry, fork, reading := l.updates, l.early, l.done, l.ctx, l.entry, l.fork, l.reading
	behind := l.behind
	wait := l.wait()
	return func() tea.Msg {
		go func() {
			news := opener.News{
				Progress: func(p opener.Progress) {
					// Only the newest progress matters; nobody waits for it to be read.
					select {
					case updates <- p:
					default:
					}
				},
			}
			if !behind {
				news.Early = func(rec *recording.Recording) { early <- rec }
			}
			var v *viewer
			var own, parents int64
			err := guard(func() (err error) {
				if v, err = record(ctx, open, entry, reading, news); err != nil {
					return err
				}
				own, parents, err = fork.parts(v)
				return err
			})
			done <- loadedMsg{v, err, updates, own, parents}
		}()
		return wait()
	}
}

// guard calls a function. A panic becomes an error: on the goroutine of a loading it would leave the terminal as it is.
func guard(read func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	return cli.CatchDamage(read)
}

// record opens an entry.
func record(ctx context.Context, open Opener, e picker.Entry, reading opener.Reading, n opener.News) (v *viewer, err error) {
	var rec *recording.Recording
	if e.Trace != "" && e.Source == nil {
		rec, err = reading.Read(ctx, e, n)
	} else {
		rec, err = open.Open(ctx, e, n)
	}
	if err != nil {
		return nil, err
	}
	return newViewer(rec), nil
}

// wait waits for news.
func (l *loading) wait() tea.Cmd {
	updates, early, done := l.updates, l.early, l.done
	return func() tea.Msg {
		select {
		case msg := <-done:
			return msg
		case rec := <-early:
			return earlyMsg{rec, updates}
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

// keyframeMemory bounds the memory of the keyframes of a run, in bytes (keyframe.Frames), beside --max-memory. They share two thirds of it,
// so what they need is about 1 GiB.
const keyframeMemory = 3 << 30

// withKeyframes asks for the keyframes of a run, from which its branches begin.
func (m *Model) withKeyframes(entry picker.Entry) picker.Entry {
	if entry.Trace != "" {
		return entry
	}
	entry.Keyframes = &keyframe.Frames{Memory: keyframeMemory}
	if ctx := m.options.Context; ctx != nil {
		if bounds, ok := limits.Of(ctx); ok && bounds.Memory > 0 {
			entry.Keyframes.Memory = min(keyframeMemory, bounds.Memory)
		}
	}
	return entry
}

// updateLoading takes news of a run. News of one that was given up is dropped.
func (m *Model) updateLoading(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case progressMsg:
		if !m.expects(msg.of) {
			return nil
		}
		m.loading.progress = msg.progress
		return m.loading.wait()
	case earlyMsg:
		if !m.expects(msg.of) {
			return nil
		}
		m.show(msg.rec)
		m.loading.behind = true
		return m.loading.wait()
	case loadedMsg:
		if !m.expects(msg.of) {
			return nil
		}
		m.loading.stop()
		behind := m.loading.behind
		m.loading.behind = false
		switch {
		case msg.err == nil && behind && m.loading.used:
			return m.extend(msg.viewer)
		case msg.err == nil && m.loading.fork != nil:
			m.grow(msg)
			return nil
		case msg.err == nil:
			m.showViewer(msg.viewer)
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
		if errors.As(msg.err, &run) && m.loading.fork != nil {
			m.status = m.loading.fork.step + ": " + source.Read(run.Message).Message
		} else if run != nil && run.Try != "" {
			m.status += " (try: " + run.Try + ")"
		}
	}
	return nil
}

// expects reports whether news are those of the recording that is being made.
func (m *Model) expects(of chan opener.Progress) bool {
	return (m.screen == screenLoading || m.loading.behind) && of == m.loading.updates
}

// extend puts the whole recording, or more of it, in the place of its first part. The reader stays at the same record, and then does what
// could not be done before.
func (m *Model) extend(more *viewer) tea.Cmd {
	v, then := m.viewer, m.loading.then
	if !v.Rec.Begins(more.Rec) {
		file := m.loading.entry.Trace
		m.failure = cli.Usage(file+": the file has changed since it was opened", "kubestep open "+file)
		return tea.Quit
	}
	v.Moment = v.Renewed(more.Scenes)
	v.list()
	m.deferLarge(v)
	read := "the whole trace was read"
	if v.Rec.Whole != nil {
		read = "the trace was read until " + trace.Seconds(v.Rec.At(v.Rec.Len()))
	}
	m.status, m.loading.then = cmp.Or(v.Rec.Cut, v.Rec.Error, read), nil
	if then != nil {
		return then()
	}
	return nil
}

// reading says how much of a trace was read while its first part is shown; empty if nothing is being read.
func (m *Model) reading() string {
	if !m.loading.behind {
		return ""
	}
	return fmt.Sprintf("reading the trace: %.0f %%, %s ", 100*m.loading.progress.Part, trace.Count(m.loading.progress.Records, "record"))
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
	told := fmt.Sprintf("running to the end: %s of %s virtual time, %d records",
		trace.Seconds(l.progress.At), l.entry.Horizon, l.progress.Records)
	switch {
	case l.session:
		told = fmt.Sprintf("at %s virtual time, %d records", trace.Seconds(l.progress.At), l.progress.Records)
	case l.entry.Trace != "" && l.entry.Source == nil:
		part = l.progress.Part
		told = fmt.Sprintf("reading the trace: %.0f %%, %d records", 100*part, l.progress.Records)
	case l.entry.Horizon > 0:
		part = min(float64(l.progress.At)/float64(l.entry.Horizon), 1)
	}
	full := int(part * float64(cells))
	lines := make([]string, max(height/3, 1))
	for _, line := range []string{
		t.Title.Render(l.entry.Name) + "  " + l.entry.Title, "",
		t.Now.Render(strings.Repeat("━", full)) + t.Dim.Render(strings.Repeat("─", cells-full)), "",
		told,
		t.Dim.Render("Then you can look at every record, forward and backward. esc cancels."),
	} {
		lines = append(lines, "    "+line)
	}
	return lines
}
