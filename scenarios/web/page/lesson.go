package page

import (
	"fmt"
	"reflect"
	"time"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/components"
	"github.com/kubestep/kubestep/scenarios/reading/why"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/recording/film"
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
	// Command is what gives the same recording on another machine, empty for a trace.
	Command string `json:"command,omitempty"`
	// Next is the file of the page of the next lesson, and NextTitle its title; empty if there is none.
	Next      string `json:"next,omitempty"`
	NextTitle string `json:"nextTitle,omitempty"`
	// Class is the part of the reader in a class, Student or Presenter; empty for a page that is read alone.
	Class string `json:"class,omitempty"`
	// Cut says why the recording is incomplete.
	Cut string `json:"cut,omitempty"`
	// Tabs are those of the page (view.Tabs). One for workloads is left out where there are none.
	Tabs      []view.Tab `json:"tabs"`
	Lanes     []laneName `json:"lanes"`
	Workloads []string   `json:"workloads"`
	// Outcomes are what came of the workloads in the whole run; null for one that never had a Pod.
	Outcomes []*outcome  `json:"outcomes"`
	Beats    []beat      `json:"beats"`
	Phases   []phaseName `json:"phases"`
	// Terms are those of the glossary that the texts of the page use.
	Terms []term `json:"terms,omitempty"`
}

// laneName is a component: the lane of the stage that shows it.
type laneName struct {
	Name string `json:"name"`
	Role string `json:"role"`
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
	// View and Works are directions of the scenario from here on: the view, and the workloads in it by their indexes.
	View  string `json:"view,omitempty"`
	Works []int  `json:"works,omitempty"`
	// State has the parts of the state that differ from those after the beat before.
	State map[string]any `json:"state,omitempty"`
}

// Question is a question of a lesson, as a class answers it.
type Question struct {
	// Step names it in votes. Choices are empty if any text is an answer.
	Step    int
	Choices []string
	// Asked is the index of the beat that asks.
	Asked int
}

// Questions lists the questions of the lesson, in their order.
func (l *Lesson) Questions() (questions []Question) {
	for i := range l.Beats {
		if ask := l.Beats[i].Ask; ask != nil {
			questions = append(questions, Question{Step: ask.Step, Choices: ask.Choices, Asked: i})
		}
	}
	return questions
}

// maker computes the beats of a recording.
type maker struct {
	rec     *recording.Recording
	history *why.History
	parts   *components.Components
	film    *film.Film
	lanes   []*components.Component
	last    map[string]any
	// shown is the direction of the scenario that the last beat followed.
	shown int64
}

// mostLanes is how many components the stage shows.
const mostLanes = 9

// New computes the page of a recording. Errors say why there can be none.
func New(rec *recording.Recording) (*Lesson, error) {
	history := why.New(rec)
	m := &maker{
		rec: rec, history: history, parts: components.New(history), film: film.New(rec),
		last: map[string]any{},
	}
	var named []string
	for _, seq := range rec.Marks().Shows {
		named = append(named, rec.Record(seq).Show.Focus...)
	}
	m.lanes = m.parts.Foremost(mostLanes, named...)
	lesson := &Lesson{
		Name: rec.Name, Title: rec.Title, Seed: rec.Seed, Hash: rec.Hash, Cut: rec.Cut, Phases: phases(), Workloads: []string{},
		Outcomes: []*outcome{}, Tabs: view.Tabs, Lanes: []laneName{}, Beats: []beat{},
	}
	for _, lane := range m.lanes {
		lesson.Lanes = append(lesson.Lanes, laneName{lane.Name, roles[lane.Role]})
	}
	for _, w := range rec.Workloads() {
		lesson.Workloads = append(lesson.Workloads, w.Name())
		lesson.Outcomes = append(lesson.Outcomes, outcomeOf(w, w.At(rec.Len(), rec.At(rec.Len())).Replicas))
	}
	story := rec.Marks().Story
	if len(story) == 0 {
		return nil, fmt.Errorf("%s has nothing to show: no record says what happened", rec.Name)
	}
	if len(story) > MaxBeats {
		return nil, fmt.Errorf("%s has %d records to show; a page has at most %d", rec.Name, len(story), MaxBeats)
	}
	for i, seq := range story {
		next := int64(0)
		if i+1 < len(story) {
			next = story[i+1]
		}
		lesson.Beats = append(lesson.Beats, m.beat(seq, next))
	}
	lesson.Terms = termsOf(lesson)
	return lesson, nil
}

// roles are the words for the roles of components.
var roles = map[components.Role]string{
	components.Client: "client", components.Process: "process", components.Controller: "controller",
	components.Scheduler: "scheduler", components.Kubelet: "kubelet", components.Other: "other",
}

// beat describes a record of the story.
func (m *maker) beat(seq, next int64) beat {
	record, row := m.rec.Record(seq), m.rec.Row(seq)
	b := beat{
		Seq: seq, At: seconds(record.At), Length: m.film.Beat(seq, next).Milliseconds(), Kind: string(record.Kind), Actor: row.Actor,
		Verb: row.Verb, Object: row.Object, Detail: row.Detail, Result: row.Outcome, Failed: recording.IsError(record),
		Ask: record.Ask, Answer: record.Answer,
	}
	if record.Sync != nil {
		b.End = m.rec.SyncEnd(seq)
	}
	if record.Sync != nil && b.Detail != "" {
		b.Detail = "because " + b.Detail
	}
	if m.film.Decides(seq) {
		b.Kind = "decision"
	}
	if record.Note != nil {
		b.Note = record.Note.Text
	}
	if record.Note != nil || record.Ask != nil || record.Answer != nil {
		b.Object, b.Detail = "", ""
	}
	if record.Request != nil {
		for _, w := range record.Request.Writes {
			text := fmt.Sprintf("rv %d %s", w.RV, components.Short(w.Object))
			if w.Op == trace.OpDelete {
				text += " deleted"
			}
			b.Writes = append(b.Writes, text)
		}
	}
	m.direct(&b)
	b.State = m.changed(m.state(seq))
	return b
}

// direct adds a new direction of the scenario to the first beat after it.
func (m *maker) direct(b *beat) {
	seq := recording.Latest(m.rec.Marks().Shows, b.Seq)
	if seq == m.shown {
		return
	}
	m.shown = seq
	show := m.rec.Record(seq).Show
	if shown := view.Named(show.View); shown != nil {
		b.View = shown.Tab
	}
	for _, name := range show.Focus {
		if i := m.rec.WorkloadNamed(name); i >= 0 {
			b.Works = append(b.Works, i)
		}
	}
}

// state is the state after a record, in parts that rarely change together.
func (m *maker) state(seq int64) map[string]any {
	at := m.rec.At(seq)
	instant := m.history.At(seq, at)
	state := map[string]any{"nodes": m.nodes(seq, at), "sum": m.sum(seq, instant)}
	for i, s := range m.parts.At(seq, at, m.lanes) {
		state[fmt.Sprint("lane", i)] = laneOf(s)
	}
	for i, w := range m.rec.Workloads() {
		state[fmt.Sprint("work", i)] = workloadOf(w, w.At(seq, at))
		state[fmt.Sprint("now", i)] = instant.Now(w.Object)
	}
	return state
}

// changed are the parts that differ from those of the last call.
func (m *maker) changed(state map[string]any) map[string]any {
	changed := map[string]any{}
	for name, part := range state {
		if before, ok := m.last[name]; !ok || !reflect.DeepEqual(before, part) {
			changed[name] = part
		}
	}
	m.last = state
	return changed
}

// nodes are the nodes with their Pods, each Pod a letter.
func (m *maker) nodes(seq int64, at time.Duration) [][2]string {
	nodes := [][2]string{}
	for _, node := range m.rec.NodesAt(seq, at) {
		nodes = append(nodes, [2]string{node.Name, letters(node.Pods)})
	}
	return nodes
}

// sum is the arithmetic of the sync that a record belongs to, or of the last one that is explained. That of a sync which a question
// interrupts comes after the question.
func (m *maker) sum(seq int64, instant *why.Instant) any {
	start := m.rec.SyncOf(seq)
	if start == 0 || instant.Interrupted(start) {
		return m.last["sum"]
	}
	var e *arithmetic.Explanation
	if sync := m.rec.Sync(start); !sync.Stale {
		e = m.history.Explained(start)
	}
	if e == nil {
		return m.last["sum"]
	}
	return sumOf(e)
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
