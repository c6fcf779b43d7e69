package tui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/keymap"
	"github.com/kubestep/kubestep/tui/internal/remote"
	"github.com/kubestep/kubestep/tui/internal/views"
)

// candidate is something that may be typed next, with what it means.
type candidate struct{ text, about string }

// commands are all that can be typed after a colon.
func (m *Model) commands() []verb.Command {
	if m.steers() {
		return remote.Commands()
	}
	return keymap.Commands()
}

// candidates are what may follow what was typed: commands, and then what they need.
func (m *Model) candidates(line string) []candidate {
	words := strings.Fields(line)
	if strings.HasSuffix(line, " ") || len(words) == 0 {
		words = append(words, "")
	}
	last := words[len(words)-1]
	var all []candidate
	if len(words) == 1 {
		all = m.touches()
		for _, c := range m.commands() {
			all = append(all, candidate{c.Name, c.Args + "  " + c.About})
		}
	} else {
		all = m.arguments(words)
	}
	return slices.DeleteFunc(all, func(c candidate) bool { return !strings.HasPrefix(c.text, last) || c.text == last })
}

// touches are the commands for what was touched, written with it.
func (m *Model) touches() (all []candidate) {
	if m.prompt.touched == (touch.Thing{}) || m.steers() && m.prompt.touched.Message != 0 {
		return nil
	}
	all = m.looks(m.prompt.touched)
	for _, offer := range m.touched().Offers(m.prompt.touched) {
		all = append(all, candidate{offer.Command, offer.About})
	}
	return all
}

// touched is the run at the cursor, for what may be done there.
func (m *Model) touched() touch.Run {
	return touch.Run{Scenario: m.branches.current().entry.Scenario, Beat: m.viewer.Beat()}
}

// kinds are those of the scenario, or the built-in ones of a trace without one.
func (m *Model) kinds() *kinds.Table {
	if s := m.branches.current().entry.Scenario; s != nil {
		return s.Kinds()
	}
	return kinds.BuiltIn()
}

// arguments are what the last word of a command may be.
func (m *Model) arguments(words []string) []candidate {
	n := len(words) - 2
	var out []candidate
	for _, c := range branch.Commands() {
		if c.Name != words[0] || n >= len(c.Complete) {
			continue
		}
		for _, text := range c.Complete[n](m, words[1:]) {
			out = append(out, candidate{text, ""})
		}
	}
	return out
}

// Processes implements verb.Scene.
func (m *Model) Processes() []string { return m.touched().Processes() }

// Watches implements verb.Scene.
func (m *Model) Watches(actor string) []string { return m.touched().Watches(actor) }

// Objects implements verb.Scene: objects that exist now, the selected one first.
func (m *Model) Objects(wanted func(*kinds.Kind) bool) []string {
	v, table := m.viewer, m.kinds()
	var out []string
	add := func(o trace.Object) {
		k := table.Named(o.Resource)
		if k == nil || !wanted(k) {
			return
		}
		if target := touch.TargetOf(k, o); !slices.Contains(out, target) {
			out = append(out, target)
		}
	}
	objects := v.Beat().Objects()
	if slices.ContainsFunc(objects, func(o scene.Object) bool { return o.Object == v.Selected }) {
		add(v.Selected)
	}
	for _, o := range objects {
		add(o.Object)
	}
	return out
}

// menuLines is how many candidates are shown at most.
const menuLines = 18

// offered are the candidates, and which of them are in the menu.
func (m *Model) offered() (all []candidate, from, to int) {
	all = m.candidates(m.prompt.input.Value())
	m.prompt.choice = min(m.prompt.choice, max(len(all)-1, 0))
	room := min(menuLines, m.height-views.SmallPane-6)
	from = min(max(m.prompt.choice-room/2, 0), max(len(all)-room, 0))
	return all, from, min(from+room, len(all))
}

// menu offers the candidates.
func (m *Model) menu() []string {
	t := m.theme
	all, from, to := m.offered()
	var lines []string
	names := 0
	for _, c := range all {
		names = max(names, frame.Width(c.text)+2)
	}
	for i := from; i < to; i++ {
		name := frame.Fit(all[i].text, min(names, m.width/2))
		text := "  " + t.Key.Render(name) + t.Dim.Render(all[i].about)
		if i == m.prompt.choice {
			text = t.Now.Render("▸ " + name + all[i].about)
		}
		lines = append(lines, text)
	}
	if below := len(all) - from - len(lines); below > 0 && len(lines) > 1 {
		lines[len(lines)-1] = t.Dim.Render(fmt.Sprintf("  … %d more: ↓", below+1))
	}
	if len(all) == 0 {
		lines = []string{t.Dim.Render(m.promptHint(m.prompt.input.Value()))}
	}
	return lines
}

// promptHint says what enter does with a complete command, or what an incomplete one needs.
func (m *Model) promptHint(line string) string {
	if m.steers() {
		return "enter sends this to the session"
	}
	if words := strings.Fields(line); len(words) > 0 && words[0] == keymap.SaveCommand.Name {
		if len(words) == 1 {
			return keymap.SaveCommand.Name + " needs " + keymap.SaveCommand.Args
		}
		return "enter writes the scenario of this run"
	}
	if _, ok, err := branch.ParseVariation(line); ok {
		if err != nil {
			return err.Error()
		}
		return "enter runs the scenario with this number"
	}
	if _, err := m.touched().Parse(line); err != nil {
		return err.Error()
	}
	return "enter runs the scenario again with this step"
}

func (m *Model) menuTitle() string {
	if m.steers() {
		return m.theme.Title.Render("The session") + m.theme.Dim.Render("  now; tab completes, ↑ ↓ choose, esc cancels")
	}
	of := ""
	if m.looksBack() {
		of = " of the session"
	}
	return m.theme.Title.Render("What if?") + m.theme.Dim.Render("  at "+trace.Seconds(max(m.viewer.Now, 0))+
		", in a branch"+of+"; tab completes, ↑ ↓ choose, esc cancels")
}

// complete takes the marked candidate.
func (m *Model) complete() {
	line := m.prompt.input.Value()
	all := m.candidates(line)
	if m.prompt.choice >= len(all) {
		return
	}
	stem := line[:strings.LastIndexByte(line, ' ')+1]
	m.prompt.input.SetValue(stem + all[m.prompt.choice].text + " ")
	m.prompt.input.CursorEnd()
	m.prompt.choice = 0
}
