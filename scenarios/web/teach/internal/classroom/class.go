// Package classroom is a class that follows lessons and votes on their questions: who is in it, where the presenter is, and what was
// answered. Everything is in memory, and bounded. Times are since the start of the class, in real time.
package classroom

import (
	"slices"
	"sync"
	"time"

	"github.com/kubestep/kubestep/scenarios/web/page"
)

// Lesson is what a class knows of a lesson.
type Lesson struct {
	Name, Title string
	Questions   []page.Question
	// Beats is how many places it has, and Branches how many the run of each of its branches has.
	Beats    int
	Branches []int
}

// question finds a question by its step.
func (l *Lesson) question(step int) *page.Question {
	if l == nil {
		return nil
	}
	if at := slices.IndexFunc(l.Questions, func(q page.Question) bool { return q.Step == step }); at >= 0 {
		return &l.Questions[at]
	}
	return nil
}

// Class is a class. Its methods can be called at the same time.
type Class struct {
	mu sync.Mutex
	// lesson is the one that is open, nil before the first one, and at the beat that the presenter looks at.
	lesson *Lesson
	at     int
	// branch is the one that is shown, nil for the lesson itself.
	branch *Branch
	// window is the one of the presenter's that has gone there.
	window string
	// opening is the lesson that is being made, and trouble why the last one could not be.
	opening, trouble string
	playground       bool
	locked           bool
	students         map[string]*student
	// taught are the lessons that were open, in their order, and polls the questions that were asked.
	taught []*Lesson
	polls  map[asked]*poll
	// led changes with what the students see, and told with what the presenter sees.
	led, told news
}

// asked names a question of a lesson.
type asked struct {
	lesson string
	step   int
}

// New is an empty class in front of no lesson.
func New() *Class {
	return &Class{students: map[string]*student{}, polls: map[asked]*poll{}, led: newNews(), told: newNews()}
}

// news counts changes, and tells those who wait for the next one.
type news struct {
	version int
	next    chan struct{}
}

func newNews() news { return news{next: make(chan struct{})} }

func (n *news) changed() {
	n.version++
	close(n.next)
	n.next = make(chan struct{})
}

// changed is for what all see.
func (c *Class) changed() {
	c.led.changed()
	c.told.changed()
}

// Prepare says that a lesson is being made.
func (c *Class) Prepare(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opening, c.trouble = name, ""
	c.told.changed()
}

// Fail says why a lesson could not be made. Another one may have been chosen meanwhile.
func (c *Class) Fail(name, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.opening == name {
		c.opening, c.trouble = "", why
		c.told.changed()
	}
}

// Open begins a lesson at its first beat, if it is still the one that is being made. Nil is no lesson: the class waits for the next one.
func (c *Class) Open(lesson *Lesson) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if lesson != nil && c.opening != lesson.Name {
		return
	}
	c.opening, c.trouble, c.lesson, c.at, c.branch, c.playground = "", "", lesson, 0, nil, false
	if lesson != nil && !slices.Contains(c.taught, lesson) {
		c.taught = append(c.taught, lesson)
	}
	c.reach()
	c.changed()
}

// Place is where the presenter is now, in one of the windows of the presenter, which have names of their own. What comes after a question
// gives the answer away, so the question is closed. A branch that was shown is over. It reports whether there is such a place in the lesson
// that is open.
func (c *Class) Place(window, lesson string, at int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lesson == nil || c.lesson.Name != lesson || at < 0 || at >= c.lesson.Beats {
		return false
	}
	if at != c.at || c.branch != nil {
		c.at, c.branch, c.window = at, nil, window
		c.reach()
		c.changed()
	}
	return true
}

// reach asks the question of the place where the presenter is, and closes those before it.
func (c *Class) reach() {
	if c.lesson == nil {
		return
	}
	for _, q := range c.lesson.Questions {
		switch {
		case c.at > q.Asked:
			c.poll(q.Step).phase = Closed
		case c.at == q.Asked:
			c.poll(q.Step)
		}
	}
}

// Lock keeps newcomers out, or lets them in again.
func (c *Class) Lock(on bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.locked = on
	c.told.changed()
}

// Playground sends the students to the playground of the lesson, or back. It reports whether a lesson is open.
func (c *Class) Playground(on bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lesson == nil {
		return false
	}
	c.playground = on
	c.changed()
	return true
}

// State is what all pages know.
type State struct {
	Version int `json:"version"`
	// Lesson is the one that is open, empty if there is none.
	Lesson string `json:"lesson"`
	At     int    `json:"at"`
	// Branch is what is shown in its place, null for the lesson itself.
	Branch *Branch `json:"branch,omitempty"`
	// Window is the one of the presenter's that has gone there; the others follow it.
	Window string `json:"window,omitempty"`
	// Phases are those of the questions that were asked, by their steps.
	Phases     map[int]Phase `json:"phases,omitempty"`
	Playground bool          `json:"playground,omitempty"`
}

func (c *Class) state(version int) State {
	s := State{Version: version, At: c.at, Branch: c.branch, Window: c.window, Playground: c.playground, Phases: map[int]Phase{}}
	if c.lesson == nil {
		return s
	}
	s.Lesson = c.lesson.Name
	for _, q := range c.lesson.Questions {
		if p := c.polls[asked{s.Lesson, q.Step}]; p != nil {
			s.Phases[q.Step] = p.phase
		}
	}
	return s
}

// StudentState is what the page of a student knows.
type StudentState struct {
	State
	// Mine are the student's own answers: those of the first and of the second vote, by the step of the question.
	Mine map[int][2]string `json:"mine,omitempty"`
}

// Student is what a student sees, and a channel that is closed when it changes.
func (c *Class) Student(id string) (StudentState, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := StudentState{State: c.state(c.led.version), Mine: map[int][2]string{}}
	for step := range s.Phases {
		p := c.polls[asked{s.Lesson, step}]
		if mine := [2]string{p.votes[0][id], p.votes[1][id]}; mine != [2]string{} {
			s.Mine[step] = mine
		}
	}
	return s, c.led.next
}

// PresenterState is what the presenter's page knows.
type PresenterState struct {
	State
	// Opening is the lesson that is being made, Trouble why the last one could not be.
	Opening string `json:"opening,omitempty"`
	Trouble string `json:"trouble,omitempty"`
	// Joined is how many students have joined, and Here how many of them are connected.
	Joined int  `json:"joined"`
	Here   int  `json:"here"`
	Locked bool `json:"locked,omitempty"`
	// Tally is how often each answer was given in the first and in the second vote, by the step of the question.
	Tally map[int][2]map[string]int `json:"tally,omitempty"`
	// Crowds are the addresses from which several students have joined, the largest first.
	Crowds []Crowd `json:"crowds,omitempty"`
}

// Presenter is what the presenter sees, and a channel that is closed when it changes.
func (c *Class) Presenter(now time.Duration) (PresenterState, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := PresenterState{
		State: c.state(c.told.version), Opening: c.opening, Trouble: c.trouble, Joined: len(c.students), Locked: c.locked,
		Tally: map[int][2]map[string]int{}, Crowds: c.crowds(),
	}
	for _, student := range c.students {
		if now-student.seen < away {
			s.Here++
		}
	}
	for step := range s.Phases {
		p := c.polls[asked{s.Lesson, step}]
		s.Tally[step] = [2]map[string]int{tally(p.votes[0]), tally(p.votes[1])}
	}
	return s, c.told.next
}
