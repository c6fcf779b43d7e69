package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
)

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
	k.Background.SetEnabled(true)
	k.Escape.SetEnabled(true)
	k.Glossary.SetEnabled(true)
	k.Up.SetEnabled(m.screen != screenLoading)
	k.Down.SetEnabled(m.screen != screenLoading)
	k.Open.SetEnabled(m.screen == screenPicker)
	k.Filter.SetEnabled(m.screen != screenLoading)
	if m.screen == screenViewer && m.viewer != nil {
		m.viewer.enable(k, m.breakpoint())
		k.Divergence.SetEnabled(m.branches.current().own > 0)
		k.Command.SetEnabled(m.branches.current().entry.Scenario != nil || m.controls())
		if m.controls() || m.viewer.Rec.Whole != nil {
			// They let time pass, or read on, until there is one.
			k.NextDecision.SetEnabled(true)
			k.NextError.SetEnabled(true)
		}
		_, ok := m.choose()
		_, touches := m.viewer.view.Main.(pane.Toucher)
		k.Open.SetEnabled(ok || m.viewer.NextLesson() != "" || touches)
	}
}

// enable says which keys do something in the recording.
func (v *viewer) enable(k *keymap.KeyMap, b views.Breakpoint) {
	marks := v.Rec.Marks()
	cause, _ := v.Cause()
	k.Cause.SetEnabled(cause != 0)
	k.Back.SetEnabled(len(v.trail) > 0)
	k.NextStep.SetEnabled(len(marks.Actions) > 0)
	k.PreviousStep.SetEnabled(len(marks.Actions) > 0)
	k.NextDecision.SetEnabled(len(v.Scenes.Film.Decisions()) > 0)
	k.OldDecision.SetEnabled(len(v.Scenes.Film.Decisions()) > 0)
	k.Idle.SetEnabled(v.Live)
	k.Again.SetEnabled(v.lastAsked() != 0)
	k.NextError.SetEnabled(len(marks.Errors) > 0)
	k.PreviousError.SetEnabled(len(marks.Errors) > 0)
	k.NextWorkload.SetEnabled(len(v.Rec.Workloads()) > 1)
	k.OldWorkload.SetEnabled(len(v.Rec.Workloads()) > 1)
	for i, view := range views.All {
		k.Views[i].SetEnabled(pane.Missing(view.Main, v.Moment) == "")
		k.Shortcuts[i].SetEnabled(view.Shortcut.Pane != nil && pane.Missing(view.Shortcut.Pane, v.Moment) == "")
	}
	tabs := len(v.tabs(b)) > 1
	k.Panel.SetEnabled(tabs)
	k.PreviousPanel.SetEnabled(tabs)
}

// whyNot is why a key does nothing now.
func (v *viewer) whyNot(msg tea.KeyMsg) string {
	k := keymap.New()
	for i, view := range views.All {
		switch {
		case key.Matches(msg, k.Views[i]):
			return pane.Missing(view.Main, v.Moment)
		case key.Matches(msg, k.Shortcuts[i]):
			return pane.Missing(view.Shortcut.Pane, v.Moment)
		}
	}
	switch {
	case key.Matches(msg, k.Cause):
		return "this record has no recorded cause"
	case key.Matches(msg, k.Back):
		return "no jump to return from: c goes to a cause"
	case key.Matches(msg, k.NextError, k.PreviousError):
		return "this recording has no errors and no failed checks"
	case key.Matches(msg, k.NextStep, k.PreviousStep):
		return "this recording has no actions"
	case key.Matches(msg, k.NextDecision, k.OldDecision):
		return "no controller decides anything in this recording"
	case key.Matches(msg, k.Again):
		return "no question has been answered yet"
	case key.Matches(msg, k.Idle):
		return "a film skips idle time: t plays live"
	case key.Matches(msg, k.Command):
		return "a trace cannot branch: open its scenario"
	case key.Matches(msg, k.Divergence):
		return "no branch is shown: : starts one"
	case key.Matches(msg, k.Panel, k.PreviousPanel):
		return "all panels of this view are on the screen"
	}
	return ""
}
