package tui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/glossary"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/terms"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// updateKey gives a key to the topmost layer that wants it: a prompt, the help, the screen.
func (m *Model) updateKey(msg tea.KeyMsg) tea.Cmd {
	if m.prompt.ask != nil && msg.Type != tea.KeyCtrlC {
		return m.updatePrompt(msg)
	}
	m.status, m.connecting = "", false
	switch {
	case msg.Type == tea.KeyCtrlC, key.Matches(msg, m.keys.Quit) && !m.help.open && !m.terms.Open:
		if !m.leaves() && msg.Type != tea.KeyCtrlC {
			return nil
		}
		m.loading.stop()
		return tea.Quit
	case m.help.open:
		m.help.key(msg)
		return nil
	case m.terms.Open:
		m.showTerm(m.terms.Key(msg))
		return nil
	case key.Matches(msg, m.keys.Help):
		m.help = newHelp()
		return nil
	case key.Matches(msg, m.keys.Glossary):
		m.openTerms()
		return nil
	case key.Matches(msg, m.keys.Background):
		m.theme.SwitchBackground()
		return nil
	}
	switch m.screen {
	case screenPicker:
		return m.pickerKey(msg)
	case screenLoading:
		return m.loadingKey(msg)
	}
	if cmd, ok := m.liveKey(msg); ok {
		return cmd
	}
	before := m.viewer.Seq
	cmd := m.recordingKey(msg)
	m.followed(before)
	if m.prompt.ask == askCommand && m.looksBack() {
		return tea.Batch(cmd, m.past("")) // what may be done depends on it
	}
	return cmd
}

// recordingKey gives a key to the first of those who may want it.
func (m *Model) recordingKey(msg tea.KeyMsg) tea.Cmd {
	v := m.viewer
	if said, status, ok := v.choiceKey(msg, &m.keys); ok {
		if m.status = status; said != "" {
			return m.predict(said)
		}
		return nil
	}
	if v.endKey(msg) {
		return nil
	}
	if next := v.NextLesson(); next != "" && key.Matches(msg, m.keys.Open) {
		return m.openLesson(next)
	}
	if key.Matches(msg, m.keys.Play) {
		return m.togglePlay()
	}
	if status, ok := v.playerKey(msg, &m.keys); ok {
		m.status = status
		return nil
	}
	if m.askKey(msg) || m.lookKey(msg) {
		return nil
	}
	if v.Rec.Whole != nil && key.Matches(msg, m.keys.End) {
		return m.readsOn(msg, false)
	}
	before := v.Seq
	if status, ok := v.moveKey(msg, &m.keys); ok {
		v.pause()
		m.status = status
		return m.readsOn(msg, v.Seq != before)
	}
	switch {
	case key.Matches(msg, m.keys.Again):
		m.status = v.again(v.lastAsked())
	case key.Matches(msg, m.keys.Divergence):
		m.toDivergence()
	case key.Matches(msg, m.keys.Escape):
		m.escape()
	default:
		m.status = v.whyNot(msg)
	}
	return nil
}

// openTerms opens the glossary. What the scenario says and the record at the cursor come first.
func (m *Model) openTerms() {
	texts := []string{m.View()}
	if m.screen == screenViewer {
		v := m.viewer
		v.pause()
		row := v.Rec.Row(v.Seq)
		card := pane.Draw(pane.Card{}, v.Moment, pane.Canvas{Theme: m.theme, Width: m.width, Height: m.height}, "")
		texts = []string{strings.Join(card, "\n"), row.Actor, row.Verb, row.Object, row.Detail, row.Outcome, texts[0]}
	}
	m.terms = terms.New(glossary.Localized(m.options.Language), texts...)
}

// showTerm goes to the view that shows a term, if there is one.
func (m *Model) showTerm(name string) {
	if to := views.Of(view.Named(name)); to != nil && m.screen == screenViewer {
		if m.status = pane.Missing(to.Main, m.viewer.Moment); m.status == "" {
			m.viewer.open(to)
		}
	}
}

// askKey opens a prompt.
func (m *Model) askKey(msg tea.KeyMsg) bool {
	k := &m.keys
	switch {
	case key.Matches(msg, k.Command):
		m.viewer.pause()
		m.askFor(askCommand, "")
	case key.Matches(msg, k.Goto):
		m.askFor(askPlace, "")
	case key.Matches(msg, k.Filter):
		m.askFor(askFilter, m.viewer.Filter)
	default:
		return false
	}
	return true
}

// escape backs out of one thing at a time.
func (m *Model) escape() {
	switch v := m.viewer; {
	case v.player.playing:
		v.pause()
	case m.loading.then != nil:
		m.loading.then, m.status = nil, "stays here"
	case v.zoomOut():
	case v.Filter != "":
		v.setFilter("")
	case !m.direct:
		v.pause()
		m.screen = screenPicker
	default:
		m.status = "q quits"
	}
}
