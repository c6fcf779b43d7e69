package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Card shows what the scenario itself says to the reader: a note, a question, or the answer to one.
type Card struct{}

// Title implements Pane.
func (Card) Title(m Moment, _ *theme.Theme) (name, detail string) {
	switch record := m.Rec.Record(m.Seq); {
	case record == nil:
		return "", ""
	case m.ended():
		return "The end", ""
	case record.Ask != nil:
		return "What do you think?", ""
	case record.Answer != nil:
		return "Answer", ""
	}
	return "Note", ""
}

// Missing implements Conditional.
func (Card) Missing(m Moment) string {
	if m.ended() {
		return ""
	}
	if record := m.Rec.Record(m.Seq); record == nil || record.Note == nil && record.Ask == nil && record.Answer == nil {
		return "no note here"
	}
	return ""
}

// Border implements Bordered: the scenario's own voice has its own color.
func (Card) Border(t *theme.Theme) lipgloss.Style { return t.Note }

// Height is how many lines the card has with its border.
func (p Card) Height(m Moment, c Canvas) int { return len(p.Render(m, c.Inside())) + borderHeight }

// Render implements Pane.
func (Card) Render(m Moment, c Canvas) []string {
	p := card{m, c}
	switch record := p.Rec.Record(p.Seq); {
	case record == nil:
		return nil
	case record.Note != nil:
		return p.note(record.Note.Text)
	case record.Ask != nil:
		return p.question(record.Ask)
	case record.Answer != nil:
		return p.answer(record.Answer)
	}
	return p.end()
}

// ended reports whether a lesson is over that asked questions.
func (m Moment) ended() bool {
	answers := m.Rec.Marks().Answers
	return len(answers) > 0 && m.Seq > answers[len(answers)-1] && m.isOver()
}

// isOver reports whether a run is over: the cursor is at its last record. A session continues, and the last record of a recording that
// was cut off is in the middle of the run.
func (m Moment) isOver() bool {
	return !m.Session && m.Rec.Whole == nil && m.Rec.Cut == "" && m.Rec.Halted == "" && m.Seq == recording.Latest(m.Visible, m.Rec.Len())
}

// NextLesson is the lesson of the course that comes next, where one is over; empty if there is none. Of a lesson without questions, each
// last record is the end.
func (m Moment) NextLesson() string {
	if !m.isOver() {
		return ""
	}
	return library.After(m.Rec.Name)
}

// end is the score of a lesson, what the reader did not know, and which lesson comes next.
func (p card) end() []string {
	right, of := p.score()
	lines := []string{p.Theme.Title.Render("This is the end of the lesson.")}
	if of > 0 {
		lines[0] += fmt.Sprintf("   %d of %d right", right, of)
	}
	if next := p.NextLesson(); next != "" {
		lines = append(lines, p.Theme.Dim.Render("enter opens the next lesson of the course: "+next))
	}
	for i, seq := range p.Missed() {
		lines = append(lines, p.missed(p.Rec.Record(seq).Ask, string(rune('a'+i)))...)
	}
	return lines
}

// missed is a question that the reader answered wrong. What asks it again is named as a key: a letter in front would look like one
// of the choices.
func (p card) missed(ask *trace.Ask, key string) []string {
	lines := frame.Wrap("✗ "+frame.OneLine(ask.Question), p.Width, 2)
	lines = append(lines, frame.Wrap("  Right: "+p.answerOf(ask.Step).Text, p.Width, 4)...)
	return append(lines, frame.Wrap("  You said: "+p.Answers[ask.Step]+" (press "+key+" to answer again)", p.Width, 4)...)
}

// Missed are the questions that the reader answered wrong, in order, where the lesson is over.
func (m Moment) Missed() (asked []int64) {
	if !m.ended() {
		return nil
	}
	for _, seq := range m.Rec.Marks().Notes {
		if ask := m.Rec.Record(seq).Ask; ask != nil && m.Answers[ask.Step] != "" {
			if answer := m.answerOf(ask.Step); answer != nil && !scene.SameAnswer(m.Answers[ask.Step], answer.Text) {
				asked = append(asked, seq)
			}
		}
	}
	return asked
}

// answerOf is the answer to the question of a step; nil if the run ended before it.
func (m Moment) answerOf(step int) *trace.Answer {
	for _, seq := range m.Rec.Marks().Answers {
		if answer := m.Rec.Record(seq).Answer; answer.Step == step {
			return answer
		}
	}
	return nil
}

// card is a card that is being drawn.
type card drawing

func (p card) note(text string) []string {
	var lines []string
	for _, line := range frame.Paragraphs(text, p.Width) {
		lines = append(lines, p.Theme.Note.Render(line))
	}
	return lines
}

func (p card) question(ask *trace.Ask) []string {
	lines := append(p.note(ask.Question), "")
	said, answered := p.Answers[ask.Step]
	for i, choice := range ask.Choices {
		text := string(rune('a'+i)) + "  " + choice
		if i == p.Choice && !answered {
			lines = append(lines, p.Theme.Now.Render("▸ "+text))
		} else {
			lines = append(lines, "  "+text)
		}
	}
	switch {
	case said != "":
		lines = append(lines, p.Theme.Dim.Render("your answer: "+said+"; r answers again"))
	case answered:
		lines = append(lines, p.Theme.Dim.Render("skipped; r answers it"))
	case len(ask.Choices) > 0:
		lines = append(lines, p.Theme.Dim.Render("its letter, or ↑ ↓ and enter; esc skips it; digits switch views"))
	default:
		lines = append(lines, p.Theme.Dim.Render("type your answer below; esc skips it"))
	}
	return lines
}

// ChoiceAt is the index of the choice of the open question on a line of the card; ok is false if there is none.
func (Card) ChoiceAt(m Moment, c Canvas, line int) (i int, ok bool) {
	ask := m.Question()
	if ask == nil {
		return 0, false
	}
	p := card{m, c}
	line += min(m.Scroll, max(len(p.question(ask))-c.Height, 0))
	i = line - len(p.note(ask.Question)) - 1
	return i, i >= 0 && i < len(ask.Choices)
}

func (p card) answer(answer *trace.Answer) []string {
	parts := []string{}
	for _, line := range frame.Wrap(answer.Text, p.Width, 0) {
		parts = append(parts, p.Theme.Title.Render(line))
	}
	switch said := p.Answers[answer.Step]; {
	case said == "":
	case scene.SameAnswer(said, answer.Text):
		parts = append(parts, p.Theme.Ready.Render("✓ you were right"))
	default:
		for _, line := range frame.Wrap("✗ you said: "+said, p.Width, 2) {
			parts = append(parts, p.Theme.Failed.Render(line))
		}
	}
	if right, of := p.score(); of > 1 {
		parts = append(parts, p.Theme.Dim.Render(strconv.Itoa(right)+" of "+strconv.Itoa(of)+" right"))
	}
	lines := joined(parts, p.Width)
	if text := strings.TrimSpace(answer.Explain); text != "" {
		lines = append(append(lines, ""), p.note(text)...)
	}
	if _, asked := p.Answers[answer.Step]; asked {
		keys := "r asks again"
		if recording.Next(p.Visible, p.Seq) != 0 {
			keys = "space continues, " + keys
		}
		lines = append(lines, p.Theme.Dim.Render(keys))
	}
	return lines
}

// joined puts parts behind each other on as few lines as have room for all of each part.
func joined(parts []string, width int) (lines []string) {
	for _, part := range parts {
		last := len(lines) - 1
		if last >= 0 && frame.Width(lines[last])+len("   ")+frame.Width(part) <= width {
			lines[last] += "   " + part
		} else {
			lines = append(lines, part)
		}
	}
	return lines
}

// score counts the answers that the reader has seen, and knew.
func (p card) score() (right, of int) {
	answers := p.Rec.Marks().Answers
	for seq := recording.Latest(answers, p.Seq); seq != 0; seq = recording.Previous(answers, seq) {
		answer := p.Rec.Record(seq).Answer
		if said := p.Answers[answer.Step]; said != "" {
			of++
			if scene.SameAnswer(said, answer.Text) {
				right++
			}
		}
	}
	return right, of
}
