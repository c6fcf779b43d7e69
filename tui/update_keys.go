package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
)

// updateKey gives a key to the topmost layer that wants it: a prompt, the help, the screen.
func (m *Model) updateKey(msg tea.KeyMsg) tea.Cmd {
	if m.prompt.ask != askNothing && msg.Type != tea.KeyCtrlC {
		return m.updatePrompt(msg)
	}
	m.status = ""
	switch {
	case msg.Type == tea.KeyCtrlC, key.Matches(msg, m.keys.Quit) && !m.help:
		m.loading.stop()
		return tea.Quit
	case m.help:
		m.helpKey(msg)
		return nil
	case key.Matches(msg, m.keys.Help):
		m.help = true
		return nil
	}
	switch m.screen {
	case screenPicker:
		return m.pickerKey(msg)
	case screenLoading:
		return m.loadingKey(msg)
	}
	if cmd, ok := m.choiceKey(msg); ok {
		return cmd
	}
	if cmd, ok := m.playKey(msg); ok {
		return cmd
	}
	if m.lookKey(msg) {
		return nil
	}
	if m.moveKey(msg) {
		m.pause()
		return nil
	}
	if key.Matches(msg, m.keys.Escape) {
		return m.escape()
	}
	m.sayWhyNot(msg)
	return nil
}

// escape backs out of one thing at a time.
func (m *Model) escape() tea.Cmd {
	switch v := m.viewer; {
	case v.player.playing:
		m.pause()
	case v.filter != "":
		m.setFilter("")
	case !m.direct:
		m.pause()
		m.screen = screenPicker
	default:
		m.status = "q quits"
	}
	return nil
}

// sayWhyNot tells why a key does nothing now.
func (m *Model) sayWhyNot(msg tea.KeyMsg) {
	k := NewKeyMap()
	switch {
	case key.Matches(msg, k.Cause):
		m.status = "nothing recorded caused this one"
	case key.Matches(msg, k.Back):
		m.status = "no jump to go back from: c goes to a cause"
	case key.Matches(msg, k.NextError, k.PreviousError):
		m.status = "this recording has no errors and no failed checks"
	case key.Matches(msg, k.NextStep, k.PreviousStep):
		m.status = "this recording has no actions"
	case key.Matches(msg, k.Command):
		m.status = "a trace cannot branch: open the scenario that it is of"
	case key.Matches(msg, k.Divergence):
		m.status = "no branch is shown: : begins one"
	case key.Matches(msg, k.Math):
		m.status = "only rollouts of Deployments are explained with their sums; 2 shows a sync of any controller"
	case key.Matches(msg, k.Panel, k.PreviousPanel):
		m.status = "all panels of this view are on the screen"
	}
}

// moveKey moves the cursor.
func (m *Model) moveKey(msg tea.KeyMsg) bool {
	v, k := m.viewer, &m.keys
	marks := v.rec.Marks()
	for _, way := range []struct {
		next, previous key.Binding
		of             []int64
		what           string
	}{
		{k.Next, k.Previous, v.visible, "record"},
		{k.NextWrite, k.PreviousWrite, marks.Writes, "write"},
		{k.NextSync, k.PreviousSync, marks.Syncs, "sync"},
		{k.NextStep, k.PreviousStep, marks.Actions, "action"},
		{k.NextError, k.PreviousError, marks.Errors, "error"},
	} {
		switch {
		case key.Matches(msg, way.next):
			m.to(recording.Next(way.of, v.cursor), "no "+way.what+" after this one")
			return true
		case key.Matches(msg, way.previous):
			m.to(recording.Previous(way.of, v.cursor), "no "+way.what+" before this one")
			return true
		}
	}
	switch {
	case key.Matches(msg, k.Cause):
		v.jump(v.rec.Record(v.cursor).Cause)
	case key.Matches(msg, k.Back):
		v.move(v.trail[len(v.trail)-1])
		v.trail = v.trail[:len(v.trail)-1]
	case key.Matches(msg, k.Divergence):
		m.toDivergence()
	case key.Matches(msg, k.NextChange):
		m.change("after", recording.Next)
	case key.Matches(msg, k.OldChange):
		m.change("before", recording.Previous)
	case key.Matches(msg, k.Start):
		m.to(v.firstOfStory(), "")
	case key.Matches(msg, k.End):
		m.to(recording.Previous(v.visible, v.rec.Len()+1), "no record matches")
	default:
		return false
	}
	return true
}

// to moves, or says why not.
func (m *Model) to(seq int64, otherwise string) {
	if seq == 0 {
		m.status = otherwise
		return
	}
	m.viewer.move(seq)
}

// change goes to the next or the previous write of the selected object.
func (m *Model) change(way string, from func(of []int64, seq int64) int64) {
	v := m.viewer
	if v.selected.Name == "" {
		m.status = "no object is selected"
		return
	}
	var writes []int64
	for _, version := range v.rec.Versions(v.selected) {
		writes = append(writes, version.Seq)
	}
	m.to(from(writes, v.cursor), "no write of "+v.selected.Name+" "+way+" this one")
}
