package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/keymap"
)

// way is a way to move through records of some kind.
type way struct {
	next, previous key.Binding
	of             []int64
	what           string
}

func (v *viewer) ways(k *keymap.KeyMap) []way {
	marks := v.Rec.Marks()
	return []way{
		{k.Next, k.Previous, v.Visible, "record"},
		{k.NextWrite, k.PreviousWrite, marks.Writes, "write"},
		{k.NextSync, k.PreviousSync, marks.Syncs, "sync"},
		{k.NextDecision, k.OldDecision, v.Scenes.Film.Decisions(), "decision"},
		{k.NextStep, k.PreviousStep, marks.Actions, "action"},
		{k.NextError, k.PreviousError, marks.Errors, "error"},
	}
}

// moveKey moves the cursor; status says why it does not.
func (v *viewer) moveKey(msg tea.KeyMsg, k *keymap.KeyMap) (status string, ok bool) {
	for _, way := range v.ways(k) {
		switch {
		case key.Matches(msg, way.next):
			return v.to(recording.Next(way.of, v.Seq), "no "+way.what+" after this one"), true
		case key.Matches(msg, way.previous):
			return v.to(recording.Previous(way.of, v.Seq), "no "+way.what+" before this one"), true
		}
	}
	switch {
	case key.Matches(msg, k.Cause):
		seq, status := v.Cause()
		v.jump(seq)
		return status, true
	case key.Matches(msg, k.Back):
		v.move(v.trail[len(v.trail)-1])
		v.trail = v.trail[:len(v.trail)-1]
	case key.Matches(msg, k.NextChange):
		return v.change("after", recording.Next), true
	case key.Matches(msg, k.OldChange):
		return v.change("before", recording.Previous), true
	case key.Matches(msg, k.Start):
		return v.to(v.firstOfStory(), ""), true
	case key.Matches(msg, k.End):
		return v.to(recording.Previous(v.Visible, v.Rec.Len()+1), "no record matches"), true
	default:
		return "", false
	}
	return "", true
}

// to moves, or says why not.
func (v *viewer) to(seq int64, otherwise string) (status string) {
	if seq == 0 {
		return otherwise
	}
	v.move(seq)
	return ""
}

// change goes to the next or the previous write of the selected object.
func (v *viewer) change(way string, from func(of []int64, seq int64) int64) (status string) {
	if v.Selected.Name == "" {
		return "no object is selected"
	}
	var writes []int64
	for _, version := range v.Rec.Versions(v.Selected) {
		writes = append(writes, version.Seq)
	}
	return v.to(from(writes, v.Seq), "no write of "+v.Selected.Name+" "+way+" this one")
}

// more reads on in a trace of which only a part was read, at least twice as far, and then does something; it returns nil if there is
// nothing to read.
func (m *Model) more(to recording.Extent, then func() tea.Cmd) tea.Cmd {
	v := m.viewer
	if v.Rec.Whole == nil {
		return nil
	}
	if then != nil {
		v.pause()
		m.status = "reading on; esc cancels"
	}
	if m.loading.behind {
		m.loading.then = then
		return func() tea.Msg { return nil } // the news of what is read are awaited already
	}
	to.Records = max(to.Records, 2*v.Rec.Len())
	m.loading = newLoading(&m.options, m.branches.nodes[0].entry)
	m.loading.behind, m.loading.used, m.loading.reading.To, m.loading.then = true, true, to, then
	return m.loading.start(m.options.Open)
}

// readsOn reads on if a key leads behind the part of a trace that was read, and presses it again then. moved says that the key has moved
// the cursor. It returns nil if the key does not lead there.
func (m *Model) readsOn(msg tea.KeyMsg, moved bool) tea.Cmd {
	v, to := m.viewer, recording.Extent{}
	switch {
	case key.Matches(msg, m.keys.End):
		to = recording.All
	case moved || !v.isForward(msg, &m.keys):
		return nil
	}
	return m.more(to, func() tea.Cmd {
		before := m.viewer.Seq
		cmd := m.recordingKey(msg)
		m.followed(before)
		return cmd
	})
}

// The reader comes near the end of what was read so many records before it, or at a part of it.
const nearRecords, nearPart = 5000, 8

// readAhead reads on when the reader comes near the end of the part of a trace that was read.
func (m *Model) readAhead() tea.Cmd {
	v := m.viewer
	if m.screen != screenViewer || m.loading.behind || m.failure != nil || v.Rec.Whole == nil {
		return nil
	}
	if near := min(nearRecords, v.Rec.Len()/nearPart); v.Seq < v.Rec.Len()-near {
		return nil
	}
	return m.more(recording.Extent{}, nil)
}

// isForward reports whether a key moves forward.
func (v *viewer) isForward(msg tea.KeyMsg, k *keymap.KeyMap) bool {
	for _, way := range v.ways(k) {
		if key.Matches(msg, way.next) {
			return true
		}
	}
	return key.Matches(msg, k.NextChange)
}

// atEdge reports whether no listed record follows in the part of a trace that was read.
func (v *viewer) atEdge() bool { return v.Rec.Whole != nil && recording.Next(v.Visible, v.Seq) == 0 }
