package tui

import (
	"cmp"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/theme"
)

// View is one way to look at a recording; its number is its key.
type View int

// The views.
const (
	ViewRollout View = 1
	ViewLoop    View = 2
	ViewQueues  View = 3
	ViewObjects View = 4
	ViewTrace   View = 5
	// ViewBranches compares what happened with what would have happened.
	ViewBranches View = 6
)

// views lists them in the order of their keys.
var views = []struct {
	view View
	name string
}{
	{ViewRollout, "Rollout"}, {ViewLoop, "Loop"}, {ViewQueues, "Queues"}, {ViewObjects, "Objects"}, {ViewTrace, "Trace"},
	{ViewBranches, "Branches"},
}

// Options are what the interface is made of.
type Options struct {
	Theme *theme.Theme
	// Library is what the picker offers.
	Library []Entry
	// Open makes recordings.
	Open Opener
	// At is where a recording is opened: see parsePlace. Empty is its beginning.
	At string
	// Tick sends a message after a while; nil is tea.Tick.
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
	keys    KeyMap

	width, height int
	screen        screen
	picker        picker
	loading       loading
	viewer        *viewer
	// branches are the runs of the scenario that is shown, current the one that viewer has.
	branches                []*node
	current, selectedBranch int
	prompt                  prompt
	help                    bool
	// present says that a recording is shown to a room.
	present    bool
	helpScroll int
	// status is said in the footer until the next key.
	status string
	// failure is why the last recording could not be made.
	failure error
	// direct says that there was no picker to go back to.
	direct bool
}

// New returns the interface with its picker.
func New(options Options) *Model {
	if options.Tick == nil {
		options.Tick = func(d time.Duration, msg tea.Msg) tea.Cmd {
			return tea.Tick(d, func(time.Time) tea.Msg { return msg })
		}
	}
	m := &Model{options: options, theme: options.Theme, keys: NewKeyMap(), width: 80, height: 24}
	m.picker = newPicker(options.Library)
	m.enable()
	return m
}

// NewWith returns the interface for one scenario, which is run at once, without a picker.
func NewWith(options Options, entry Entry) *Model {
	m := New(options)
	m.direct = true
	m.loading = newLoading(entry)
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
func (m *Model) show(rec *recording.Recording) {
	m.viewer = newViewer(rec, m.theme)
	m.branches = []*node{{entry: m.loading.entry, viewer: m.viewer, parent: -1}}
	m.current, m.selectedBranch = 0, 0
	m.screen = screenViewer
	m.status = cmp.Or(rec.Cut, rec.Error, "space plays, n p step")
	if m.options.At != "" {
		m.goTo(m.options.At)
	}
	m.enable()
}

// Err is why there was nothing to show, once the interface has ended.
func (m *Model) Err() error { return m.failure }

// Init implements tea.Model.
func (m *Model) Init() tea.Cmd {
	if m.screen == screenLoading {
		return m.loading.start(m.options.Open)
	}
	return nil
}

// enable says which keys do something now.
func (m *Model) enable() {
	for _, group := range m.keys.Groups() {
		for _, binding := range group.Keys {
			binding.SetEnabled(m.screen == screenViewer)
		}
	}
	k := &m.keys
	k.Quit.SetEnabled(true)
	k.Help.SetEnabled(true)
	k.Escape.SetEnabled(true)
	k.Up.SetEnabled(m.screen != screenLoading)
	k.Down.SetEnabled(m.screen != screenLoading)
	k.Open.SetEnabled(m.screen == screenPicker)
	k.Filter.SetEnabled(m.screen != screenLoading)
	v := m.viewer
	if m.screen != screenViewer || v == nil {
		return
	}
	marks := v.rec.Marks()
	k.Cause.SetEnabled(v.rec.Record(v.cursor) != nil && v.rec.Record(v.cursor).Cause != 0)
	k.Back.SetEnabled(len(v.trail) > 0)
	k.NextStep.SetEnabled(len(marks.Actions) > 0)
	k.PreviousStep.SetEnabled(len(marks.Actions) > 0)
	k.NextError.SetEnabled(len(marks.Errors) > 0)
	k.PreviousError.SetEnabled(len(marks.Errors) > 0)
	k.NextWorkload.SetEnabled(len(v.rec.Workloads()) > 1)
	k.OldWorkload.SetEnabled(len(v.rec.Workloads()) > 1)
	panels := len(v.panels(m.layout())) > 1
	k.Math.SetEnabled(v.computes())
	k.Open.SetEnabled(v.view == ViewBranches && len(m.branches) > 1)
	k.Divergence.SetEnabled(m.branches[m.current].own > 0)
	k.Command.SetEnabled(m.branches[m.current].entry.Scenario != nil)
	k.Panel.SetEnabled(panels)
	k.PreviousPanel.SetEnabled(panels)
}

// layout is where the parts of the screen are.
func (m *Model) layout() Layout {
	view := ViewRollout
	if m.viewer != nil {
		view = m.viewer.view
	}
	return Compute(m.width, m.height, view)
}
