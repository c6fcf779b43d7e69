package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/tui/internal/picker"
)

// A session cannot go back, but its reader can. A step at an earlier moment happens in a branch: a run of the session so far, with one more
// step at that time. Meanwhile, the session continues.

// looksBack reports whether commands are for a branch: the cursor is behind the present of a session that runs.
func (m *Model) looksBack() bool {
	return m.controls() && !m.live.Follow && m.live.Wanted == nil && m.viewer.Now < m.live.State.At()
}

// steers reports whether commands are for the present of a session.
func (m *Model) steers() bool { return m.controls() && !m.looksBack() }

// pastMsg is the session so far, and what to do in a branch of it: nothing if line is empty.
type pastMsg struct {
	entry picker.Entry
	err   error
	line  string
}

// past asks for the session so far.
func (m *Model) past(line string) tea.Cmd {
	s := m.live
	return func() tea.Msg {
		text, err := s.Past()
		if err != nil {
			return pastMsg{err: err, line: line}
		}
		scenario, err := format.Parse("session", text, verb.All)
		if err != nil {
			return pastMsg{err: fmt.Errorf("the session so far: %w", err), line: line}
		}
		return pastMsg{entry: picker.NewEntry(scenario, ""), line: line}
	}
}

// aftermath is how much longer than the session so far its branches last, so that their steps have time to take effect: kubelets that are
// lost lose their Pods after five minutes and forty seconds.
const aftermath = 10 * time.Minute

// updatePast takes the session so far, and makes the branch.
func (m *Model) updatePast(msg pastMsg) tea.Cmd {
	if msg.err != nil {
		m.status = msg.err.Error()
		return nil
	}
	if !m.looksBack() {
		return nil
	}
	base := &m.branches.nodes[0].entry
	before, now := base.Keyframes, m.viewer.Now
	// The run that has the keyframes ends as its branches do, so it serves those of the time that it knows.
	if last := base.Horizon - aftermath; before != nil && now < last {
		msg.entry.Scenario.Spec.Horizon.Duration = base.Horizon
		msg.entry.Keyframes, msg.entry.Base, msg.entry.Horizon = before, base.Base, base.Horizon
	} else {
		before.Close()
		msg.entry.Horizon += aftermath
		msg.entry.Scenario.Spec.Horizon.Duration = msg.entry.Horizon
		text, err := msg.entry.Scenario.Encode()
		if err != nil {
			m.status = err.Error()
			return nil
		}
		msg.entry.Base = text
		msg.entry = m.withKeyframes(msg.entry)
	}
	*base = msg.entry
	m.enable()
	if msg.line == "" {
		return nil
	}
	return m.branchCommand(msg.line)
}
