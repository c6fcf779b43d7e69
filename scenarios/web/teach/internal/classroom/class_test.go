package classroom

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubestep/kubestep/scenarios/web/page"
)

// taught is a class at the first question of a lesson with a closed and an open question.
func taught() *Class {
	c := New()
	c.Prepare("lesson")
	c.Open(&Lesson{Name: "lesson", Title: "A lesson", Beats: 20, Questions: []page.Question{
		{Step: 1, Text: "Which?", Answer: "b", Choices: []string{"a", "b"}, Asked: 5},
		{Step: 2, Text: "How many?", Answer: "13", Asked: 10},
	}})
	c.Place("", "lesson", 5)
	return c
}

// says sends a vote of a student who joins if need be.
func (c *Class) says(id string, step, round int, text string) Receipt {
	if came := c.Join(id, "192.0.2.1", 0); came != Counted {
		return came
	}
	return c.Vote(id, 0, Ballot{"lesson", step, round, text})
}

// TestPeerInstruction votes, discusses, votes again and reveals, and reports both votes.
func TestPeerInstruction(t *testing.T) {
	c := taught()
	for i := range 4 {
		c.says(fmt.Sprint(i), 1, 0, []string{"a", "a", "a", "b"}[i])
	}
	for _, step := range []struct {
		do    func() bool
		phase Phase
		// round takes votes, -1 if none does.
		round int
	}{
		{func() bool { return true }, Voting, 0},
		{func() bool { return c.Phase(1, Discussion) }, Discussion, -1},
		{func() bool { return !c.Phase(2, Again) && c.Phase(1, Again) }, Again, 1},
		{func() bool { return c.Place("", "lesson", 6) }, Closed, -1},
		{func() bool { return !c.Phase(1, Again) && c.Place("", "lesson", 5) && !c.Phase(1, Again) }, Closed, -1},
	} {
		if !step.do() {
			t.Errorf("%s is not possible", step.phase)
		}
		for round := range 2 {
			if came := c.says("3", 1, round, "b"); (came == Counted) != (round == step.round) {
				t.Errorf("in the phase %s, vote %d is answered with %s", step.phase, round, came)
			}
		}
		if s, _ := c.Student("3"); s.Phases[1] != step.phase {
			t.Errorf("the student sees %s, not %s", s.Phases[1], step.phase)
		}
	}
	want := []VoteReport{
		{Voters: 4, Right: 1, Share: 0.25, Answers: []Count{{"a", 3, false}, {"b", 1, true}}},
		{Voters: 1, Right: 1, Share: 1, Answers: []Count{{"a", 0, false}, {"b", 1, true}}},
	}
	if diff := cmp.Diff(want, c.Report().Lessons[0].Questions[0].Votes); diff != "" {
		t.Errorf("report: -want +got\n%s", diff)
	}
	if !c.Phase(1, Voting) || c.says("3", 1, 0, "a") != Counted || c.Report().Lessons[0].Questions[0].Votes[0].Voters != 1 {
		t.Error("a question cannot be asked again")
	}
}

// TestOpenQuestion takes any text, of a limited length, and counts a limited number of different ones.
func TestOpenQuestion(t *testing.T) {
	c := taught()
	c.Place("", "lesson", 10)
	for i := range 2 * maxTexts {
		if came := c.says(fmt.Sprint(i), 2, 0, fmt.Sprint("answer ", i)); came != Counted {
			t.Fatal(came)
		}
	}
	c.says("7", 2, 0, strings.Repeat("é", 200))
	for i := range 3 {
		c.says(fmt.Sprint("right-", i), 2, 0, " 13.0")
	}
	if s, _ := c.Student("7"); s.Mine[2][0] != strings.Repeat("é", MaxAnswer) {
		t.Errorf("of a long answer, %q is kept", s.Mine[2][0])
	}
	p, _ := c.Presenter(0)
	if got := p.Tally[2][0]; len(got) != maxTexts+1 || got[other] != maxTexts+1 || got[" 13.0"] != 3 {
		t.Errorf("%d different answers are counted: %v", len(got), got)
	}
	if report := c.Report().Lessons[0].Questions[0].Votes[0]; report.Right != 3 {
		t.Errorf("%d are right", report.Right)
	}
}

// TestAClassIsFull holds the bounds of what a class keeps, and who makes room for newcomers.
func TestAClassIsFull(t *testing.T) {
	c := taught()
	for i := range perAddress {
		c.Join(fmt.Sprint("a-", i), "192.0.2.1", time.Duration(i))
	}
	c.Vote("a-0", 0, Ballot{"lesson", 1, 0, "a"})
	if came := c.Join("new", "192.0.2.1", time.Second); came != Full {
		t.Errorf("one more from an address is answered with %q", came)
	}
	if came := c.Join("other", "192.0.2.2", time.Second); came != Counted {
		t.Errorf("another address is answered with %q", came)
	}
	// Later, those who have left make room, first the one who has been away longest. A vote is kept.
	c.Join("a-1", "192.0.2.1", away)
	if came := c.Join("new", "192.0.2.1", 2*away-1); came != Counted || !c.Knows("a-0") || !c.Knows("a-1") || c.Knows("a-2") {
		t.Errorf("a newcomer is answered with %q", came)
	}
	for i := range maxStudents {
		c.Join(fmt.Sprint("b-", i), fmt.Sprint(i), 3*away)
	}
	if p, _ := c.Presenter(3 * away); p.Joined != maxStudents {
		t.Errorf("%d students have joined", p.Joined)
	}
}

// TestClearLockRemove is what the presenter can do about a crowd.
func TestClearLockRemove(t *testing.T) {
	c := taught()
	c.says("one", 1, 0, "a")
	c.Join("two", "192.0.2.2", 0)
	c.Vote("two", 0, Ballot{"lesson", 1, 0, "b"})
	c.Lock(true)
	if c.says("three", 1, 0, "a") != Locked || c.says("one", 1, 0, "b") != Counted {
		t.Error("a locked class lets newcomers in, or keeps its students out")
	}
	c.Remove("192.0.2.1")
	if p, _ := c.Presenter(0); p.Joined != 1 || len(p.Tally[1][0]) != 1 || p.Tally[1][0]["b"] != 1 {
		t.Errorf("after Remove, the presenter sees %+v", p)
	}
	c.Clear()
	if p, _ := c.Presenter(0); p.Joined != 0 || len(p.Tally[1][0]) != 0 || p.Phases[1] != Voting || p.Locked {
		t.Errorf("after Clear, the presenter sees %+v", p)
	}
}
