package localization

import (
	"bytes"
	"encoding/json"

	"github.com/kubestep/kubestep/sim/trace"
)

// Record translates the texts of a scenario that a record has: those of a note, a question or an answer. Other records, and what has no
// translation, stay as they are.
func (l *Language) Record(record *trace.Record) *trace.Record {
	if l == nil || record.Note == nil && record.Ask == nil && record.Answer == nil {
		return record
	}
	shown := *record
	if note := shown.Note; note != nil {
		shown.Note = &trace.Note{Text: l.Lesson(note.Text)}
	}
	if ask := shown.Ask; ask != nil {
		other := *ask
		other.Question, other.Choices = l.Lesson(ask.Question), nil
		for _, choice := range ask.Choices {
			other.Choices = append(other.Choices, l.Lesson(choice))
		}
		shown.Ask = &other
	}
	if answer := shown.Answer; answer != nil {
		other := *answer
		other.Text, other.Explain = l.Lesson(answer.Text), l.Lesson(answer.Explain)
		shown.Answer = &other
	}
	return &shown
}

// Lines is Record for records as lines of JSON. A line that is no record stays as it is.
func (l *Language) Lines(lines []byte) []byte {
	if l == nil || !isTold(lines) {
		return lines
	}
	var out []byte
	for line := range bytes.Lines(lines) {
		var record trace.Record
		if isTold(line) && json.Unmarshal(line, &record) == nil {
			end := line[len(bytes.TrimRight(line, "\n")):]
			line = append(bytes.TrimSpace(l.Record(&record).Line()), end...)
		}
		out = append(out, line...)
	}
	return out
}

// told is in the lines of records that have texts of a scenario.
var told = [][]byte{[]byte(`"kind":"note"`), []byte(`"kind":"ask"`), []byte(`"kind":"answer"`)}

// isTold reports whether there can be a record with texts of a scenario in lines. Most have none, and are not decoded.
func isTold(lines []byte) bool {
	for _, kind := range told {
		if bytes.Contains(lines, kind) {
			return true
		}
	}
	return false
}
