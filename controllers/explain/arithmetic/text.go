package arithmetic

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Text renders the explanation as numbered steps, no line wider than width; 0 means no limit. The last number is the
// verdict.
func (e *Explanation) Text(width int) []string {
	var lines []string
	for i, step := range e.Steps {
		title := fmt.Sprintf("%d  %s", i+1, step.Title)
		source := step.source()
		if padded := title + "   " + source; source != "" && (width <= 0 || utf8.RuneCountInString(padded) <= width) {
			title = padded
		}
		lines = append(lines, Wrap(title, "   ", width)...)
		label := 0
		for _, l := range step.Lines {
			label = max(label, utf8.RuneCountInString(l.Label))
		}
		for _, l := range step.Lines {
			lines = append(lines, l.text(label, width)...)
		}
	}
	lines = append(lines, Wrap(fmt.Sprintf("%d  so: %s", len(e.Steps)+1, e.Verdict), "   ", width)...)
	return lines
}

// source is like "rolling.go reconcileOldReplicaSets".
func (s Step) source() string {
	return strings.TrimSpace(s.File[strings.LastIndex(s.File, "/")+1:] + " " + s.Function)
}

// text is one line where it fits, and else the label with the rest indented below it.
func (l Line) text(label, width int) []string {
	rest := l.Formula
	if l.Value != "" {
		rest = strings.TrimSpace(rest + " -> " + l.Value)
		if l.Formula == "" {
			rest = l.Value
		}
	}
	one := strings.TrimRight(fmt.Sprintf("   %-*s  %s", label, l.Label, rest), " ")
	if width <= 0 || utf8.RuneCountInString(one) <= width {
		return []string{one}
	}
	return append(Wrap("   "+l.Label, "     ", width), Wrap("     "+rest, "     ", width)...)
}

// Wrap breaks a text at spaces. Words that are longer than a line are cut.
func Wrap(text, indent string, width int) []string {
	if width <= 0 {
		return []string{text}
	}
	var lines []string
	line := []rune(text)
	for len(line) > width {
		at := width
		for at > len(indent)+1 && line[at] != ' ' {
			at--
		}
		if at <= len(indent)+1 {
			at = max(width, len(indent)+1)
		}
		if at >= len(line) {
			break
		}
		lines = append(lines, strings.TrimRight(string(line[:at]), " "))
		line = []rune(indent + strings.TrimLeft(string(line[at:]), " "))
	}
	return append(lines, string(line))
}

// Few are the first names of a list: "web-1, web-2, web-3 and 7 more".
func Few(names []string) string {
	const most = 3
	text := strings.Join(names[:min(most, len(names))], ", ")
	if rest := len(names) - most; rest > 0 {
		text += fmt.Sprintf(" and %d more", rest)
	}
	return text
}
