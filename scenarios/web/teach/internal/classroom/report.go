package classroom

import (
	"cmp"
	"maps"
	"slices"
)

// Report is what came of a class.
type Report struct {
	// Joined is how many students have joined.
	Joined  int            `json:"joined"`
	Lessons []LessonReport `json:"lessons"`
}

// LessonReport is what came of a lesson: its questions to which there are answers.
type LessonReport struct {
	Name      string           `json:"name"`
	Title     string           `json:"title"`
	Questions []QuestionReport `json:"questions"`
}

// QuestionReport is what was answered to a question.
type QuestionReport struct {
	Step     int      `json:"step"`
	Question string   `json:"question"`
	Choices  []string `json:"choices,omitempty"`
	Answer   string   `json:"answer"`
	// Votes are the first vote and, if there was one, the second.
	Votes []VoteReport `json:"votes"`
}

// VoteReport is what came of a vote.
type VoteReport struct {
	Voters int `json:"voters"`
	// Right is how many gave the right answer, and Share which part of the voters they are, from 0 to 1.
	Right   int     `json:"right"`
	Share   float64 `json:"share"`
	Answers []Count `json:"answers"`
}

// Count is how often an answer was given.
type Count struct {
	Answer string `json:"answer"`
	Votes  int    `json:"votes"`
	Right  bool   `json:"right,omitempty"`
}

// Report sums up the class so far, in the order in which the lessons were opened.
func (c *Class) Report() Report {
	c.mu.Lock()
	defer c.mu.Unlock()
	report := Report{Joined: len(c.students), Lessons: []LessonReport{}}
	for _, lesson := range c.taught {
		l := LessonReport{Name: lesson.Name, Title: lesson.Title, Questions: []QuestionReport{}}
		for _, q := range lesson.Questions {
			p := c.polls[asked{lesson.Name, q.Step}]
			if p == nil || len(p.votes[0])+len(p.votes[1]) == 0 {
				continue
			}
			of := QuestionReport{Step: q.Step, Question: q.Text, Choices: q.Choices, Answer: q.Answer}
			for round, votes := range p.votes {
				if round == 0 || len(votes) > 0 {
					of.Votes = append(of.Votes, voteReport(q.Choices, votes, q.IsRight))
				}
			}
			l.Questions = append(l.Questions, of)
		}
		report.Lessons = append(report.Lessons, l)
	}
	return report
}

// voteReport counts a vote: the choices in their order, then what else was answered, the most frequent first.
func voteReport(choices []string, votes map[string]string, right func(string) bool) VoteReport {
	counts := tally(votes)
	v := VoteReport{Voters: len(votes), Answers: []Count{}}
	add := func(text string) {
		v.Answers = append(v.Answers, Count{text, counts[text], right(text)})
		if right(text) {
			v.Right += counts[text]
		}
		delete(counts, text)
	}
	for _, choice := range choices {
		add(choice)
	}
	for _, text := range frequent(counts) {
		add(text)
	}
	if v.Voters > 0 {
		v.Share = float64(v.Right) / float64(v.Voters)
	}
	return v
}

// frequent are the answers, the most frequent first.
func frequent(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
}

// Count is how often an answer was given in a vote.
func (v VoteReport) Count(answer string) int {
	for _, count := range v.Answers {
		if count.Answer == answer {
			return count.Votes
		}
	}
	return 0
}
