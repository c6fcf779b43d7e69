package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/pane"
)

// View implements tea.Model. What it draws has exactly the terminal's size.
func (m *Model) View() string {
	if m.width < minWidth || m.height < minHeight {
		return m.tooSmall()
	}
	var lines []string
	switch {
	case m.help:
		lines = m.viewHelp()
	case m.screen == screenPicker:
		lines = m.viewPicker()
	case m.screen == screenLoading:
		lines = m.viewLoading()
	default:
		lines = m.viewViewer()
	}
	lines = frame.Block(lines, m.width, m.height-1)
	return strings.Join(append(lines, m.footer()), "\n")
}

func (m *Model) tooSmall() string {
	lines := append(make([]string, max(m.height/2-1, 0)),
		fmt.Sprintf("kubestep needs %d x %d cells", minWidth, minHeight),
		fmt.Sprintf("and has %d x %d: make the", m.width, m.height), "window larger, or q quits")
	return strings.Join(frame.Block(lines, m.width, m.height), "\n")
}

// viewViewer draws a recording, and above it what the scenario says to the reader.
func (m *Model) viewViewer() []string {
	l := m.layout()
	if m.present {
		l = Stage(m.width, m.height)
	}
	if m.prompt.ask == askCommand {
		lines := m.menu()
		l, room := l.withCard(len(lines) + 2)
		return append(m.body(l), frame.Box(m.menuTitle(), lines, m.width, room, m.theme.Note)...)
	}
	card := m.viewer.card(m.width)
	if card == nil {
		return m.body(l)
	}
	l, room := l.withCard(card.Height())
	card.SetSize(m.width, room)
	return append(m.body(l), card.Render()...)
}

// body is the header and the parts of the view.
func (m *Model) body(l Layout) []string {
	v := m.viewer
	if m.present {
		v.stage.SetSize(l.Main.W, l.Main.H)
		return append(m.presentHeader(l), v.stage.Render()...)
	}
	lines := m.header(l)
	if v.view == ViewBranches {
		return append(lines, m.viewBranches(Rect{l.Main.X, l.Main.Y, l.Main.W, l.Main.H + l.Bottom.H})...)
	}
	main := m.part(m.mainName(), l.Main)
	if l.Breakpoint == Narrow {
		return append(append(lines, main...), m.below(m.panelName(), l)...)
	}
	if v.view == ViewObjects {
		return append(lines, frame.Beside(main, m.part("Object", l.Side))...)
	}
	if l.Side.H > 0 {
		side := "Why"
		if m.panelName() != "" {
			side = m.panelName()
		}
		main = frame.Beside(main, m.part(side, l.Side))
	}
	lines = append(lines, main...)
	if v.view == ViewTrace {
		return append(lines, m.below("Why", l)...)
	}
	return append(lines, m.below("Trace", l)...)
}

// below draws what is below the view, if there is room.
func (m *Model) below(name string, l Layout) []string {
	if l.Bottom.H == 0 {
		return nil
	}
	return m.part(name, l.Bottom)
}

// mainName is the part that the view is about.
func (m *Model) mainName() string {
	for _, v := range views {
		if v.view == m.viewer.view {
			return v.name
		}
	}
	return ""
}

// part draws one part of the screen.
func (m *Model) part(name string, r Rect) []string {
	v, t := m.viewer, m.theme
	switch name {
	case "Rollout":
		v.rollout.SetSize(r.W, r.H)
		return v.rollout.Render()
	case "Trace":
		v.trace.SetSize(r.W, r.H)
		v.trace.SetUntil(v.openQuestion())
		title := m.tabs(name)
		if v.filter != "" {
			title += t.Note.Render(" /" + v.filter)
		} else if !v.all {
			title += t.Dim.Render("  what tells the story; v for all")
		}
		return v.trace.Render(title + t.Dim.Render("  "+v.trace.Position()+v.nextText()))
	case "Why":
		v.why.SetSize(r.W, r.H)
		v.why.SetScroll(v.scroll)
		next := recording.Next(v.rec.Marks().Story, v.cursor)
		if v.concealed {
			next = 0
		}
		v.why.SetNext(next, v.player.head)
		return v.why.Render(m.tabs(name))
	case "Math":
		v.math.SetSize(r.W, r.H)
		v.math.SetScroll(v.scroll)
		return v.math.Render(m.tabs(name))
	case "Next":
		if v.concealed {
			return frame.Box(m.tabs(name), []string{"that is the question"}, r.W, r.H, t.Dim)
		}
		v.next.SetSize(r.W, r.H)
		return v.next.Render(m.tabs(name))
	case "Loop":
		v.loop.SetSize(r.W, r.H)
		return v.loop.Render(v.scroll)
	case "Queues":
		v.queues.SetSize(r.W, r.H)
		return v.queues.Render(v.scroll)
	case "Objects":
		v.objects.SetSize(r.W, r.H)
		return v.objects.Render(pane.Order(v.objects.List()))
	}
	v.objects.SetSize(r.W, r.H)
	return v.objects.Object(v.panel, v.scroll)
}

// nextText says for how long nothing happens, if it is long enough to be noticed.
func (v *viewer) nextText() string {
	next := recording.Next(v.visible, v.cursor)
	if next == 0 {
		return " · this is the end"
	}
	if wait := v.rec.At(next) - v.player.head; wait >= 100*time.Millisecond {
		return " · next in " + recording.Short(wait)
	}
	return ""
}

// tabs is the title of a panel; where tab switches between panels it names all of them.
func (m *Model) tabs(name string) string {
	panels := m.viewer.panels(m.layout())
	if !slices.Contains(panels, name) || m.mainName() == name {
		return m.theme.Title.Render(name)
	}
	var parts []string
	for _, panel := range panels {
		if panel == name {
			parts = append(parts, m.theme.Title.Render("["+panel+"]"))
		} else {
			parts = append(parts, m.theme.Dim.Render(panel))
		}
	}
	return strings.Join(parts, " ")
}

// header says what is played, where the reader stands, and what there is to see before and behind.
func (m *Model) header(l Layout) []string {
	v, t := m.viewer, m.theme
	right := ""
	if v.rec.Ran {
		right = fmt.Sprintf("%s · seed %d · ", m.verdict(), v.rec.Seed)
	}
	if m.width >= 80 {
		right += "trace " + shortHash(v.rec.Hash) + " "
	} else {
		right = strings.TrimSuffix(right, "· ")
	}
	if len(v.rec.OpenOrder) > 0 {
		right = "order open · " + right
	}
	left := " " + t.Title.Render(v.rec.Name) + "  " + v.rec.Title
	if m.current > 0 {
		left = " " + t.Title.Render(v.rec.Name) + t.Now.Render("  branch: ") + v.rec.Title
	}
	bar := m.barRect(l)
	v.scrub.SetSize(bar.W, 1)
	lines := []string{
		frame.Ends(left, t.Dim.Render(right), m.width),
		m.clock() + v.scrub.Bar() + m.count(),
	}
	if l.Header.H > 2 {
		lines = append(lines, strings.Repeat(" ", bar.X)+v.scrub.Labels())
	}
	return lines
}

// presentHeader is all that a room needs to know: what is shown, and when it is.
func (m *Model) presentHeader(l Layout) []string {
	v, t := m.viewer, m.theme
	bar := m.barRect(l)
	v.scrub.SetSize(bar.W, 1)
	return []string{frame.Fit("  "+t.Title.Render(v.rec.Title), m.width), m.clock() + v.scrub.Bar() + m.count()}
}

// verdict is what became of the run's checks.
func (m *Model) verdict() string { return m.verdictOf(m.viewer.rec) }

func (m *Model) verdictOf(rec *recording.Recording) string {
	switch rec.Result {
	case "":
		return ""
	case scenarios.Pass:
		return "✓ pass"
	case scenarios.Fail:
		return m.theme.Failed.Render("✗ FAIL")
	}
	return m.theme.Failed.Render("✗ broke down")
}

// shortHash is enough of a trace hash to tell two runs apart at a glance.
func shortHash(hash string) string {
	hash = strings.TrimPrefix(hash, "sha256:")
	return hash[:min(len(hash), 8)]
}

func (m *Model) clock() string {
	v := m.viewer
	state := "▮▮ "
	if v.player.playing {
		state = "▶  "
	}
	return m.theme.Now.Render(frame.Right(trace.Seconds(v.player.head), 10)) + "  " +
		frame.Fit(state+v.player.speedText(), m.clockWidth()-13) + " "
}

func (m *Model) clockWidth() int { return 22 }

func (m *Model) count() string {
	text := fmt.Sprintf("record %d of %d ", m.viewer.cursor, m.viewer.rec.Len())
	return m.theme.Dim.Render(frame.Right(text, m.countWidth()))
}

func (m *Model) countWidth() int {
	return len(fmt.Sprintf("  record %d of %d ", m.viewer.rec.Len(), m.viewer.rec.Len()))
}

// footer says which keys do something now, or what the last one came to.
func (m *Model) footer() string {
	t := m.theme
	if m.prompt.ask != askNothing {
		m.prompt.input.Width = max(m.width-frame.Width(m.prompt.input.Prompt)-2, 1)
		return frame.Fit(m.prompt.input.View(), m.width)
	}
	if m.present && m.screen == screenViewer && !m.help {
		return frame.Ends(" "+t.Note.Render(m.status), t.Dim.Render("P leaves the presentation "), m.width)
	}
	right := m.viewKeys() + m.hint("?", "help") + "  " + m.hint("q", "quit") + " "
	if m.help {
		right = ""
	}
	room := m.width - frame.Width(right) - 1
	if frame.Width(m.status) > room {
		right = m.hint("?", "help") + " "
	}
	if m.status != "" {
		return frame.Ends(" "+t.Note.Render(m.status), right, m.width)
	}
	left := m.questionHints()
	for _, h := range m.keys.hints() {
		if left != "" && m.viewer != nil && m.viewer.concealed {
			break
		}
		var names []string
		for _, k := range h.keys {
			if k.Enabled() {
				name, _, _ := strings.Cut(k.Help().Key, " ")
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		next := " " + m.hint(strings.Join(names, "/"), h.short) + " "
		if frame.Width(left)+frame.Width(next) > room {
			break
		}
		left += next
	}
	if m.help {
		left = " any other key leaves the help"
	}
	return frame.Ends(left, right, m.width)
}

// questionHints are the keys that answer the question at the cursor.
func (m *Model) questionHints() string {
	if m.screen != screenViewer || !m.viewer.concealed || m.help {
		return ""
	}
	return " " + m.hint("↑ ↓", "choose") + "  " + m.hint("enter", "answer") + "  " + m.hint("esc", "skip")
}

func (m *Model) hint(key, about string) string {
	return m.theme.Key.Render(key) + " " + m.theme.Dim.Render(about)
}

// viewKeys names the views with their keys.
func (m *Model) viewKeys() string {
	if m.screen != screenViewer {
		return ""
	}
	if m.width < wideWidth {
		return m.hint("1-6", "views") + "  "
	}
	var b strings.Builder
	for _, v := range views {
		name := m.theme.Dim.Render(v.name)
		if v.view == m.viewer.view {
			name = m.theme.Title.Render(v.name)
		}
		b.WriteString(m.theme.Key.Render(itoa(int64(v.view))) + " " + name + "  ")
	}
	return b.String()
}

// viewLoading shows how far a run is.
func (m *Model) viewLoading() []string {
	t, l := m.theme, &m.loading
	width := min(m.width-8, 60)
	part := 0.0
	if l.entry.Horizon > 0 {
		part = min(float64(l.progress.At)/float64(l.entry.Horizon), 1)
	}
	full := int(part * float64(width))
	lines := make([]string, max(m.height/3, 1))
	body := []string{
		t.Title.Render(l.entry.Name) + "  " + l.entry.Title, "",
		t.Now.Render(strings.Repeat("━", full)) + t.Dim.Render(strings.Repeat("─", width-full)), "",
		fmt.Sprintf("running it to its end: %s of %s virtual, %d records",
			trace.Seconds(l.progress.At), l.entry.Horizon, l.progress.Records),
		t.Dim.Render("Then every record can be looked at, forwards and backwards. esc gives up."),
	}
	for _, line := range body {
		lines = append(lines, "    "+line)
	}
	return lines
}
