package visible

import (
	"io"
	"unicode/utf8"
)

// Writer passes texts that have lines through Text. JSON documents stay what they are: encoding/json escapes control
// characters below U+0020 itself, and what a Writer makes of the others means the same inside of a JSON string.
type Writer struct {
	out io.Writer
	// rest is the beginning of a character whose end is not written yet.
	rest []byte
}

// NewWriter returns a Writer that writes to out.
func NewWriter(out io.Writer) *Writer { return &Writer{out: out} }

// Write implements io.Writer.
func (w *Writer) Write(data []byte) (int, error) {
	text := append(w.rest, data...)
	whole := len(text) - unfinished(text)
	w.rest = append([]byte(nil), text[whole:]...)
	if _, err := io.WriteString(w.out, Text(string(text[:whole]))); err != nil {
		return 0, err
	}
	return len(data), nil
}

// unfinished is how many bytes at the end begin a character without ending it.
func unfinished(text []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(text)); n++ {
		if end := text[len(text)-n:]; utf8.RuneStart(end[0]) {
			if !utf8.FullRune(end) {
				return n
			}
			break
		}
	}
	return 0
}
