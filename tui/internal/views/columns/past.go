package columns

import (
	"slices"

	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// The stage of a large terminal has room below the objects: from this height on, and with so many lines free, it says what happened
// before.
const largeStage, leastPast, mostPast = 36, 8, 14

// withPast adds what happened before to the lines of the store, if there is room.
func (d *drawing) withPast(lines []string, c pane.Canvas) []string {
	room := min(c.Height-len(lines), mostPast)
	if c.Height < largeStage || room < leastPast {
		return lines
	}
	past := d.past(room-1, c.Width)
	if len(past) == 0 {
		return lines
	}
	lines = append(slices.Clone(lines), make([]string, c.Height-len(lines)-len(past)-1)...)
	return append(append(lines, d.Theme.Title.Render("Before")), past...)
}

// past are the sentences of the records before this one, the last one at the bottom.
func (d *drawing) past(most, width int) (lines []string) {
	story := d.Rec.Marks().Story
	at, _ := slices.BinarySearch(story, d.Seq)
	for _, seq := range slices.Backward(story[:at]) {
		if len(lines) == most {
			break
		}
		when := d.Rec.At(seq)
		caption := d.Cast().At(d.Scenes.At(seq, when)).Caption
		if caption.Text == "" {
			continue
		}
		lines = append(lines, d.Theme.Dim.Render(frame.Fit(frame.Right(trace.Seconds(when), 10)+"  "+caption.Text, width)))
	}
	slices.Reverse(lines)
	return lines
}
