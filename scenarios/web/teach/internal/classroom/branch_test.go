package classroom

import "testing"

// TestShow goes to a branch of a lesson while a question is open, in both runs, and comes back. Votes go on, and the place in the lesson
// stays. What comes after the question is not shown.
func TestShow(t *testing.T) {
	c := taught()
	c.lesson.Branches = []int{8, 3}
	for _, test := range []struct {
		what   string
		branch Branch
		want   bool
	}{
		{"a branch", Branch{0, true, 7}, true},
		{"beyond its end", Branch{0, true, 8}, false},
		{"before its begin", Branch{0, true, -1}, false},
		{"the lesson beside it", Branch{0, false, 4}, true},
		{"the question that is open", Branch{0, false, 5}, false},
		{"beyond the question", Branch{0, false, 12}, false},
		{"no branch", Branch{2, true, 0}, false},
		{"another branch", Branch{1, true, 2}, true},
	} {
		if got := c.Show("window", "lesson", test.branch); got != test.want {
			t.Errorf("%s: %v is shown: %v", test.what, test.branch, got)
		}
	}
	if c.Show("window", "another lesson", Branch{0, true, 1}) {
		t.Error("the branch of a lesson is shown that is not open")
	}
	s, _ := c.Student("1")
	if s.Branch == nil || *s.Branch != (Branch{1, true, 2}) || s.At != 5 || s.Phases[1] != Voting {
		t.Errorf("a student sees %+v at %d in the phase %s", s.Branch, s.At, s.Phases[1])
	}
	if came := c.says("1", 1, 0, "a"); came != Counted {
		t.Errorf("a vote is answered with %s", came)
	}
	version := s.Version
	if c.Place("window", "lesson", 5); c.branch != nil {
		t.Error("the class is still in the branch")
	}
	if s, _ = c.Student("1"); s.Branch != nil || s.Version == version {
		t.Errorf("a student still sees %+v", s.Branch)
	}
	c.Show("", "lesson", Branch{0, true, 1})
	if c.Open(nil); c.branch != nil {
		t.Error("a branch is shown of no lesson")
	}
}
