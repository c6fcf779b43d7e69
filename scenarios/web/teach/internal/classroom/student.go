package classroom

import (
	"cmp"
	"slices"
	"time"
)

// The bounds of a class. They are wide enough for a lecture hall behind one address.
const (
	// maxStudents is how many students a class has, and perAddress how many of them one address.
	maxStudents = 4000
	perAddress  = 1000
	// away is how long a student has not asked for news when the connection counts as lost. A page asks every few seconds.
	away = 20 * time.Second
	// maxCrowds is how many addresses the presenter sees.
	maxCrowds = 8
)

// student is a browser that has joined.
type student struct {
	address string
	// seen is when it last sent a request.
	seen  time.Duration
	voted bool
}

// Crowd is an address from which several students have joined.
type Crowd struct {
	Address  string `json:"address"`
	Students int    `json:"students"`
}

// Knows reports whether a student has joined.
func (c *Class) Knows(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.students[id] != nil
}

// Join lets a student in, or notes that it is still there. In a class that is full, or from an address that has sent too many, a
// newcomer takes the place of one that has left without a vote. So names that somebody invents cannot keep others out: they
// would have to stay connected.
func (c *Class) Join(id, address string, now time.Duration) Receipt {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known := c.students[id]; known != nil {
		known.seen = now
		return Counted
	}
	if c.locked {
		return Locked
	}
	of := 0
	for _, s := range c.students {
		if s.address == address {
			of++
		}
	}
	if of >= perAddress && !c.evict(now, func(s *student) bool { return s.address == address }) ||
		len(c.students) >= maxStudents && !c.evict(now, func(*student) bool { return true }) {
		return Full
	}
	c.students[id] = &student{address: address, seen: now}
	c.told.changed()
	return Counted
}

// evict removes the student that has been away for the longest time and has never voted, among those that match.
func (c *Class) evict(now time.Duration, match func(*student) bool) bool {
	oldest := ""
	for id, s := range c.students {
		if !s.voted && now-s.seen >= away && match(s) && (oldest == "" || older(id, s, oldest, c.students[oldest])) {
			oldest = id
		}
	}
	delete(c.students, oldest)
	return oldest != ""
}

func older(a string, as *student, b string, bs *student) bool {
	return cmp.Or(cmp.Compare(as.seen, bs.seen), cmp.Compare(a, b)) < 0
}

// Remove forgets the students of an address and their votes. They can join again unless the class is locked.
func (c *Class) Remove(address string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, s := range c.students {
		if s.address == address {
			c.forget(id)
		}
	}
	c.changed()
}

// Clear forgets all students and all votes, for the next class: those that are connected join again.
func (c *Class) Clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.students, c.polls, c.taught, c.locked = map[string]*student{}, map[asked]*poll{}, nil, false
	if c.lesson != nil {
		c.taught = []*Lesson{c.lesson}
	}
	c.reach()
	c.changed()
}

// forget removes a student with all votes.
func (c *Class) forget(id string) {
	delete(c.students, id)
	for _, p := range c.polls {
		delete(p.votes[0], id)
		delete(p.votes[1], id)
	}
}

// crowds are the addresses with more than one student, the largest first.
func (c *Class) crowds() []Crowd {
	of := map[string]int{}
	for _, s := range c.students {
		of[s.address]++
	}
	crowds := []Crowd{}
	for address, students := range of {
		if students > 1 {
			crowds = append(crowds, Crowd{address, students})
		}
	}
	slices.SortFunc(crowds, func(a, b Crowd) int {
		return cmp.Or(cmp.Compare(b.Students, a.Students), cmp.Compare(a.Address, b.Address))
	})
	return crowds[:min(len(crowds), maxCrowds)]
}
