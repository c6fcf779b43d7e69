package tui

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/controllers/explain"
	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/reading/why"
)

// A screen explains syncs. Nearly all explanations take less than a millisecond, but one of a ReplicaSet with 5,000 Pods takes a second, in
// which no key would do anything. Such a one is computed beside the interface, one after the other, while the screen says so. Who moves on
// does not wait for it: what the screen lacks then is computed next.

// atOnce is how many objects a controller lists at most in a sync that is explained before the screen is drawn.
const atOnce = 500

// explainedMsg is the explanation of the sync that began with a record; nil if it is not explained.
type explainedMsg struct {
	of          *why.History
	start       int64
	explanation *arithmetic.Explanation
}

// deferLarge defers the explanations that take long, of a recording with so many objects.
func (m *Model) deferLarge(v *viewer) {
	if v.Rec.MostObjects() > m.options.AtOnce {
		v.Scenes.History.Defer(m.options.AtOnce)
	}
}

// explain computes an explanation that the screen lacks. Which one that is is known once the screen is drawn, so View returns what is drawn
// here.
func (m *Model) explain() tea.Cmd {
	if m.screen != screenViewer || m.explaining || !slices.ContainsFunc(m.histories(), (*why.History).Defers) {
		return nil
	}
	for _, of := range m.histories() {
		of.Lacking()
	}
	m.drawn = m.draw()
	for _, of := range m.histories() {
		lacking := of.Lacking()
		if len(lacking) == 0 {
			continue
		}
		start := lacking[0]
		if at := of.Recording().SyncOf(m.viewer.Seq); slices.Contains(lacking, at) {
			start = at
		}
		m.explaining = true
		return func() tea.Msg { return explainedMsg{of, start, explain.At(of.Recording(), start)} }
	}
	return nil
}

// histories are those of the run that is shown, and of the others, which may be shown beside it.
func (m *Model) histories() []*why.History {
	histories := []*why.History{m.viewer.Scenes.History}
	for _, n := range m.branches.nodes {
		if n.viewer != m.viewer {
			histories = append(histories, n.viewer.Scenes.History)
		}
	}
	return histories
}

// updateExplained takes an explanation.
func (m *Model) updateExplained(msg explainedMsg) {
	m.explaining = false
	msg.of.Explain(msg.start, msg.explanation)
}
