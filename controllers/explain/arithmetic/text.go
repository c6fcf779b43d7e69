package arithmetic

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// TextLine is a line of the text of an explanation.
type TextLine struct {
	Text string
	Part Part
}

// Part says what a line of a text is.
type Part int

// The parts: the first line of a decision, that of the verdict, and the other lines.
const (
	Detail Part = iota
	Decision
	Verdict
)

// Text renders the explanation as numbered steps, no line wider than width; 0 means no limit. The last number is the
// verdict.
func (e *Explanation) Text(width int) (lines []string) {
	for _, line := range e.Lines(width) {
		lines = append(lines, line.Text)
	}
	return lines
}

// Lines is Text, with what each line is.
func (e *Explanation) Lines(width int) (lines []TextLine) {
	add := func(part Part, texts []string) {
		for _, text := range texts {
			lines = append(lines, TextLine{text, part})
			part = Detail
		}
	}
	for i, step := range e.Steps {
		title := fmt.Sprintf("%d  %s", i+1, step.Title)
		source := step.source()
		if padded := title + "   " + source; source != "" && (width <= 0 || utf8.RuneCountInString(padded) <= width) {
			title = padded
		}
		add(Decision, Wrap(title, "   ", width))
		label := 0
		for _, l := range step.Lines {
			label = max(label, utf8.RuneCountInString(l.Label))
		}
		for _, l := range step.Lines {
			add(Detail, l.text(label, width))
		}
	}
	add(Verdict, Wrap(fmt.Sprintf("%d  so: %s", len(e.Steps)+1, e.Verdict), "   ", width))
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
