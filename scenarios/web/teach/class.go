// Package teach is kubestep teach: a class follows a lesson on its own screens and votes on the questions. The presenter moves through the
// page of the lesson (scenarios/web/page), and the pages of the class follow. Everything is in memory and ends with the process.
//
//	students   GET /?code=CODE     the page, which follows; POST /vote
//	presenter  GET /present?key=KEY  the page, which leads; POST /place
//	both       GET /state          waits for news: the place, and for the presenter the votes
package teach

import (
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/kubestep/kubestep/scenarios/web/page"
)

// The most that a class keeps, so that nobody can fill the memory.
const (
	// maxStudents is how many different students can vote.
	maxStudents = 2000
	// maxTexts is how many different answers to one question are counted; all others count as one.
	maxTexts = 50
	// maxAnswer is the most characters of an answer.
	maxAnswer = 80
)

const other = "(other answers)"

// class is a class that follows a lesson.
type class struct {
	questions []page.Question

	mu sync.Mutex
	// at is the beat that the presenter looks at, version how often anything has changed.
	at, version int
	students    map[string]bool
	// votes are the answers of the students, by the step of the question, and closed the questions that the presenter has left.
	votes  map[int]map[string]string
	closed map[int]bool
	// news is closed when the next change happens.
	news chan struct{}
}

func newClass(questions []page.Question) *class {
	return &class{
		questions: questions, students: map[string]bool{}, votes: map[int]map[string]string{}, closed: map[int]bool{},
		news: make(chan struct{}),
	}
}

// changed tells everybody who waits.
func (c *class) changed() {
	c.version++
	close(c.news)
	c.news = make(chan struct{})
}

// place is where the presenter is now. What comes after a question gives the answer away, so the question is closed for good.
func (c *class) place(at int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, q := range c.questions {
		if at > q.Asked {
			c.closed[q.Step] = true
		}
	}
	if at != c.at {
		c.at = at
		c.changed()
	}
}

// receipt is what came of a vote.
type receipt string

// The receipts. All but counted are errors.
const (
	counted  receipt = "counted"
	full     receipt = "the class is full"
	unknown  receipt = "no such question"
	noChoice receipt = "no such choice"
	notOpen  receipt = "the question is not open"
)

// vote notes the answer of a student to a question that is open; a later one replaces it. A question with choices takes those only.
func (c *class) vote(student string, step int, text string) receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.IndexFunc(c.questions, func(q page.Question) bool { return q.Step == step })
	if at < 0 {
		return unknown
	}
	q := c.questions[at]
	switch {
	case len(q.Choices) > 0 && !slices.Contains(q.Choices, text):
		return noChoice
	case c.closed[step] || c.at != q.Asked:
		return notOpen
	}
	if !c.students[student] {
		if len(c.students) >= maxStudents {
			return full
		}
		c.students[student] = true
	}
	if c.votes[step] == nil {
		c.votes[step] = map[string]string{}
	}
	if utf8.RuneCountInString(text) > maxAnswer {
		text = string([]rune(text)[:maxAnswer])
	}
	if c.votes[step][student] != text {
		c.votes[step][student] = text
		c.changed()
	}
	return counted
}

// state is what a page needs to know.
type state struct {
	Version int `json:"version"`
	At      int `json:"at"`
	// Students are those that have voted so far, Tally how often each answer was given, by the step of the question. Only the
	// presenter sees them.
	Students int                    `json:"students,omitempty"`
	Tally    map[int]map[string]int `json:"tally,omitempty"`
}

// now is the state, and a channel that is closed when it changes.
func (c *class) now(presenter bool) (state, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := state{Version: c.version, At: c.at}
	if presenter {
		s.Students, s.Tally = len(c.students), map[int]map[string]int{}
		for step, votes := range c.votes {
			s.Tally[step] = tally(votes)
		}
	}
	return s, c.news
}

// tally counts answers.
func tally(votes map[string]string) map[string]int {
	counts := map[string]int{}
	for _, text := range votes {
		if _, known := counts[text]; !known && len(counts) >= maxTexts {
			text = other
		}
		counts[text]++
	}
	return counts
}
