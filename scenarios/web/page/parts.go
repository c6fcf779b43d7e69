package page

import (
	"strings"

	"github.com/kubestep/kubestep/controllers/explain/arithmetic"
	"github.com/kubestep/kubestep/scenarios/reading/components"
	"github.com/kubestep/kubestep/sim/recording"
)

// lane is what the stage shows of a component.
type lane struct {
	// Process is the state of its process: runs, dead, paused, standby, leader; About says more in words.
	Process string   `json:"process,omitempty"`
	About   string   `json:"about,omitempty"`
	Message *message `json:"message,omitempty"`
	// Queue and Cache say what a controller has to do and what it does not know yet. Stale means that Cache is behind.
	Queue string `json:"queue,omitempty"`
	Cache string `json:"cache,omitempty"`
	Stale bool   `json:"stale,omitempty"`
	// Decided is what its last sync decided.
	Decided string `json:"decided,omitempty"`
}

// message is a request or a watch event.
type message struct {
	Seq     int64  `json:"seq"`
	Text    string `json:"text"`
	Detail  string `json:"detail,omitempty"`
	Watch   bool   `json:"watch,omitempty"`
	Refused bool   `json:"refused,omitempty"`
	Held    bool   `json:"held,omitempty"`
	Current bool   `json:"current,omitempty"`
}

// laneOf describes a component.
func laneOf(s components.State) lane {
	l := lane{}
	if s.Syncs || s.Role == components.Process {
		l.Process = string(s.Process.State)
	}
	l.About = s.About(components.Absolute)
	if m := s.Message; m != nil {
		l.Message = &message{m.Seq, m.Text, "", m.Watch, m.Refused, m.Held, m.Current}
		if m.Current || m.Refused || m.Held {
			l.Message.Detail = m.Detail
		}
	}
	if s.Syncs {
		l.Queue = s.Queue(components.Absolute)
		l.Cache, l.Stale = s.Cache(components.Absolute)
		if s.Synced != "" {
			l.Decided = s.Synced + ": " + s.Verdict
		}
	}
	return l
}

// workload is a workload at a time; nil if it does not exist.
type workload struct {
	About     string     `json:"about"`
	Replicas  int        `json:"replicas"`
	Least     int        `json:"least,omitempty"`
	Most      int        `json:"most,omitempty"`
	Bounded   bool       `json:"bounded,omitempty"`
	Pods      int        `json:"pods"`
	Available int        `json:"available"`
	Updated   int        `json:"updated"`
	Groups    []group    `json:"groups"`
	States    [][]string `json:"conditions,omitempty"`
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

// group is a ReplicaSet, or all Pods of a workload without one.
type group struct {
	Name  string `json:"name"`
	Image string `json:"image,omitempty"`
	Spec  int    `json:"spec"`
	Ready int    `json:"ready"`
	New   bool   `json:"new,omitempty"`
	// Cells are the Pods, each a letter; Places name them where they have places of their own.
	Cells  string   `json:"cells"`
	Places []string `json:"places,omitempty"`
}

// keptOld is how many old ReplicaSets without Pods are shown.
const keptOld = 2

// workloadOf describes a workload.
func workloadOf(w *recording.Workload, s recording.State) *workload {
	if !s.Exists {
		return nil
	}
	out := &workload{Replicas: s.Replicas, Pods: s.Pods, Available: s.Available, Updated: s.Updated, Groups: []group{}}
	about := append([]string{}, s.Facts...)
	if s.Strategy != "" {
		about = append([]string{s.Strategy}, about...)
	}
	if b := s.Bound; b != nil {
		out.Bounded, out.Least, out.Most = true, b.Least, b.Most
		about = append(about, "maxSurge "+b.Surge, "maxUnavailable "+b.Unavailable)
	}
	if s.Paused {
		about = append(about, "paused")
	}
	out.About = strings.Join(about, " · ")
	empty := 0
	for _, g := range s.Groups {
		if !g.New && g.Spec == 0 && len(g.Cells) == 0 {
			if empty++; empty > keptOld {
				continue
			}
		}
		out.Groups = append(out.Groups, groupOf(w, g))
	}
	for _, c := range s.Conditions {
		out.States = append(out.States, []string{c.Type, c.Status, c.Reason})
	}
	return out
}

func groupOf(w *recording.Workload, g recording.Group) group {
	out := group{Name: g.Object.Name, Image: g.Image, Spec: g.Spec, Ready: g.Ready, New: g.New}
	var cells []recording.Phase
	for _, c := range g.Cells {
		cells = append(cells, c.Phase)
		if c.Place != "" {
			out.Places = append(out.Places, c.Place)
		}
	}
	out.Cells = letters(cells)
	if len(out.Places) != len(g.Cells) {
		out.Places = nil
	}
	return out
}

// phaseName is how a phase of a Pod is written: as a letter in the data, as a glyph and in words on the page.
type phaseName struct {
	Letter string `json:"letter"`
	Glyph  string `json:"glyph"`
	Word   string `json:"word"`
}

// phaseLetters are the letters of the phases, from recording.Absent on.
const phaseLetters = "npryatfs"

// phases are all phases, in their order.
func phases() []phaseName {
	var all []phaseName
	for p := recording.Absent; p <= recording.Succeeded; p++ {
		all = append(all, phaseName{phaseLetters[p : p+1], p.Mark(), p.Word()})
	}
	return all
}

// letters are the phases of Pods.
func letters(of []recording.Phase) string {
	var text strings.Builder
	for _, phase := range of {
		text.WriteByte(phaseLetters[phase])
	}
	return text.String()
}

// sum is the arithmetic of a sync.
type sum struct {
	Seq     int64     `json:"seq"`
	Title   string    `json:"title"`
	Steps   []sumStep `json:"steps"`
	Verdict string    `json:"verdict"`
}

type sumStep struct {
	Title    string      `json:"title"`
	Function string      `json:"function,omitempty"`
	Lines    [][3]string `json:"lines"`
}

func sumOf(e *arithmetic.Explanation) *sum {
	out := &sum{Seq: e.Start, Title: e.Controller + " " + e.Key, Verdict: e.Verdict, Steps: []sumStep{}}
	for _, step := range e.Steps {
		s := sumStep{Title: step.Title, Function: strings.TrimSpace(step.File + " " + step.Function), Lines: [][3]string{}}
		for _, line := range step.Lines {
			s.Lines = append(s.Lines, [3]string{line.Label, line.Formula, line.Value})
		}
		out.Steps = append(out.Steps, s)
	}
	return out
}
