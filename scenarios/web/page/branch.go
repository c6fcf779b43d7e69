package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/branch"
	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/kinds"
	"github.com/kubestep/kubestep/sim/recording"
)

// Branch is a branch that the scenario prepares, with its run: a reader who points at one of its things can choose it.
type Branch struct {
	Title string `json:"title"`
	About string `json:"about,omitempty"`
	// Of are the things of the stage that offer the branch: player2, thing5, machine0.
	Of []string `json:"of"`
	// Step is what happens in addition, and At when, in seconds of virtual time.
	Step string  `json:"step"`
	At   float64 `json:"t"`
	// Was and Is are the first records in which the two runs differ, but for the step itself; null where a run does nothing more.
	Was *parting `json:"was"`
	Is  *parting `json:"is"`
	// End are the differences between the ends of the two runs.
	End []difference `json:"end"`
	// Run is the part of the branch from the last beat on that both have. It takes the place of the fields of the lesson.
	Run part `json:"run"`
}

// parting is a record in a sentence.
type parting struct {
	At float64 `json:"t"`
	stage.Caption
}

// difference is something that differs between the ends of two runs.
type difference struct {
	What string `json:"what"`
	Was  string `json:"was"`
	Is   string `json:"is"`
}

// part is the part of a lesson in which a branch differs from it: only what the stage, the rollouts and the list of beats show.
type part struct {
	Hash      string     `json:"hash"`
	Verdict   *verdict   `json:"verdict"`
	Tabs      []view.Tab `json:"tabs"`
	Workloads []string   `json:"workloads"`
	Objects   []string   `json:"objects"`
	Outcomes  []*outcome `json:"outcomes"`
	Beats     []beat     `json:"beats"`
	Cast      []member   `json:"cast"`
	Players   []string   `json:"players"`
	Machines  []string   `json:"machines"`
}

// briefTabs are the words of the views of a branch.
var briefTabs = []string{"stage", "rollout", "trace"}

// Branch adds a branch that the scenario prepares. rec is its run.
func (l *Lesson) Branch(table *kinds.Table, of *format.Branch, rec *recording.Recording) error {
	if rec.Error != "" {
		return fmt.Errorf("the branch %q ends early: %s", of.Title, rec.Error)
	}
	m := newMaker(rec)
	m.brief = true
	steps := make([]string, len(of.Steps))
	for i := range of.Steps {
		steps[i] = of.Steps[i].Describe()
	}
	b := Branch{
		Title: of.Title, About: of.About, Of: l.maker.cast.pointed(table, of), Step: strings.Join(steps, ", "), At: seconds(of.At.Duration),
	}
	was, is := branch.Effect(l.maker.Rec, rec)
	b.Was, b.Is = l.maker.parting(was), m.parting(is)
	b.End = append(outcomes(l.maker, m), ends(l.maker, m)...)
	b.Run = m.part(of.At.Duration)
	// Its checks are about the scenario's own run: a branch need not pass them. It should not be stuck or hot.
	if runner.VerdictOf(rec) != runner.Fail {
		b.Run.Verdict = verdictOf(rec)
	}
	l.Branches = append(l.Branches, b)
	return nil
}

// pointed are the things of the stage that a branch names.
func (c *cast) pointed(table *kinds.Table, b *format.Branch) (of []string) {
	for i, p := range c.Programs {
		if touch.IsOf(table, b, touch.Thing{Program: p.Name}) {
			of = append(of, fmt.Sprint("player", i))
		}
	}
	for i, name := range c.machines {
		if touch.IsOf(table, b, touch.Thing{Object: stage.NodeObject(name)}) {
			of = append(of, fmt.Sprint("machine", i))
		}
	}
	for i, m := range c.Members {
		if touch.IsOf(table, b, touch.Thing{Object: m.Object}) {
			of = append(of, fmt.Sprint("thing", i))
		}
	}
	return of
}

// Thing is what the page names at a record: player2, thing5, seat5, machine0 or move0. ok is false if it is not there.
func Thing(scenes *scene.Scenes, seq int64, name string) (thing touch.Thing, ok bool) {
	c := newCast(scenes)
	kind := strings.TrimRight(name, "0123456789")
	n, err := strconv.Atoi(name[len(kind):])
	if err != nil {
		return thing, false
	}
	switch kind {
	case "player":
		if ok = n < len(c.Programs); ok {
			thing.Program = c.Programs[n].Name
		}
	case "thing", "seat":
		if ok = n < len(c.Members); ok {
			thing.Object = c.Members[n].Object
		}
	case "machine":
		if ok = n < len(c.machines); ok {
			thing.Object = stage.NodeObject(c.machines[n])
		}
	case "move":
		moves := c.At(scenes.At(seq, scenes.Rec.At(seq))).Moves
		if ok = n < len(moves); ok {
			thing.Message = moves[n].Seq
		}
	}
	return thing, ok
}

// parting is the first record of the story from one on that has a sentence.
func (m *maker) parting(seq int64) *parting {
	if seq == 0 {
		return nil
	}
	for _, at := range m.Rec.Marks().Story {
		if at < seq {
			continue
		}
		beat := m.At(at, m.Rec.At(at))
		if caption := m.cast.At(beat).Caption; caption.Text != "" {
			return &parting{seconds(m.Rec.At(at)), caption}
		}
	}
	return nil
}

// part are the beats of a branch from the last one before a time on. The first one has all of its state.
func (m *maker) part(from time.Duration) part {
	p := part{
		Hash: m.Rec.Hash, Tabs: []view.Tab{}, Workloads: []string{}, Objects: m.objectNames(), Outcomes: m.outcomes(),
		Cast: m.cast.members(m.indexes), Players: m.cast.players(), Machines: m.cast.machines,
	}
	for _, tab := range view.Tabs() {
		if slices.Contains(briefTabs, tab.Word) {
			p.Tabs = append(p.Tabs, tab)
		}
	}
	for _, w := range m.Rec.Workloads() {
		p.Workloads = append(p.Workloads, w.Name())
	}
	// Its checks are about the scenario's own run, and so is how long its steps wait.
	story := slices.DeleteFunc(slices.Clone(m.Rec.Marks().Story), func(seq int64) bool { return m.Rec.Record(seq).Check != nil })
	first := 0
	for first+1 < len(story) && m.Rec.At(story[first+1]) < from {
		first++
	}
	for i, seq := range story[first:] {
		next := int64(0)
		if first+i+1 < len(story) {
			next = story[first+i+1]
		}
		p.Beats = append(p.Beats, m.beat(seq, next))
	}
	return p
}

// outcomes are what came of the workloads in the whole run.
func (m *maker) outcomes() []*outcome {
	all := []*outcome{}
	for _, w := range m.Rec.Workloads() {
		all = append(all, outcomeOf(w, w.At(m.Rec.Len(), m.Rec.At(m.Rec.Len())).Replicas))
	}
	return all
}

// soon is, in seconds, a difference of two times that nobody cares for.
const soon = 0.1

// outcomes compares the workloads that both runs have.
func outcomes(was, is *maker) (all []difference) {
	before, after := was.outcomes(), is.outcomes()
	for i, w := range was.Rec.Workloads() {
		j := slices.IndexFunc(is.Rec.Workloads(), func(other *recording.Workload) bool { return other.Object == w.Object })
		if j < 0 || before[i] == nil || after[j] == nil {
			continue
		}
		name := w.Name()
		if math.Abs(before[i].Ends-after[j].Ends) >= soon {
			before, after := fmt.Sprintf("at %.3fs", before[i].Ends), fmt.Sprintf("at %.3fs", after[j].Ends)
			all = differ(all, name+": last change of a Pod", before, after)
		}
		all = differ(all, name+": fewest Pods available, once all were", least(before[i]), least(after[j]))
		all = differ(all, name+": most Pods at a time", fmt.Sprint(before[i].Most), fmt.Sprint(after[j].Most))
	}
	return all
}

func least(o *outcome) string {
	if o.Least == nil {
		return "never all available"
	}
	return fmt.Sprint(*o.Least)
}

func differ(all []difference, what, was, is string) []difference {
	if was == is {
		return all
	}
	return append(all, difference{what, was, is})
}

// absent is what is said of an object that does not exist.
const absent = "does not exist"

// mostEnds is how many differences of objects are listed.
const mostEnds = 8

// ends compares what the stage says at the ends of two runs: of the Pods together, of all other objects by their names, and of nodes.
func ends(was, is *maker) (all []difference) {
	before, after := was.end(), is.end()
	for _, what := range before.names {
		now, known := after.says[what]
		if !known {
			now = absent
		}
		all = differ(all, what, before.says[what], now)
	}
	for _, what := range after.names {
		if _, known := before.says[what]; !known {
			all = differ(all, what, absent, after.says[what])
		}
	}
	return all[:min(len(all), mostEnds)]
}

// said are the things of a stage by their names, in their order, with what is said of them.
type said struct {
	names []string
	says  map[string]string
}

func (s *said) add(name, text string) {
	if _, known := s.says[name]; !known {
		s.names = append(s.names, name)
	}
	s.says[name] = text
}

// end is what the stage says at the end of a run.
func (m *maker) end() *said {
	s := &said{says: map[string]string{}}
	view := m.cast.At(m.At(m.Rec.Len(), m.Rec.At(m.Rec.Len())))
	counts := map[recording.Phase]int{}
	for i := range view.Objects {
		o := &view.Objects[i]
		if o.IsPod() {
			counts[o.Phase]++
			continue
		}
		says := o.Says
		if says == "" {
			says = "exists"
		}
		s.add(o.String(), says)
	}
	var pods []string
	for p := recording.Absent; p <= recording.Succeeded; p++ {
		if n := counts[p]; n > 0 {
			pods = append(pods, fmt.Sprintf("%d %s", n, p.Word()))
		}
	}
	if pods == nil {
		pods = []string{"none"}
	}
	s.add("Pods", strings.Join(pods, ", "))
	for _, n := range view.Nodes {
		says := strings.Join(append([]string{n.State}, n.Taints...), " · ")
		s.add("Node "+n.Name, strings.Trim(says, " ·"))
	}
	return s
}

// Prepare runs the branches of a scenario with a function that records one, and adds them to the page of its run.
func (l *Lesson) Prepare(s *format.Scenario, record func(*format.Scenario) (*recording.Recording, error)) error {
	for i := range s.Spec.Branches {
		of := &s.Spec.Branches[i]
		branched, err := branch.Prepared(s, l.maker.Rec, of)
		if err != nil {
			return fmt.Errorf("the branch %q: %w", of.Title, err)
		}
		branched.Spec.Seed = l.maker.Rec.Seed
		rec, err := record(branched)
		if err != nil {
			return fmt.Errorf("the branch %q: %w", of.Title, err)
		}
		if err := l.Branch(s.Kinds(), of, rec); err != nil {
			return err
		}
	}
	return nil
}
