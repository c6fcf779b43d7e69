package page

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
)

// Question is a question of a lesson, as a class answers it.
type Question struct {
	// Step names it in votes.
	Step int
	// Text asks, and Answer is the right one; empty if the recording ends before it.
	Text, Answer string
	// Choices are empty if any text is an answer.
	Choices []string
	// Asked is the index of the beat that asks.
	Asked int
}

// IsRight compares an answer with the right one, as people do.
func (q Question) IsRight(text string) bool { return scene.SameAnswer(text, q.Answer) }

// Questions lists the questions of the lesson, in their order.
func (l *Lesson) Questions() (questions []Question) {
	for i := range l.Beats {
		b := &l.Beats[i]
		if b.Ask != nil {
			questions = append(questions, Question{Step: b.Ask.Step, Text: b.Ask.Question, Choices: b.Ask.Choices, Asked: i})
		}
		if b.Answer == nil {
			continue
		}
		if at := slices.IndexFunc(questions, func(q Question) bool { return q.Step == b.Answer.Step }); at >= 0 {
			questions[at].Answer = b.Answer.Text
		}
	}
	return questions
}
