package page

import (
	"fmt"
	"reflect"
	"time"

	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/localization"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/scenarios/runner"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// MaxBeats is how many beats a page may have. A browser on a phone keeps the state at each of them.
const MaxBeats = 20000

// Lesson is what a page shows.
type Lesson struct {
	Name    string `json:"name"`
	Title   string `json:"title"`
	About   string `json:"about,omitempty"`
	Version string `json:"version"`
	// Kubernetes is the version whose controllers ran; empty if the trace does not tell.
	Kubernetes string `json:"kubernetes,omitempty"`
	Seed       int64  `json:"seed"`
	Hash       string `json:"hash"`
	// Verdict is that of the run, null if the recording does not tell: a trace of JSON lines does not.
	Verdict *verdict `json:"verdict,omitempty"`
	// Command is what gives the same recording on another machine, empty for a trace.
	Command string `json:"command,omitempty"`
	// Next is the file of the page of the next lesson, and NextTitle its title; empty if there is none.
	Next      string `json:"next,omitempty"`
	NextTitle string `json:"nextTitle,omitempty"`
	// Up is the file of the page that leads to this one and others, and UpTitle its title; empty for a page alone.
	Up      string `json:"up,omitempty"`
	UpTitle string `json:"upTitle,omitempty"`
	// Translations lead to the page in other languages.
	Translations []Translation `json:"translations,omitempty"`
	// Cut says why the recording is incomplete.
	Cut string `json:"cut,omitempty"`
	// Tabs are those of the page (view.Tabs()). One for workloads is left out where there are none.
	Tabs []view.Tab `json:"tabs"`
	// Programs are the components that the page shows, Workloads the names of all workloads, and Objects those of all objects.
	Programs  []*scene.Component `json:"programs"`
	Workloads []string           `json:"workloads"`
	Objects   []string           `json:"objects"`
	// Outcomes are what came of the workloads in the whole run, null for one that never had a Pod, and Decisions what their controllers
	// changed.
	Outcomes  []*outcome     `json:"outcomes"`
	Decisions []*scene.Table `json:"decisions"`
	// Sums are the arithmetic of all syncs; beats name them by their indexes.
	Sums  []*scene.Sum `json:"sums"`
	Beats []beat       `json:"beats"`
	// Cast are the objects of the stage, which beats name by their indexes, and Players the programs at its left. Machines are the names of
	// all nodes.
	Cast     []member      `json:"cast"`
	Players  []string      `json:"players"`
	Machines []string      `json:"machines"`
	Phases   []scene.Phase `json:"phases"`
	// Terms are those of the glossary that the texts of the page use.
	Terms []term `json:"terms,omitempty"`
	// Branches are those that the scenario prepares.
	Branches []Branch `json:"branches,omitempty"`

	maker *maker
	// Texts are those of the page itself in the language of its reader, by the English ones; nil for English.
	Texts    map[string]string `json:"texts,omitempty"`
	language *localization.Language
}

// verdict is that of a run (runner.VerdictOf), as a word, and whether the run passed.
type verdict struct {
	Word   string `json:"word"`
	Passed bool   `json:"passed,omitempty"`
}

// verdictOf is that of a recording, nil if it has none.
func verdictOf(rec *recording.Recording) *verdict {
	of := runner.VerdictOf(rec)
	if of == "" {
		return nil
	}
	return &verdict{runner.VerdictWord(of), of == runner.Pass}
}

// beat is a record of the story and the state after it.
type beat struct {
	Seq int64 `json:"seq"`
	// At is the virtual time in seconds, Length how long the beat lasts in milliseconds of the film at normal pace.
	At     float64 `json:"t"`
	Length int64   `json:"ms"`
	// Kind is that of the record, or decision.
	Kind   string `json:"kind"`
	Actor  string `json:"actor,omitempty"`
	Verb   string `json:"verb,omitempty"`
	Object string `json:"object,omitempty"`
	Detail string `json:"detail,omitempty"`
	Result string `json:"result,omitempty"`
	Failed bool   `json:"failed,omitempty"`
	// End is the record that ends the sync that this record begins.
	End int64 `json:"end,omitempty"`
	// Writes are the objects that the record writes, with their resourceVersions.
	Writes []string      `json:"writes,omitempty"`
	Note   string        `json:"note,omitempty"`
	Ask    *trace.Ask    `json:"ask,omitempty"`
	Answer *trace.Answer `json:"answer,omitempty"`
	// View, Works and Focus are directions of the scenario from here on: the view, and the workloads and objects in it by their indexes.
	View string `json:"view,omitempty"`
	// Caption is the beat in a sentence, Moves what travels on the stage, and Lit the members of the cast that the record writes.
	Caption *stage.Caption `json:"caption,omitempty"`
	Moves   []move         `json:"moves,omitempty"`
	Lit     []int          `json:"lit,omitempty"`
	// Attempt is what kube-scheduler thinks of the nodes.
	Attempt *stage.Attempt `json:"attempt,omitempty"`
	Works   []int          `json:"works,omitempty"`
	Focus   []int          `json:"focus,omitempty"`
	// State has the parts of the scene that differ from those after the beat before. Asked has those that differ while the question of
	// the beat is open: what would tell its answer is not in them.
	State map[string]any `json:"state,omitempty"`
	Asked map[string]any `json:"asked,omitempty"`
}

// maker computes the beats of a recording.
type maker struct {
	*scene.Scenes
	cast     *cast
	programs []*scene.Component
	last     map[string]any
	// objects are those of the store after the last beat, and indexes the places of their names in the page.
	objects map[int]object
	indexes map[trace.Object]int
	// sums are those of the beats so far, and summed their indexes.
	sums   []*scene.Sum
	summed map[sumKey]int
	// shown is the direction of the scenario that the last beat followed.
	shown int64
	// brief leaves out all but the stage and the rollouts.
	brief bool
}

// mostPrograms is how many components the page shows.
const mostPrograms = 9

// New computes the page of a recording. Errors say why there can be none.
func New(rec *recording.Recording) (*Lesson, error) {
	story := rec.Marks().Story
	if len(story) == 0 {
		return nil, fmt.Errorf("%s has nothing to show: no record says what happened", rec.Name)
	}
	if len(story) > MaxBeats {
		return nil, fmt.Errorf("%s has %d records to show; a page has at most %d", rec.Name, len(story), MaxBeats)
	}
	m := newMaker(rec)
	lesson := &Lesson{
		Name: rec.Name, Title: rec.Title, Seed: rec.Seed, Hash: rec.Hash, Cut: rec.Cut, Workloads: []string{},
		Outcomes: m.outcomes(), Decisions: []*scene.Table{}, Programs: append([]*scene.Component{}, m.programs...),
		Objects: m.objectNames(), Beats: []beat{}, Verdict: verdictOf(rec),
		Cast: m.cast.members(m.indexes), Players: m.cast.players(), Machines: m.cast.machines,
	}
	for _, w := range rec.Workloads() {
		lesson.Workloads = append(lesson.Workloads, w.Name())
		lesson.Decisions = append(lesson.Decisions, m.Decisions(w.Object))
	}
	for i, seq := range story {
		next := int64(0)
		if i+1 < len(story) {
			next = story[i+1]
		}
		lesson.Beats = append(lesson.Beats, m.beat(seq, next))
	}
	lesson.Sums, lesson.maker = m.sums, m
	lesson.Localize(nil)
	return lesson, nil
}

func newMaker(rec *recording.Recording) *maker {
	m := &maker{Scenes: scene.New(rec), summed: map[sumKey]int{}, indexes: map[trace.Object]int{}}
	m.programs = m.Foremost(mostPrograms, m.Focused()...)
	m.cast = newCast(m.Scenes)
	return m
}

// beat describes a record of the story.
func (m *maker) beat(seq, next int64) beat {
	record, row := m.Rec.Record(seq), m.Rec.Row(seq)
	b := beat{
		Seq: seq, At: seconds(record.At), Length: m.Film.Beat(seq, next).Milliseconds(), Kind: string(record.Kind), Actor: row.Actor,
		Verb: row.Verb, Object: row.Object, Detail: row.Detail, Result: row.Outcome, Failed: trace.IsError(record),
		Ask: record.Ask, Answer: record.Answer,
	}
	if record.Sync != nil {
		b.End = m.Rec.SyncEnd(seq)
	}
	if record.Sync != nil && b.Detail != "" {
		b.Detail = "because " + b.Detail
	}
	if m.Film.Decides(seq) {
		b.Kind = "decision"
	}
	if record.Note != nil {
		b.Note = record.Note.Text
	}
	if record.Note != nil || record.Ask != nil || record.Answer != nil {
		b.Object, b.Detail = "", ""
	}
	for _, w := range scene.Writes(record) {
		b.Writes = append(b.Writes, w.String())
	}
	m.direct(&b)
	at := m.At(seq, record.At)
	view := m.cast.At(at)
	b.Moves, b.Lit = m.cast.moves(view), m.cast.lit(view)
	b.Attempt = view.Attempt
	if view.Caption.Text != "" {
		b.Caption = &view.Caption
	}
	state := m.state(at)
	m.cast.parts(view, state)
	b.State = changed(m.last, state)
	if !m.brief {
		m.store(at, b.State)
	}
	m.last = state
	if record.Ask != nil {
		at.Asked = true
		asked := m.state(at)
		m.cast.parts(m.cast.At(at), asked)
		b.Asked = changed(state, asked)
	}
	return b
}

// direct adds a new direction of the scenario to the first beat after it.
func (m *maker) direct(b *beat) {
	d := m.Direction(b.Seq)
	if d.Seq == m.shown {
		return
	}
	m.shown = d.Seq
	if d.View != nil {
		b.View = d.View.Word
	}
	b.Works = d.Workloads
	for _, o := range d.Objects {
		if i, ok := m.indexes[o]; ok {
			b.Focus = append(b.Focus, i)
		}
	}
}

// state is what is to be seen at a beat, in parts that rarely change together.
func (m *maker) state(at *scene.Beat) map[string]any {
	if m.brief {
		state := map[string]any{}
		m.rollouts(at, state)
		return state
	}
	state := map[string]any{"loop": at.Loop()}
	for i, q := range at.Queues() {
		state[fmt.Sprint("queue", i)] = q
	}
	for i, c := range at.Caches() {
		state[fmt.Sprint("cache", i)] = c
	}
	for i, p := range at.Programs(m.programs) {
		state[fmt.Sprint("program", i)] = p
	}
	m.rollouts(at, state)
	workloads := m.Rec.Workloads()
	for i, w := range workloads {
		state[fmt.Sprint("sum", i)] = m.sum(at.Sum(w))
	}
	if len(workloads) == 0 {
		state["sum0"] = m.sum(at.Sum(nil))
	}
	return state
}

// rollouts adds those of all workloads to the parts of a state.
func (m *maker) rollouts(at *scene.Beat, state map[string]any) {
	for i, w := range m.Rec.Workloads() {
		state[fmt.Sprint("rollout", i)] = at.Rollout(w)
		state[fmt.Sprint("now", i)] = at.Said(w)
	}
}

// sumKey tells sums apart. One sync has two titles if two workloads are shown.
type sumKey struct {
	seq           int64
	title, hidden string
}

// sum is the index of a sum in the page, which has each once.
func (m *maker) sum(s *scene.Sum) int {
	key := sumKey{s.Seq, s.Title, s.Hidden}
	i, known := m.summed[key]
	if !known {
		i = len(m.sums)
		m.sums, m.summed[key] = append(m.sums, s), i
	}
	return i
}

// changed are the parts that differ from those before; nil is one that is gone.
func changed(before, state map[string]any) map[string]any {
	parts := map[string]any{}
	for name, part := range state {
		if old, ok := before[name]; !ok || !reflect.DeepEqual(old, part) {
			parts[name] = part
		}
	}
	for name := range before {
		if _, ok := state[name]; !ok {
			parts[name] = nil
		}
	}
	return parts
}

// outcome is what came of a workload in a whole run, as recording.Outcome.
type outcome struct {
	// Ends is in seconds of virtual time.
	Ends float64 `json:"ends"`
	// Least is null if the workload was never available as a whole.
	Least *int `json:"least"`
	Most  int  `json:"most"`
}

// outcomeOf sums up the run for a workload with so many replicas; nil if it never had a Pod.
func outcomeOf(w *recording.Workload, replicas int) *outcome {
	o, ok := w.Outcome(replicas)
	if !ok {
		return nil
	}
	out := &outcome{Ends: seconds(o.Ends), Most: o.Most}
	if o.Full {
		out.Least = &o.Least
	}
	return out
}

// seconds is a virtual time with the six digits that tell records apart.
func seconds(d time.Duration) float64 { return d.Round(time.Microsecond).Seconds() }

// Length is how long the film takes at normal pace, without the time to read and to answer.
func (l *Lesson) Length() time.Duration {
	var ms int64
	for _, b := range l.Beats {
		ms += b.Length
	}
	return time.Duration(ms) * time.Millisecond
}
