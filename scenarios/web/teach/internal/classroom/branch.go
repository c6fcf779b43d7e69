package classroom

// Branch is what all pages show of a branch of a lesson (page.Branch): its own run, or that of the lesson beside it. It has a place of its
// own, so the class comes back to where it has left the lesson, and no vote ends meanwhile.
type Branch struct {
	Index int  `json:"index"`
	Shown bool `json:"shown"`
	At    int  `json:"at"`
}

// Show is where the presenter is in a branch of the lesson that is open. It reports whether there is such a place. The run of the lesson
// ends at the first question that is open for it: the class has not answered it.
func (c *Class) Show(window, lesson string, b Branch) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lesson == nil || c.lesson.Name != lesson || b.Index < 0 || b.Index >= len(c.lesson.Branches) || b.At < 0 {
		return false
	}
	if beats := c.lesson.Branches[b.Index]; b.Shown && b.At >= beats || !b.Shown && b.At >= c.lesson.Beats {
		return false
	}
	if !b.Shown && c.ahead(b.At) {
		return false
	}
	if c.branch == nil || *c.branch != b {
		c.branch, c.window = &b, window
		c.changed()
	}
	return true
}

// ahead reports whether a beat is that of a question that is open, or one after it.
func (c *Class) ahead(at int) bool {
	for _, q := range c.lesson.Questions {
		if p := c.polls[asked{c.lesson.Name, q.Step}]; q.Asked <= at && (p == nil || p.phase != Closed) {
			return true
		}
	}
	return false
}
