package frame

import (
	"strconv"

	"github.com/charmbracelet/x/ansi"
)

// markStart and markEnd are the escape sequences of a hyperlink, which have no width and survive when a line is cut.
const markStart, markStop, markEnd = "\x1b]8;;", "\a", "\x1b]8;;\a"

// Mark writes a number around a text, for MarkAt. Marks may be inside each other. A line with marks is for finding cells in, and not for a
// terminal.
func Mark(n int, text string) string { return markStart + strconv.Itoa(n) + markStop + text + markEnd }

// MarkAt is the number of the innermost mark around a cell of a line; -1 if there is none.
func MarkAt(line string, cell int) int {
	var open []int
	var state byte
	for line != "" {
		seq, width, n, next := ansi.DecodeSequence(line, state, nil)
		switch {
		case seq == markEnd:
			open = open[:max(len(open)-1, 0)]
		case len(seq) > len(markEnd) && seq[:len(markStart)] == markStart:
			number, err := strconv.Atoi(seq[len(markStart) : len(seq)-len(markStop)])
			if err != nil {
				return -1
			}
			open = append(open, number)
		case cell < width:
			if len(open) == 0 {
				return -1
			}
			return open[len(open)-1]
		}
		cell, line, state = cell-width, line[n:], next
	}
	return -1
}
