package why

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Answers is the JSON form of several answers.
type Answers struct {
	Answers []*Answer `json:"answers"`
	// Comparisons are those of a dump with a run.
	Comparisons []*Comparison `json:"comparisons,omitempty"`
}

// Print writes answers, in lines that are not longer than width; 0 means no limit. In a list of several, each is one
// sentence.
func Print(out io.Writer, answers []*Answer, list bool, width int) {
	if len(answers) == 0 {
		fmt.Fprintln(out, "nothing is waiting")
	}
	if list = list && len(answers) > 1; list {
		answers = grouped(answers)
	}
	for n, a := range answers {
		lines := a.Brief(width)
		if !list {
			lines = a.Text(width)
		}
		if !list && n > 0 {
			fmt.Fprintln(out)
		}
		fmt.Fprintln(out, strings.Join(lines, "\n"))
	}
}

// listedAlike is how many objects of a resource are listed one by one of which the same is said.
const listedAlike = 3

// grouped puts the objects of a resource of which the same is said into one answer: those that a dump does not tell of, and others if
// they are many, such as 160 Pods that a kubelet has rejected.
func grouped(answers []*Answer) []*Answer {
	count := map[string]int{}
	for _, a := range answers {
		count[a.alike()]++
	}
	var out []*Answer
	first := map[string]*Answer{}
	for _, a := range answers {
		key := a.alike()
		if a.Verdict != Undecided && count[key] <= listedAlike {
			out = append(out, a)
			continue
		}
		if group := first[key]; group != nil {
			group.more++
			continue
		}
		group := *a
		first[key] = &group
		out = append(out, &group)
	}
	return out
}

// alike is what is said of an object, without its name.
func (a *Answer) alike() string {
	words := strings.Fields(string(a.Verdict) + " " + a.Object.Resource + " " + a.brief())
	for i, word := range words {
		if strings.Trim(word, ",;:()") == a.Object.Name {
			words[i] = "it"
		}
	}
	return strings.Join(words, " ")
}

// Text returns the answer in lines that are not longer than width; 0 means no limit.
func (a *Answer) Text(width int) []string {
	t := &text{width: width}
	head := trace.ObjectName(a.Object)
	if !a.undated {
		head += " at " + trace.Seconds(a.At)
	}
	t.lines = append(t.lines, head+": "+string(a.Verdict))
	t.line("wants", a.Wants)
	t.line("lacks", a.Lacks)
	t.line("note", a.Note)
	t.line("note", a.overwritten)
	if a.Hot != nil {
		t.line("note", a.Hot.String())
	}
	t.line("node", a.Placed)
	if a.Placed != "" {
		t.steps(a.Attempt)
	}
	for n, hold := range a.Holds {
		label := "reason"
		if n > 0 {
			label = ""
		}
		t.line(label, hold)
	}
	for n, call := range a.Webhooks {
		label := "webhook"
		if n > 0 {
			label = ""
		}
		t.line(label, call.line(a.At))
	}
	if s := a.Since; s != nil {
		text := fmt.Sprintf("%s, record %d; %s ago", s.Text, s.Record, recording.Short(a.At-s.At))
		if s.Earlier {
			text = "before " + text
		}
		t.line("since", text)
	}
	if a.Missed != nil {
		t.line("missed", a.Missed.String())
	}
	if a.Fault != nil {
		t.line("fault", a.Fault.String())
	}
	t.line("acts", a.Actor)
	if a.Controller != "" {
		who := a.Controller
		if a.Process != "" {
			who += " in " + a.Process
		}
		if a.Key != "" {
			who += ", for key " + a.Key
		}
		t.line("acts", who)
		if !a.undated && a.Key != "" {
			t.line("looked", a.looked())
		}
	}
	if a.Look != nil {
		t.line("decided", a.decided())
	}
	if a.Placed == "" {
		t.steps(a.Attempt)
	}
	t.line("next", a.Next)
	t.line("later", a.Later)
	t.line("upstream", a.Upstream)
	return t.lines
}

// decided is the line about what the last look decided. A back-off that it waited for has run on since then.
func (a *Answer) decided() string {
	l := a.Look
	switch {
	case l.Ends > a.At:
		return fmt.Sprintf("%s: until %s, in %s", l.Verdict, trace.Seconds(l.Ends), recording.Short(l.Ends-a.At))
	case l.Ends > 0:
		return fmt.Sprintf("%s: until %s, %s ago", l.Verdict, trace.Seconds(l.Ends), recording.Short(a.At-l.Ends))
	}
	return l.Verdict
}

// looked is the line about the last look.
func (a *Answer) looked() string {
	l := a.Look
	if l == nil {
		return "not since it started"
	}
	text := fmt.Sprintf("%s, record %d, %s ago: %s", trace.Seconds(l.At), l.Start, recording.Short(a.At-l.At), l.Did)
	if l.Failures > 0 {
		text += "; " + l.Error
		if l.Failures > 1 {
			text += fmt.Sprintf(", the last of %d failures in a row", l.Failures)
		}
	}
	return text
}

// text collects labelled lines.
type text struct {
	width int
	lines []string
}

const labelWidth = 10

// steps adds the steps of an explanation, without the verdict, which another line tells.
func (t *text) steps(e *arithmetic.Explanation) {
	if e == nil {
		return
	}
	without := *e
	without.Verdict = ""
	width := t.width
	if width > 0 {
		width = max(width-labelWidth-2, 1)
	}
	lines := without.Text(width)
	for _, line := range lines[:len(lines)-1] {
		t.lines = append(t.lines, strings.Repeat(" ", labelWidth+2)+line)
	}
}

func (t *text) line(label, value string) {
	if value == "" {
		return
	}
	indent := strings.Repeat(" ", labelWidth+2)
	t.lines = append(t.lines, arithmetic.Wrap(fmt.Sprintf("  %-*s%s", labelWidth, label, value), indent, t.width)...)
}

// Brief is the answer in a sentence, in lines that are not longer than width; 0 means no limit.
func (a *Answer) Brief(width int) []string {
	name := trace.ObjectName(a.Object)
	if a.more > 0 {
		name += fmt.Sprintf(" and %d more", a.more)
	}
	line := fmt.Sprintf("%-13s %s: %s", a.Verdict, name, a.brief())
	return arithmetic.Wrap(line, strings.Repeat(" ", 14), width)
}

// brief is what is missing, and the first reason.
func (a *Answer) brief() string {
	text := cmp.Or(a.Lacks, a.Note, a.overwritten)
	switch {
	case text == "" && a.Hot != nil:
		text = a.Hot.String()
	case text == "" && a.Missed != nil:
		text = a.Missed.String()
	}
	if len(a.Holds) > 0 {
		text += "; " + a.Holds[0]
	}
	return text
}
