package tui

import (
	"strconv"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/pane"
)

// predictions are what the reader said to the scenario's questions, by the index of their step. An empty one
// was left open.
type predictions map[int]string

// question is the one at the cursor that the reader has not answered yet.
func (v *viewer) question() *trace.Ask {
	record := v.rec.Record(v.cursor)
	if record == nil || record.Ask == nil {
		return nil
	}
	if _, asked := v.predictions[record.Ask.Step]; asked {
		return nil
	}
	return record.Ask
}

// openQuestion is the next question from the cursor on that the reader has not answered, or 0.
func (v *viewer) openQuestion() int64 {
	notes := v.rec.Marks().Notes
	for seq := recording.Next(notes, v.cursor-1); seq != 0; seq = recording.Next(notes, seq) {
		if ask := v.rec.Record(seq).Ask; ask != nil {
			if _, asked := v.predictions[ask.Step]; !asked {
				return seq
			}
		}
	}
	return 0
}

// meet stops at a question, and lets the reader write where there is nothing to choose from.
func (m *Model) meet() {
	if m.screen != screenViewer {
		return
	}
	v := m.viewer
	ask := v.question()
	v.concealed = ask != nil
	if ask == nil {
		return
	}
	m.pause()
	if len(ask.Choices) == 0 && m.prompt.ask == askNothing && !m.help {
		m.prompt = newPrompt(askPrediction, "your answer: ", "", "a word or a number")
	}
}

// choiceKey chooses an answer. What comes later stays unseen until then, so that only looking around and
// going back is possible.
func (m *Model) choiceKey(msg tea.KeyMsg) (cmd tea.Cmd, ok bool) {
	v, k := m.viewer, &m.keys
	ask := v.question()
	if ask == nil {
		return nil, false
	}
	if n, err := strconv.Atoi(msg.String()); err == nil && n >= 1 && n <= len(ask.Choices) {
		return m.predict(ask.Choices[n-1]), true
	}
	forward := []key.Binding{k.Next, k.NextWrite, k.NextSync, k.NextStep, k.NextError, k.NextChange, k.End, k.Play, k.Goto}
	switch {
	case key.Matches(msg, k.Up):
		v.choice = max(v.choice-1, 0)
	case key.Matches(msg, k.Down):
		v.choice = min(v.choice+1, len(ask.Choices)-1)
	case msg.Type == tea.KeyEnter && v.choice < len(ask.Choices):
		return m.predict(ask.Choices[v.choice]), true
	case key.Matches(msg, k.Escape):
		v.predictions[ask.Step] = ""
		m.status = "left open: space goes on"
	case key.Matches(msg, forward...):
		m.status = "first the question: enter answers, esc leaves it open"
	default:
		return nil, false
	}
	return nil, true
}

// predict notes what the reader said, and plays on to the answer.
func (m *Model) predict(text string) tea.Cmd {
	v := m.viewer
	ask := v.question()
	if ask == nil {
		return nil
	}
	v.predictions[ask.Step], v.choice = text, 0
	m.status = "you said " + text + "; let us see"
	if text == "" {
		return nil
	}
	return m.play()
}

// card is what the scenario says at the cursor, with what the reader said; nil if it says nothing.
func (v *viewer) card(width int) *pane.Card {
	record := v.rec.Record(v.cursor)
	if record == nil || record.Note == nil && record.Ask == nil && record.Answer == nil {
		return nil
	}
	c := pane.NewCard(v.rec, v.theme)
	c.SetCursor(v.cursor)
	c.Choice = v.choice
	switch {
	case record.Ask != nil:
		c.Predicted, c.Asked = v.said(record.Ask.Step)
	case record.Answer != nil:
		c.Predicted, c.Asked = v.said(record.Answer.Step)
		c.Right, c.Of = v.score()
	}
	c.SetSize(width, len(c.Lines(width-4))+2)
	return c
}

func (v *viewer) said(step int) (text string, ok bool) {
	text, ok = v.predictions[step]
	return text, ok
}

// score counts the answers that the reader has seen, and knew.
func (v *viewer) score() (right, of int) {
	answers := v.rec.Marks().Answers
	for seq := recording.Latest(answers, v.cursor); seq != 0; seq = recording.Previous(answers, seq) {
		answer := v.rec.Record(seq).Answer
		if said := v.predictions[answer.Step]; said != "" {
			of++
			if pane.SameAnswer(said, answer.Text) {
				right++
			}
		}
	}
	return right, of
}
