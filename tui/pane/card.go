package pane

import (
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/frame"
	"github.com/kubestep/kubestep/tui/theme"
)

// Card shows what the scenario itself says to the reader: a note, a question, or the answer to one.
type Card struct {
	base
	// Choice is the marked one of a question's choices.
	Choice int
	// Predicted is what the reader said to the question or the answer at the cursor; Asked says that there was
	// something said at all.
	Predicted string
	Asked     bool
	// Right and Of count the reader's predictions until now.
	Right, Of int
}

// NewCard returns the pane.
func NewCard(rec *recording.Recording, t *theme.Theme) *Card {
	return &Card{base: base{rec: rec, theme: t}}
}

// Lines is the text of the card; nil if the scenario says nothing at the cursor.
func (p *Card) Lines(width int) []string {
	record := p.rec.Record(p.cursor)
	switch {
	case record == nil:
		return nil
	case record.Note != nil:
		return p.note(record.Note.Text, width)
	case record.Ask != nil:
		return p.question(record.Ask, width)
	case record.Answer != nil:
		return p.answer(record.Answer, width)
	}
	return nil
}

// Title is the heading of the card.
func (p *Card) Title() string {
	record := p.rec.Record(p.cursor)
	switch {
	case record.Ask != nil:
		return p.theme.Title.Render("What do you think?")
	case record.Answer != nil:
		return p.theme.Title.Render("Answer")
	}
	return p.theme.Title.Render("Note")
}

// Render draws the card.
func (p *Card) Render() []string {
	return frame.Box(p.Title(), cutOff(p.Lines(p.width-4), p.height-2, p.theme), p.width, p.height, p.theme.Note)
}

func (p *Card) note(text string, width int) []string {
	var lines []string
	for _, line := range frame.Paragraphs(text, width) {
		lines = append(lines, p.theme.Note.Render(line))
	}
	return lines
}

func (p *Card) question(ask *trace.Ask, width int) []string {
	lines := append(p.note(ask.Question, width), "")
	for i, choice := range ask.Choices {
		text := strconv.Itoa(i+1) + "  " + choice
		if i == p.Choice && !p.Asked {
			lines = append(lines, p.theme.Now.Render("▸ "+text))
		} else {
			lines = append(lines, "  "+text)
		}
	}
	switch {
	case p.Asked && p.Predicted != "":
		lines = append(lines, p.theme.Dim.Render("you said: "+p.Predicted))
	case p.Asked:
		lines = append(lines, p.theme.Dim.Render("left open"))
	case len(ask.Choices) > 0:
		lines = append(lines, p.theme.Dim.Render("↑ ↓ and enter, or its number; esc leaves it open"))
	default:
		lines = append(lines, p.theme.Dim.Render("write your answer below; esc leaves it open"))
	}
	return lines
}

func (p *Card) answer(answer *trace.Answer, width int) []string {
	lines := []string{p.theme.Title.Render(answer.Text)}
	switch {
	case p.Predicted == "":
	case SameAnswer(p.Predicted, answer.Text):
		lines[0] += p.theme.Ready.Render("   ✓ as you said")
	default:
		lines[0] += p.theme.Failed.Render("   ✗ you said " + p.Predicted)
	}
	if p.Of > 1 {
		lines[0] += p.theme.Dim.Render("   " + strconv.Itoa(p.Right) + " of " + strconv.Itoa(p.Of) + " right until now")
	}
	if text := strings.TrimSpace(answer.Explain); text != "" {
		lines = append(append(lines, ""), p.note(text, width)...)
	}
	return lines
}

// SameAnswer compares what a reader said with an answer, as people do: case and spaces do not matter, and 2.0 is 2.
func SameAnswer(said, answer string) bool {
	plain := func(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
	if plain(said) == plain(answer) {
		return true
	}
	a, err := strconv.ParseFloat(plain(said), 64)
	b, err2 := strconv.ParseFloat(plain(answer), 64)
	return err == nil && err2 == nil && a == b
}
