package pane_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/library"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// TestACutLessonIsNotOver: the last record of a recording that was cut off, or of a run that was aborted, is not the end of the lesson.
func TestACutLessonIsNotOver(t *testing.T) {
	const lesson = "rolling-update"
	next := library.After(lesson)
	for _, test := range []struct {
		origin      recording.Origin
		title, next string
	}{
		{recording.Origin{Name: lesson}, "The end", next},
		{recording.Origin{Name: lesson, Cut: "the archive ends in a frame"}, "Note", ""},
		{recording.Origin{Name: lesson, Halted: trace.HaltMemory}, "Note", ""},
	} {
		builder := recording.NewBuilder()
		for i, record := range []*trace.Record{
			{Kind: trace.KindAsk, Ask: &trace.Ask{Question: "How many?"}},
			{Kind: trace.KindAnswer, Answer: &trace.Answer{Text: "3"}},
			{Kind: trace.KindNote, Note: &trace.Note{Text: "There are three."}},
		} {
			record.Seq = int64(i + 1)
			if err := builder.Add(record); err != nil {
				t.Fatal(err)
			}
		}
		m := pane.NewMoment(scene.New(builder.Done(test.origin, "")))
		m.Seq, m.Visible = m.Rec.Len(), []int64{1, 2, 3}
		title, _ := pane.Card{}.Title(m, nil)
		if title != test.title || m.NextLesson() != test.next || next == "" {
			t.Errorf("%+v: %q, next lesson %q; want %q, next lesson %q", test.origin, title, m.NextLesson(), test.title, test.next)
		}
	}
}
