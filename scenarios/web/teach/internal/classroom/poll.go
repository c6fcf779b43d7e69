package classroom

import (
	"slices"
	"time"
	"unicode/utf8"
)

// Phase is how far the class is with a question.
type Phase string

// The phases. The first vote and the second one take answers.
const (
	Voting     Phase = "vote"
	Discussion Phase = "discuss"
	Again      Phase = "again"
	Closed     Phase = "closed"
)

// rounds are the votes in which phases take answers: the first is 0.
var rounds = map[Phase]int{Voting: 0, Again: 1}

// follows are the phases that can come after a phase. Asking again clears the votes.
var follows = map[Phase][]Phase{
	Voting: {Discussion, Again, Closed}, Discussion: {Again, Voting, Closed}, Again: {Discussion, Voting, Closed}, Closed: {Voting},
}

// The most that a class keeps of answers.
const (
	// maxTexts is how many different answers to one question are counted; all others count as one.
	maxTexts = 50
	// MaxAnswer is the most characters of an answer.
	MaxAnswer = 80
)

// other stands for the answers that are too many to count each.
const other = "(other answers)"

// poll is a question that was asked.
type poll struct {
	phase Phase
	// votes are the answers of the first and of the second vote, by the students.
	votes [2]map[string]string
}

// poll is that of a question of the open lesson, which the first call opens.
func (c *Class) poll(step int) *poll {
	key := asked{c.lesson.Name, step}
	if c.polls[key] == nil {
		c.polls[key] = &poll{phase: Voting, votes: [2]map[string]string{{}, {}}}
	}
	return c.polls[key]
}

// Phase continues with the question that is open: discuss, vote again, close. Voting starts over, without the votes so far. It reports
// whether that is possible now.
func (c *Class) Phase(step int, phase Phase) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	q := c.lesson.question(step)
	if q == nil || q.Asked != c.at {
		return false
	}
	p := c.poll(step)
	if !slices.Contains(follows[p.phase], phase) {
		return false
	}
	switch phase {
	case Voting:
		p.votes = [2]map[string]string{{}, {}}
	case Again:
		p.votes[1] = map[string]string{}
	}
	p.phase = phase
	c.changed()
	return true
}

// Ballot is a vote of a student. The round is part of it, so that one that arrives late does not count for the next vote.
type Ballot struct {
	Lesson string `json:"lesson"`
	Step   int    `json:"step"`
	Round  int    `json:"round"`
	Text   string `json:"text"`
}

// Receipt is what came of a request of a student.
type Receipt string

// The receipts. All but Counted are errors.
const (
	Counted  Receipt = "counted"
	Full     Receipt = "the class is full"
	Locked   Receipt = "the class is locked"
	Unknown  Receipt = "no such question"
	NoChoice Receipt = "no such choice"
	NotOpen  Receipt = "the question is not open"
)

// Vote notes the answer of a student to the question that is open; a later one of the same vote replaces it. A question with choices
// takes those only. The student must have joined.
func (c *Class) Vote(id string, now time.Duration, b Ballot) Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	student := c.students[id]
	if student == nil {
		return Full
	}
	student.seen = now
	if c.lesson == nil || c.lesson.Name != b.Lesson {
		return NotOpen
	}
	q := c.lesson.question(b.Step)
	switch {
	case q == nil:
		return Unknown
	case b.Text == "", len(q.Choices) > 0 && !slices.Contains(q.Choices, b.Text):
		return NoChoice
	case c.at != q.Asked:
		return NotOpen
	}
	p := c.poll(b.Step)
	if round, open := rounds[p.phase]; !open || round != b.Round {
		return NotOpen
	}
	text := b.Text
	if len(q.Choices) == 0 && utf8.RuneCountInString(text) > MaxAnswer {
		text = string([]rune(text)[:MaxAnswer])
	}
	student.voted = true
	if p.votes[b.Round][id] != text {
		p.votes[b.Round][id] = text
		c.told.changed()
	}
	return Counted
}

// tally counts answers. Which of too many different ones are counted each does not depend on the order of a map.
func tally(votes map[string]string) map[string]int {
	counts := map[string]int{}
	for _, text := range votes {
		counts[text]++
	}
	if len(counts) <= maxTexts {
		return counts
	}
	most := frequent(counts)
	for _, text := range most[maxTexts:] {
		counts[other] += counts[text]
		delete(counts, text)
	}
	return counts
}
