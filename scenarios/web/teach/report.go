package teach

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// voteNames are what the votes of a question are called.
var voteNames = [2]string{"first vote", "second vote"}

// markdown writes a report as people read it.
func markdown(report classroom.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Report of a class\n\n%s joined.\n", trace.Count(report.Joined, "student"))
	for _, lesson := range report.Lessons {
		fmt.Fprintf(&b, "\n## %s\n", plain(lesson.Title))
		if len(lesson.Questions) == 0 {
			b.WriteString("\nNo votes.\n")
		}
		for _, q := range lesson.Questions {
			question(&b, q)
		}
	}
	return b.String()
}

// question writes the answers to a question: a row for each, a column for each vote.
func question(b *strings.Builder, q classroom.QuestionReport) {
	fmt.Fprintf(b, "\n### %s\n\n| answer |", plain(q.Question))
	for round := range q.Votes {
		fmt.Fprintf(b, " %s |", voteNames[round])
	}
	b.WriteString("\n|---|" + strings.Repeat("---:|", len(q.Votes)) + "\n")
	seen := map[string]bool{}
	for _, vote := range q.Votes {
		for _, answer := range vote.Answers {
			if seen[answer.Answer] {
				continue
			}
			seen[answer.Answer] = true
			text := plain(answer.Answer)
			if answer.Right {
				text = "**" + text + "**"
			}
			fmt.Fprintf(b, "| %s |", text)
			for _, of := range q.Votes {
				fmt.Fprintf(b, " %d |", of.Count(answer.Answer))
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("| right |")
	for _, vote := range q.Votes {
		fmt.Fprintf(b, " %.0f%% of %d |", 100*vote.Share, vote.Voters)
	}
	b.WriteString("\n")
}

// plain is a text of a student or a scenario as a text of Markdown, in one line.
func plain(text string) string {
	const special = "\\`*_{}[]<>#|"
	var b strings.Builder
	for _, r := range visible.Line(strings.Join(strings.Fields(text), " ")) {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
