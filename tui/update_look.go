package tui

import (
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
)

// playKey starts, stops and paces the player.
func (m *Model) playKey(msg tea.KeyMsg) (cmd tea.Cmd, ok bool) {
	p, k := &m.viewer.player, &m.keys
	switch {
	case key.Matches(msg, k.Play) && p.playing:
		m.pause()
	case key.Matches(msg, k.Play):
		return m.play(), true
	case key.Matches(msg, k.Faster):
		p.speed = min(p.speed+1, len(speeds)-1)
		m.status = "plays at " + p.speedText() + " of virtual time"
	case key.Matches(msg, k.Slower):
		p.speed = max(p.speed-1, 0)
		m.status = "plays at " + p.speedText() + " of virtual time"
	case key.Matches(msg, k.Idle):
		p.skipIdle = !p.skipIdle
		m.status = "plays every second, idle ones as well"
		if p.skipIdle {
			m.status = "skips time in which nothing happens"
		}
	default:
		return nil, false
	}
	return nil, true
}

// lookKey changes what is shown, not where.
func (m *Model) lookKey(msg tea.KeyMsg) bool {
	v, k := m.viewer, &m.keys
	switch {
	case key.Matches(msg, k.Rollout):
		v.show(ViewRollout)
	case key.Matches(msg, k.Loop):
		v.show(ViewLoop)
	case key.Matches(msg, k.Queues):
		v.show(ViewQueues)
	case key.Matches(msg, k.Objects):
		v.show(ViewObjects)
	case key.Matches(msg, k.Trace):
		v.show(ViewTrace)
	case key.Matches(msg, k.Branches):
		v.show(ViewBranches)
	case key.Matches(msg, k.Open):
		m.pause()
		m.switchTo(m.selectedBranch)
	case key.Matches(msg, k.Command):
		m.pause()
		m.prompt = newPrompt(askCommand, ":", "", "")
	case key.Matches(msg, k.Math):
		m.showMath()
	case key.Matches(msg, k.Present):
		m.present = !m.present
	case key.Matches(msg, k.Panel):
		m.switchPanel(1)
	case key.Matches(msg, k.PreviousPanel):
		m.switchPanel(-1)
	case key.Matches(msg, k.ScrollDown):
		v.scroll += 5
	case key.Matches(msg, k.ScrollUp):
		v.scroll = max(v.scroll-5, 0)
	case key.Matches(msg, k.Up):
		m.line(-1)
	case key.Matches(msg, k.Down):
		m.line(1)
	case key.Matches(msg, k.NextWorkload):
		m.switchWorkload(1)
	case key.Matches(msg, k.OldWorkload):
		m.switchWorkload(-1)
	case key.Matches(msg, k.All):
		m.showAll()
	case key.Matches(msg, k.Goto):
		m.prompt = newPrompt(askPlace, "go to: ", "", "12.4s or 412")
	case key.Matches(msg, k.Filter):
		m.prompt = newPrompt(askFilter, "/", v.filter, "words, actor:, verb:, object:, !not")
	default:
		return false
	}
	return true
}

// show switches the view. What the cursor is on is selected where objects are listed.
func (v *viewer) show(view View) {
	if view == ViewObjects && v.view != ViewObjects {
		if o, ok := v.rec.ObjectOf(v.cursor); ok {
			v.pick(o)
		}
	}
	v.view, v.panel, v.scroll = view, 0, 0
}

// showMath goes to the arithmetic of the rollout, and back to Why.
func (m *Model) showMath() {
	v := m.viewer
	shown := v.view == ViewRollout && m.panelName() == "Math"
	v.show(ViewRollout)
	if !shown {
		v.panel = slices.Index(v.panels(m.layout()), "Math")
	}
}

func (m *Model) switchPanel(by int) {
	v := m.viewer
	n := len(v.panels(m.layout()))
	v.panel = (v.panel + by + n) % n
	v.scroll = 0
}

func (m *Model) switchWorkload(by int) {
	v := m.viewer
	n := len(v.rec.Workloads())
	v.workload = (v.workload + by + n) % n
	v.selectRow(0)
}

// line selects the line above or below in the view.
func (m *Model) line(by int) {
	v := m.viewer
	switch {
	case v.view == ViewObjects:
		v.selectObject(by)
	case v.view == ViewBranches:
		m.selectBranch(by)
	case v.view == ViewTrace || m.panelName() == "Trace":
		m.pause()
		if by > 0 {
			m.to(recording.Next(v.visible, v.cursor), "no record after this one")
		} else {
			m.to(recording.Previous(v.visible, v.cursor), "no record before this one")
		}
	default:
		v.selectRow(v.row + by)
	}
}

// panelName is the panel that tab has chosen.
func (m *Model) panelName() string {
	panels := m.viewer.panels(m.layout())
	if m.viewer.panel >= len(panels) {
		return ""
	}
	return panels[m.viewer.panel]
}

// showAll switches between every record and those of the story.
func (m *Model) showAll() {
	v := m.viewer
	v.all = !v.all
	v.list()
	m.status = "shows the records that tell the story"
	if v.all {
		m.status = "shows every record"
	}
}
