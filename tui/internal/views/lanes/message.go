package lanes

import (
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// wire is how the line of a message looks: in general, and where it has just been sent or received.
const wire, bright = "─", "━"

// message draws a message: a request goes to the API server at the right, a watch event comes from it, and the call of a webhook comes and
// returns.
func (p drawing) message(m *scene.Message, width int) string {
	switch {
	case m == nil:
		return frame.Fit("", width)
	case m.Current && p.Phase > 0 && p.Phase < pane.Phases:
		return p.travels(m, width)
	}
	style, line := p.Theme.Tone(m.Tone), wire
	if m.Current {
		line = bright
	}
	start, end := line+" ", line+heads[m.End]
	if m.Way != scene.Request {
		start = "◀" + line + " "
	}
	if m.Way == scene.Event {
		end = line
	}
	text := frame.Middle(m.Text, max(width-frame.Width(start)-frame.Width(end)-3, 8))
	fill := max(width-1-frame.Width(start)-frame.Width(text)-1-frame.Width(end), 0)
	return style.Render(frame.Fit(start+text+" "+strings.Repeat(line, fill)+end, width))
}

// heads are the ends of messages at the API server.
var heads = map[scene.End]string{"": "▶", scene.Denied: "▶", scene.Refused: "✗", scene.Unanswered: "✗", scene.Held: "┤"}

// travels draws a message that is under way, with its trail behind it and the line to its destination before it.
func (p drawing) travels(m *scene.Message, width int) string {
	returns := m.End == scene.Refused && p.Phase == pane.Phases-1
	room := width - 1
	text := p.word(m, room, returns)
	text = frame.Fit(text, min(room, frame.Width(text)))
	free := room - frame.Width(text)
	before := free * p.place(m) / 100
	style := p.Theme.Tone(m.Tone)
	left, right := strings.Repeat(bright, before), strings.Repeat(wire, free-before)
	if m.Way == scene.Event || returns {
		left, right = strings.Repeat(wire, before), strings.Repeat(bright, free-before)
		return p.Theme.Dim.Render(left) + style.Render(text+right) + " "
	}
	return style.Render(left+text) + p.Theme.Dim.Render(right) + " "
}

// word is what travels: the whole message where it has a long way, and else the word that matters.
func (p drawing) word(m *scene.Message, room int, returns bool) string {
	text := m.Text
	if fields := strings.Fields(text); len(fields) > 0 && frame.Width(text) > room/2 {
		text = fields[0]
		if m.Way != scene.Request {
			text = fields[len(fields)-1]
		}
	}
	switch {
	case returns:
		return "◀✗ " + text + " "
	case m.Way == scene.Event:
		return "◀ " + text + " "
	case m.End == scene.Held:
		return " " + text + " ┤"
	}
	return " " + text + " ▶"
}

// place is how much of its way there is at the left of a message, in percent: 0 and 100 are its ends. What is refused has returned
// half of the way in the last phase, and what is held stops there.
func (p drawing) place(m *scene.Message) int {
	const way = 100
	gone := way * (p.Phase - 1) / (pane.Phases - 2)
	switch {
	case m.End == scene.Refused:
		return []int{way / 2, way, way / 2}[min(p.Phase-1, 2)]
	case m.End == scene.Held:
		return gone / 2
	case m.Way == scene.Event:
		return way - gone
	}
	return gone
}
