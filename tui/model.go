package tui

import (
	"cmp"
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/opener"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/picker"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/terms"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// Options configure the interface.
type Options struct {
	Theme *theme.Theme
	// Library lists the scenarios of the picker.
	Library []picker.Entry
	// Open creates recordings.
	Open Opener
	// At is the position at which a recording opens: see parsePlace. Empty is its beginning.
	At string
	// Still means that messages do not move while a film plays.
	Still bool
	// Futures are seeds for the rest of the run, as values of the flag --future.
	Futures []string
	// Change changes a scenario that is given before it is run with a seed; nil for none.
	Change func(scenario *format.Scenario, seed int64) (*format.Scenario, error)
	// Language is that of the texts of lessons and the glossary; nil for English.
	Language *localization.Language
	// Context is that of all recordings that are made, with their limits (limits.With); nil has none.
	Context context.Context
	// Parts are those in which traces are read; zero is opener.Usual.
	Parts opener.Parts
	// AtOnce is how many objects a controller lists at most in a sync that is explained before the screen is drawn; zero is atOnce.
	AtOnce int
	// Tick sends a message after a delay; nil is tea.Tick.
	Tick func(time.Duration, tea.Msg) tea.Cmd
}

// screen is what the whole terminal shows.
type screen int

const (
	screenPicker screen = iota
	screenLoading
	screenViewer
)

// Model is the interface. All of its state changes in Update.
type Model struct {
	options Options
	theme   *theme.Theme
	keys    keymap.KeyMap

	width, height int
	screen        screen
	picker        picker.Picker
	loading       loading
	viewer        *viewer
	// live is the session that is shown while it runs, if one is. opened is the view that was opened for it, and warned means that
	// it was said what would be lost.
	live   *remote.Session
	opened *views.View
	warned bool
	// connecting means that the screen says how clients connect.
	connecting bool
	// branches are the runs of the scenario that is shown; viewer is of one of them.
	branches branches
	prompt   prompt
	help     help
	// terms is the glossary.
	terms terms.List
	// present means that a recording is shown to a room.
	present bool
	// explaining means that an explanation is being computed beside the interface, and drawn is what View returns if it is drawn already.
	explaining bool
	drawn      string
	// status is said in the footer until the next key.
	status string
	// failure is why the last recording could not be made.
	failure error
	// direct means that there was no picker to go back to.
	direct bool
}

// New returns the interface with its picker.
func New(options Options) *Model {
	if options.Tick == nil {
		options.Tick = func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		}
	}
	if options.Parts == (opener.Parts{}) {
		options.Parts = opener.Usual
	}
	options.AtOnce = cmp.Or(options.AtOnce, atOnce)
	m := &Model{options: options, theme: options.Theme, keys: keymap.New(), width: 80, height: 24}
	m.picker = picker.New(options.Library)
	m.enable()
	return m
}

// NewWith returns the interface for one scenario, which runs at once, without a picker.
func NewWith(options Options, entry picker.Entry) *Model {
	m := New(options)
	m.direct = true
	m.loading = newLoading(&m.options, entry)
	if to, err := parsePlace(options.At); err == nil {
		m.loading.reading.To = to.extent()
	}
	m.screen = screenLoading
	m.enable()
	return m
}

// Show returns the interface for a recording, without a picker.
func Show(options Options, rec *recording.Recording) *Model {
	m := New(options)
	m.direct = true
	m.show(rec)
	return m
}

// show opens the viewer.
func (m *Model) show(rec *recording.Recording) { m.showViewer(newViewer(rec)) }

// showViewer opens a viewer.
func (m *Model) showViewer(v *viewer) {
	m.viewer = v
	m.deferLarge(v)
	v.player.still = m.options.Still
	rec := v.Rec
	m.branches = branches{nodes: []*node{{entry: m.loading.entry, viewer: m.viewer, parent: -1}}}
	m.screen = screenViewer
	m.status = cmp.Or(rec.Cut, rec.Error, "space plays, n p step")
	if m.options.At != "" {
		_ = m.goTo(m.options.At)
	}
	m.enable()
}

// Err is the error that ended the interface, if any.
func (m *Model) Err() error { return m.failure }

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	switch {
	case m.live != nil:
		return m.awaitNews()
	case m.screen == screenLoading:
		m.loading.entry = m.withKeyframes(m.loading.entry)
		return m.loading.start(m.options.Open)
	}
	return m.explain()
}

// moment is what the panes are drawn from.
func (m *Model) moment() pane.Moment {
	at := m.viewer.Moment
	at.Runs, at.Run, at.MarkedRun = m.branches.runs(), m.branches.shown, m.branches.marked
	return at
}

// adopt makes a moment that a pane returned the present one.
func (m *Model) adopt(at pane.Moment) {
	if at.Seq != m.viewer.Seq {
		m.viewer.pause()
	}
	m.branches.marked = at.MarkedRun
	run := at.Run
	at.Runs = nil
	m.viewer.Moment = at
	if run != m.branches.shown {
		m.viewer.pause()
		m.switchTo(run)
	}
}

// layout is where the parts of the screen are.
func (m *Model) layout() views.Layout {
	switch {
	case m.viewer == nil:
		return views.Compute(m.width, m.height, views.All[0])
	case m.present:
		return views.Compute(m.width, m.height, views.Presented(m.viewer.view))
	}
	return views.Compute(m.width, m.height, m.viewer.view)
}

// breakpoint is the range of sizes that the terminal is in.
func (m *Model) breakpoint() views.Breakpoint { return views.BreakpointOf(m.width, m.height) }
