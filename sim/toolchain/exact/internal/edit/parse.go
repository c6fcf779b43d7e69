package edit

import (
	"fmt"
	"strings"
)

// Parse reads edits from a text, in which people can read code as code. Each begins with its file:
//
//	file: runtime/time.go
//	why: timers of one instant fire in random order
//	proof: bubble/timers
//	-t.rand = cheaprand()
//	+t.rand = exactDraw()
//
// The lines after - are the anchor, and those after + the text. The last one of either may end within a line of the file: an empty one
// stands for the end of the line before it. A line that begins with # is a comment. An error has the name of the text and the line.
func Parse(name, text string) ([]Edit, error) {
	var edits []Edit
	for n, line := range strings.Split(text, "\n") {
		field, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		if line == "" || line[0] == '#' {
			continue
		}
		if field == "file" {
			edits = append(edits, Edit{File: value})
			continue
		}
		if len(edits) == 0 {
			return nil, fmt.Errorf("%s:%d: the first edit begins with file: PATH", name, n+1)
		}
		switch e := &edits[len(edits)-1]; {
		case line[0] == '-':
			e.Anchor += line[1:] + "\n"
		case line[0] == '+':
			e.Text += line[1:] + "\n"
		case field == "why":
			e.Why = value
		case field == "proof":
			e.Proof = value
		default:
			return nil, fmt.Errorf("%s:%d: %q is not a line of an edit\nTry: file:, why:, proof:, -, + or #", name, n+1, line)
		}
	}
	for i := range edits {
		edits[i].Anchor, edits[i].Text = strings.TrimSuffix(edits[i].Anchor, "\n"), strings.TrimSuffix(edits[i].Text, "\n")
	}
	return edits, nil
}
