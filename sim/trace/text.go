package trace

import (
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kubestep/kubestep/sim/trace/visible"
)

// TextOptions configures a TextWriter.
type TextOptions struct {
	// Verbose gives every record its own line, with its number, in the order of the trace. Otherwise the text shows
	// what happened and why: background requests, successful reads, watch events, additions to queues, timers and
	// informational log lines are omitted, and repetitions are one line.
	Verbose bool
	// Width is the maximum width of a line; 0 means no limit.
	Width int
	// Causes, if set, describes the causes of records, for a part of a trace. Otherwise, the records that were written do.
	Causes *Causes
}

// TextWriter writes a trace as text. Pass it every record, in order, and close it at the end: it buffers the lines of
// some seconds of virtual time to show the end of a sync in its first line and to count repetitions.
type TextWriter struct {
	out     io.Writer
	options TextOptions
	columns columns
	causes  *Passing
	fold    fold
	line    strings.Builder
	err     error
}

// NewText returns a TextWriter that writes to w.
func NewText(w io.Writer, o TextOptions) *TextWriter {
	t := &TextWriter{out: w, options: o, columns: columnsFor(o.Width), causes: NewPassing()}
	if o.Causes != nil {
		t.causes.recall = o.Causes.recall
	}
	t.fold = newFold(t.print, &t.causes.Causes)
	return t
}

// Write adds the next record.
func (t *TextWriter) Write(record *Record) error {
	t.causes.Add(record)
	if t.options.Verbose {
		t.print(t.causes.Row(record))
	} else {
		t.fold.add(record)
	}
	return t.err
}

// Close writes the buffered lines.
func (t *TextWriter) Close() error {
	t.fold.close()
	return t.err
}

// columns are the widths of the text's columns, and of the whole line.
type columns struct {
	actor, object, detail, width int
}

// The columns of the time and of the verb have fixed widths.
const (
	timeWidth = 10
	verbWidth = 8
)

// columnsFor fits the columns into a width.
func columnsFor(width int) columns {
	switch {
	case width == 0 || width >= 150:
		return columns{24, 36, 52, width}
	case width >= 110:
		return columns{20, 30, 0, width}
	}
	return columns{16, 22, 0, width}
}

// print writes a row as a line.
func (t *TextWriter) print(row Row) {
	if t.err != nil {
		return
	}
	row = row.visible()
	t.line.Reset()
	if mark := marks[Kind(row.Verb)]; mark != "" {
		t.note(row, mark)
	} else {
		if row.Seq > 0 {
			t.right(itoa(row.Seq), 6)
			t.line.WriteByte(' ')
		}
		t.right(Seconds(row.At), timeWidth)
		t.line.WriteString("  ")
		t.cells(row)
		text := strings.TrimRight(t.line.String(), " ")
		if t.columns.width > 0 {
			text = cut(text, t.columns.width)
		}
		t.line.Reset()
		t.line.WriteString(text)
		t.line.WriteByte('\n')
	}
	_, t.err = io.WriteString(t.out, t.line.String())
}

// visible shows the control characters in a row's texts. What is written for the reader may have lines.
func (row Row) visible() Row {
	show := visible.Line
	if marks[Kind(row.Verb)] != "" {
		show = visible.Text
	}
	row.Actor, row.Verb, row.Object = visible.Line(row.Actor), visible.Line(row.Verb), visible.Line(row.Object)
	row.Detail, row.Outcome = show(row.Detail), show(row.Outcome)
	return row
}

func (t *TextWriter) cells(row Row) {
	if row.Actor == "" {
		t.line.WriteString(row.Verb + " " + row.Object)
		if row.Outcome != "" {
			t.line.WriteString(" " + row.Outcome)
		}
		if row.Detail != "" {
			t.line.WriteString(": " + row.Detail)
		}
		return
	}
	t.left(actorText(row.Actor, t.columns.actor), t.columns.actor)
	indent := 0
	if row.Nested {
		indent = 2
		t.line.WriteString("  ")
	}
	t.left(row.Verb, verbWidth)
	object := row.Object
	if t.columns.width > 0 {
		object = middle(object, t.columns.object-indent)
	}
	t.left(object, t.columns.object-indent)
	if row.Verb == string(KindSync) {
		// What a sync did is short; why it ran may be long.
		t.left(row.Outcome, syncOutcomeWidth)
		t.line.WriteString(row.Detail)
		return
	}
	detail := row.Detail
	if t.columns.width > 0 {
		// The outcome is short and is kept; its cause may be cut.
		free := t.columns.width - utf8.RuneCountInString(t.line.String()) - utf8.RuneCountInString(row.Outcome) - 2
		detail = cut(detail, max(free, 24))
	}
	t.left(detail, t.columns.detail)
	t.line.WriteString(row.Outcome)
}

// syncOutcomeWidth has room for "nothing to do".
const syncOutcomeWidth = 14

// actorText fits an actor into its column; it cuts "-controller" first.
func actorText(actor string, width int) string {
	if len(actor) > width {
		actor = strings.TrimSuffix(actor, "-controller")
	}
	return middle(actor, width)
}

// left writes a cell and the separator to the next one.
func (t *TextWriter) left(text string, width int) {
	t.line.WriteString(text)
	t.pad(width - utf8.RuneCountInString(text))
	if text != "" || width > 0 {
		t.line.WriteString("  ")
	}
}

func (t *TextWriter) right(text string, width int) {
	t.pad(width - len(text))
	t.line.WriteString(text)
}

func (t *TextWriter) pad(n int) {
	for range n {
		t.line.WriteByte(' ')
	}
}

// noteWidth is how wide a note is when the width is unlimited.
const noteWidth = 100

// marks precede the text that is written for the reader.
var marks = map[Kind]string{KindNote: "|", KindAsk: "?", KindAnswer: "="}

// note writes text for the reader, wrapped, with its mark.
func (t *TextWriter) note(row Row, mark string) {
	width := noteWidth
	if t.columns.width > 0 {
		width = t.columns.width
	}
	margin := timeWidth + 4
	t.right(Seconds(row.At), timeWidth)
	for i, text := range wrap(strings.TrimSpace(row.Detail+"\n\n"+row.Outcome), max(width-margin, 20)) {
		if i > 0 {
			t.pad(timeWidth)
		}
		t.line.WriteString(strings.TrimRight("  "+mark+" "+text, " ") + "\n")
	}
}

// wrap fills lines as Markdown does: the lines of a paragraph are joined and wrapped. Empty lines and indented ones,
// such as code, are kept, and each item of a list begins a line.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	flush := func() {
		if line != "" {
			lines, line = append(lines, line), ""
		}
	}
	for source := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		words := strings.Fields(source)
		if len(words) == 0 || strings.HasPrefix(source, " ") {
			flush()
			lines = append(lines, strings.TrimRight(source, " "))
			continue
		}
		if words[0] == "-" || words[0] == "*" {
			flush()
		}
		for _, word := range words {
			if line != "" && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
				flush()
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
	}
	flush()
	return lines
}

// keepBack is for how much virtual time lines are buffered, and keepLines how many.
const (
	keepBack  = 5 * time.Second
	keepLines = 1 << 14
)
