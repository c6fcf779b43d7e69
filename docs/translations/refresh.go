package translations

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/chai2010/gettext-go/po"
)

// Refresh writes a file of a language again: a message for each original, with the translation that the file has. A translation of an
// original that has changed stays, marked as fuzzy, which readers do not see. The problems are what somebody has to translate, and what
// was left over.
func Refresh(tag string, file []byte, originals []Original) (fresh []byte, problems []string, err error) {
	known, err := po.Load(file)
	if err != nil {
		return nil, nil, err
	}
	old := newMessages(known.Messages, originals)
	var out strings.Builder
	fmt.Fprintf(&out, "msgid \"\"\nmsgstr \"\"\n\"Language: %s\\n\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n", tag)
	for _, o := range originals {
		m := old.take(o)
		switch {
		case m.GetFuzzy():
			problems = append(problems, fmt.Sprintf("%s: the original changed: %q was %q", o.Place, o.Text, m.PrevMsgId))
		case m.MsgStr == "":
			problems = append(problems, fmt.Sprintf("%s: no translation of %q", o.Place, o.Text))
		case !slices.Equal(valuesIn(o.Text), valuesIn(m.MsgStr)):
			problems = append(problems, fmt.Sprintf("%s: %q has other values than %q", o.Place, m.MsgStr, o.Text))
		}
		out.WriteString("\n" + text(m))
	}
	for _, m := range old.left() {
		problems = append(problems, fmt.Sprintf("%s: left over: %q is not there any more", m.ExtractedComment, m.MsgId))
	}
	return []byte(out.String()), problems, nil
}

var value = regexp.MustCompile(`\{\w+\}`)

// valuesIn are the values that a text stands for, sorted: {n}.
func valuesIn(text string) []string {
	values := value.FindAllString(text, -1)
	slices.Sort(values)
	return values
}

// messages are those of a file, until they are taken.
type messages struct {
	all             []po.Message
	byText, byPlace map[string]int
	taken           map[int]bool
}

// newMessages are the messages of a file. One whose original is there still is found by it, and the others by their places, as far as
// these are different.
func newMessages(all []po.Message, originals []Original) *messages {
	m := &messages{all: all, byText: map[string]int{}, byPlace: map[string]int{}, taken: map[int]bool{}}
	current := map[string]bool{}
	for _, o := range originals {
		current[o.Text] = true
	}
	for i := range all {
		m.byText[all[i].MsgId] = i
		if place := all[i].ExtractedComment; !current[all[i].MsgId] {
			if _, twice := m.byPlace[place]; twice {
				i = -1
			}
			m.byPlace[place] = i
		}
	}
	return m
}

// take is the message of an original.
func (m *messages) take(o Original) po.Message {
	i, same := m.byText[o.Text]
	if !same {
		at, known := m.byPlace[o.Place]
		if i = at; !known || m.taken[at] {
			i = -1
		}
	}
	if i < 0 {
		return po.Message{MsgId: o.Text, Comment: po.Comment{ExtractedComment: o.Place}}
	}
	m.taken[i] = true
	taken := m.all[i]
	if !same && taken.MsgStr != "" {
		if !taken.GetFuzzy() {
			taken.Flags, taken.PrevMsgId = append(taken.Flags, "fuzzy"), taken.MsgId
		}
	}
	taken.MsgId, taken.ExtractedComment = o.Text, o.Place
	return taken
}

// left are the messages that no original took.
func (m *messages) left() (left []po.Message) {
	for i := range m.all {
		if !m.taken[i] {
			left = append(left, m.all[i])
		}
	}
	return left
}

// text is a message as it is in a file. The library writes the original of before (#|) in a form that no tool reads.
func text(m po.Message) string {
	comment := m.Comment
	before := comment.PrevMsgId
	comment.PrevMsgId = ""
	var out strings.Builder
	out.WriteString(comment.String())
	if before != "" {
		// The last line is that of the translation.
		lines := slices.Collect(strings.Lines(po.Message{MsgId: before}.String()))
		for _, line := range lines[:len(lines)-1] {
			out.WriteString("#| " + line)
		}
	}
	m.Comment = po.Comment{}
	out.WriteString(m.String())
	return out.String()
}
