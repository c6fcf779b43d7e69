package tui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/keymap"
)

// meet stops at a question, and lets the reader write where there is nothing to choose from.
func (m *Model) meet() {
	if m.screen != screenViewer {
		return
	}
	ask := m.viewer.Question()
	if ask == nil {
		return
	}
	m.viewer.pause()
	if len(ask.Choices) == 0 && m.prompt.ask == nil && !m.help.open && !m.terms.Open {
		m.askFor(askPrediction, "")
	}
}

const questionFirst = "answer the question first: enter answers, esc skips it"

// choiceKey chooses an answer: said is what was chosen. What comes later stays unseen until then, so that only
// looking around and going back is possible.
func (v *viewer) choiceKey(msg tea.KeyMsg, k *keymap.KeyMap) (said, status string, ok bool) {
	ask := v.Question()
	if ask == nil {
		return "", "", false
	}
	if letter := msg.String(); len(letter) == 1 && letter[0] >= 'a' && int(letter[0]-'a') < len(ask.Choices) {
		return ask.Choices[letter[0]-'a'], "", true
	}
	forward := []key.Binding{k.Next, k.NextWrite, k.NextSync, k.NextDecision, k.NextStep, k.NextError, k.NextChange, k.End, k.Play, k.Goto}
	switch {
	case key.Matches(msg, k.Up):
		v.Choice = max(v.Choice-1, 0)
	case key.Matches(msg, k.Down):
		v.Choice = min(v.Choice+1, len(ask.Choices)-1)
	case msg.Type == tea.KeyEnter && v.Choice < len(ask.Choices):
		return ask.Choices[v.Choice], "", true
	case key.Matches(msg, k.Escape):
		return "", v.skip(), true
	case key.Matches(msg, forward...):
		return "", questionFirst, true
	default:
		return "", "", false
	}
	return "", "", true
}

// lastAsked is the last question at or before the cursor that was answered or skipped; 0 for none.
func (v *viewer) lastAsked() int64 {
	notes := v.Rec.Marks().Notes
	for seq := recording.Latest(notes, v.Seq); seq != 0; seq = recording.Previous(notes, seq) {
		if ask := v.Rec.Record(seq).Ask; ask != nil {
			if _, ok := v.Answers[ask.Step]; ok {
				return seq
			}
		}
	}
	return 0
}

// again asks a question again.
func (v *viewer) again(seq int64) (status string) {
	if seq == 0 {
		return "no question has been answered yet"
	}
	v.pause()
	delete(v.Answers, v.Rec.Record(seq).Ask.Step)
	v.Choice = 0
	v.jump(seq)
	return ""
}

// endKey asks the question again that a letter of the list at the end of a lesson stands for.
func (v *viewer) endKey(msg tea.KeyMsg) (ok bool) {
	letter := msg.String()
	missed := v.Missed()
	if len(letter) != 1 || letter[0] < 'a' || int(letter[0]-'a') >= len(missed) {
		return false
	}
	v.again(missed[letter[0]-'a'])
	return true
}

// skip leaves the question at the cursor without an answer.
func (v *viewer) skip() (status string) {
	if ask := v.Question(); ask != nil {
		v.Answers[ask.Step] = ""
	}
	return "skipped: " + v.onward()
}

// predict notes what the reader said, and plays on to the answer.
func (m *Model) predict(text string) tea.Cmd {
	v := m.viewer
	ask := v.Question()
	if ask == nil {
		return nil
	}
	v.Answers[ask.Step], v.Choice = text, 0
	m.status = "you said " + text + "; now watch"
	if text == "" {
		return nil
	}
	return m.play()
}
