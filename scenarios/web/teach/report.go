package teach

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/web/teach/internal/classroom"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// markdown writes a report as people read it, in a language.
func markdown(report classroom.Report, language *localization.Language) string {
	var b strings.Builder
	joined := strings.ReplaceAll(language.Page("{n} students have joined"), "{n}", strconv.Itoa(report.Joined))
	if report.Joined == 1 {
		joined = strings.ReplaceAll(language.Page("{n} student has joined"), "{n}", "1")
	}
	fmt.Fprintf(&b, "# %s\n\n%s\n", language.Page("Report of a class"), joined)
	for _, lesson := range report.Lessons {
		fmt.Fprintf(&b, "\n## %s\n", plain(lesson.Title))
		if len(lesson.Questions) == 0 {
			fmt.Fprintf(&b, "\n%s\n", language.Page("No votes."))
		}
		for _, q := range lesson.Questions {
			question(&b, q, language)
		}
	}
	return b.String()
}

// question writes the answers to a question: a row for each, a column for each vote.
func question(b *strings.Builder, q classroom.QuestionReport, language *localization.Language) {
	votes := [2]string{language.Page("First vote"), language.Page("Second vote")}
	fmt.Fprintf(b, "\n### %s\n\n| %s |", plain(q.Question), language.Page("answer"))
	for round := range q.Votes {
		fmt.Fprintf(b, " %s |", votes[round])
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
	fmt.Fprintf(b, "| %s |", language.Page("right"))
	for _, vote := range q.Votes {
		share := language.Page("{percent}% of {n}")
		values := strings.NewReplacer("{percent}", fmt.Sprintf("%.0f", 100*vote.Share), "{n}", strconv.Itoa(vote.Voters))
		fmt.Fprintf(b, " %s |", values.Replace(share))
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
