package scene

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
)

// Rollout is a workload with its Pods.
type Rollout struct {
	// Absent says why there is nothing to see; everything else is empty then.
	Absent string `json:"absent,omitempty"`
	// Title names the workload: Deployment web.
	Title string `json:"-"`
	// About is what was asked for, and Behind that the controller has not seen it yet.
	About  []string `json:"about,omitempty"`
	Behind string   `json:"behind,omitempty"`
	// Bounds are the limits of a rolling update in one sentence; empty for another workload.
	Bounds string `json:"-"`
	// Replicas is the wanted number of Pods, Total how many there are without those that terminate, and Available how many of them are.
	Replicas  int `json:"replicas"`
	Total     int `json:"pods"`
	Available int `json:"available"`
	// Limits are those of a rolling update; nil for another workload, and while a question is open.
	Limits *Limits `json:"limits,omitempty"`
	// Posts are the numbers that all bars are compared with. Those of a Job are each compared with a number of its own.
	Posts []Post `json:"posts,omitempty"`
	Bars  []Bar  `json:"bars,omitempty"`
	// Widest is how many Pods the longest bar or the last post has, at least 1.
	Widest int `json:"widest,omitempty"`
	// Groups are the ReplicaSets of a Deployment, or all Pods of another workload. Older is how many old ReplicaSets are left out,
	// which have no Pods.
	Groups []Group `json:"groups,omitempty"`
	Older  int     `json:"older,omitempty"`
	// Seen are the phases of the Pods, each once: what a legend explains.
	Seen Pods `json:"seen,omitempty"`
	// Conditions are those of the status.
	Conditions []Condition `json:"conditions,omitempty"`
	// Timer is when a Job is synced again although nothing changes.
	Timer string `json:"timer,omitempty"`
}

// Limits are those of a rolling update, as they are written and as numbers of Pods.
type Limits struct {
	Surge           string `json:"maxSurge"`
	SurgePods       int    `json:"maxSurgePods"`
	Unavailable     string `json:"maxUnavailable"`
	UnavailablePods int    `json:"maxUnavailablePods"`
}

// Post is a number of Pods that bars are compared with. Word says what it means; it is empty where the bars say it.
type Post struct {
	Pods int    `json:"pods"`
	Word string `json:"word,omitempty"`
}

// Bar is a number of Pods.
type Bar struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	// Bound is what the count is compared with, NoBound if nothing.
	Bound int `json:"bound"`
	// Words are the comparison: 8 ≥ 8 least. Tone is how the bar looks.
	Words string       `json:"words"`
	Tone  palette.Tone `json:"tone"`
}

// NoBound is the Bound of a bar that is compared with nothing.
const NoBound = -1

// Group is a ReplicaSet with its Pods, or all Pods of a workload.
type Group struct {
	Object trace.Object `json:"-"`
	// Name is that of a ReplicaSet; Says is how many Pods it wants and how many are ready.
	Name     string `json:"name,omitempty"`
	Image    string `json:"image,omitempty"`
	Revision string `json:"-"`
	Says     string `json:"says"`
	// New means that it is the revision that is being rolled out.
	New bool `json:"new,omitempty"`
	// Spec is the wanted number of Pods; Actual, Ready and Available are those of the status.
	Spec, Actual, Ready, Available int `json:"-"`
	// Pods are the phases. Where Pods have places of their own, Places has their names, Place says what a place is, and Ages whether the
	// Pods are of the new revision; Ages is empty if all are.
	Pods   Pods     `json:"pods"`
	Place  string   `json:"place,omitempty"`
	Places []string `json:"places,omitempty"`
	Ages   []string `json:"ages,omitempty"`
	// Partition is the first ordinal of a StatefulSet whose Pod is updated.
	Partition int `json:"partition,omitempty"`
}

// Condition is one of a status. Good says that it is as everybody wants it.
type Condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	Reason string `json:"reason,omitempty"`
	Good   bool   `json:"-"`
}

// Pods are phases; in JSON a letter each.
type Pods []recording.Phase

// letters are those of the phases, from recording.Absent on.
const letters = "npryatfs"

// MarshalJSON implements json.Marshaler.
func (p Pods) MarshalJSON() ([]byte, error) {
	var text strings.Builder
	for _, phase := range p {
		text.WriteByte(letters[phase])
	}
	return json.Marshal(text.String())
}

// Phase is how a phase is written: as a letter in JSON, as a glyph and in words on a screen.
type Phase struct {
	Letter string `json:"letter"`
	Glyph  string `json:"glyph"`
	Word   string `json:"word"`
}

// Phases are all phases, in their order.
func Phases() (all []Phase) {
	for p := recording.Absent; p <= recording.Succeeded; p++ {
		all = append(all, Phase{letters[p : p+1], p.Mark(), p.Word()})
	}
	return all
}

// keptOld is how many ReplicaSets without Pods are to be seen; a Deployment keeps ten of them.
const keptOld = 2

// Rollout is a workload.
func (b *Beat) Rollout(w *recording.Workload) *Rollout {
	s := w.At(b.Seq, b.Now)
	r := &Rollout{Title: w.Kind + " " + w.Object.Name, Replicas: s.Replicas, Total: s.Pods, Available: s.Available}
	switch {
	case !s.Exists && b.Seq < w.Born():
		r.Absent = "It does not exist yet."
		return r
	case !s.Exists:
		r.Absent = "It is gone."
		return r
	}
	if b.Asked {
		// The bounds are what many questions ask for.
		s.Bound = hidden(s.Bound)
	}
	r.about(w, &s)
	r.compare(&s)
	old := 0
	for i := range s.Groups {
		g := &s.Groups[i]
		if !g.New && g.Spec == 0 && g.Actual == 0 && len(g.Cells) == 0 {
			if old++; old > keptOld {
				r.Older++
				continue
			}
		}
		r.Groups = append(r.Groups, groupOf(w, &s, g))
	}
	r.Seen = seen(r.Groups)
	for _, c := range s.Conditions {
		r.Conditions = append(r.Conditions, Condition{c.Type, c.Status, c.Reason, c.Status == "True"})
	}
	if s.Job != nil && s.Job.Due > 0 && s.Job.Due >= b.Now && !b.Rec.AsksBefore(s.Job.Due, b.Seq) {
		r.Timer = "the controller syncs again " + b.Times.Due(s.Job.Due)
	}
	return r
}

// hidden keeps of the bounds what was written.
func hidden(b *recording.Bound) *recording.Bound {
	if b == nil {
		return nil
	}
	return &recording.Bound{Least: NoBound, Surge: b.Surge, Unavailable: b.Unavailable}
}

// about says what was asked for.
func (r *Rollout) about(w *recording.Workload, s *recording.State) {
	if s.Strategy != "" {
		r.About = append(r.About, s.Strategy)
	}
	if b := s.Bound; b != nil {
		surge, unavailable := b.Surge, b.Unavailable
		if b.Least != NoBound {
			surge, unavailable = resolved(surge, b.SurgePods), resolved(unavailable, b.UnavailablePods)
			r.Limits = &Limits{b.Surge, b.SurgePods, b.Unavailable, b.UnavailablePods}
			r.Bounds = fmt.Sprintf("at least %d available, at most %d Pods", b.Least, b.Most)
		}
		r.About = append(r.About, "maxSurge "+surge, "maxUnavailable "+unavailable)
	}
	r.About = append(r.About, s.Facts...)
	if s.Paused {
		r.About = append(r.About, "PAUSED")
	}
	if s.Revision != "" && w.Kind != "Deployment" {
		r.About = append(r.About, "revision "+s.Revision)
	}
	if s.Observed != s.Generation && w.Kind != "Job" {
		r.Behind = fmt.Sprintf("generation %d not yet observed", s.Generation)
	}
}

// resolved writes a percentage with what it comes to.
func resolved(written string, pods int) string {
	if written == fmt.Sprint(pods) {
		return written
	}
	return fmt.Sprintf("%s = %d", written, pods)
}

// compare adds the bars, and what they are compared with.
func (r *Rollout) compare(s *recording.State) {
	of := func(name string, count, bound int, tone palette.Tone, what string) {
		words := fmt.Sprintf("%d of %d", count, bound)
		r.Bars = append(r.Bars, Bar{name, count, bound, words + what, tone})
	}
	b := s.Bound
	switch {
	case s.Job != nil:
		c := s.Job
		if c.Completions > 0 {
			of("succeeded", c.Succeeded, c.Completions, palette.Ready, " completions")
		} else {
			r.Bars = append(r.Bars, Bar{"succeeded", c.Succeeded, NoBound, fmt.Sprint(c.Succeeded), palette.Ready})
		}
		of("active", c.Active, c.Parallelism, palette.Now, " parallelism")
		if c.BackoffLimit < math.MaxInt32 {
			of("failed", c.Failed, c.BackoffLimit, palette.Failed, " backoffLimit")
		} else {
			// The default where each index has a limit of its own (pkg/apis/batch/v1/defaults.go).
			r.Bars = append(r.Bars, Bar{"failed", c.Failed, NoBound, fmt.Sprint(c.Failed), palette.Failed})
		}
	case b == nil || b.Least == NoBound:
		r.Posts = []Post{{s.Replicas, "wanted"}}
		of("available", s.Available, s.Replicas, palette.Ready, "")
		of("pods", s.Pods, s.Replicas, palette.Now, "")
		if b != nil {
			of("updated", s.Updated, s.Replicas, palette.Ready, "")
		}
	default:
		r.Posts = []Post{{b.Least, "least"}, {s.Replicas, ""}, {b.Most, "most"}}
		least := Bar{"available", s.Available, b.Least, fmt.Sprintf("%d ≥ %d least", s.Available, b.Least), palette.Ready}
		if s.Available < b.Least {
			least.Words, least.Tone = fmt.Sprintf("%d < %d least", s.Available, b.Least), palette.Pending
		}
		most := Bar{"pods", s.Pods, b.Most, fmt.Sprintf("%d ≤ %d most", s.Pods, b.Most), palette.Now}
		if s.Pods > b.Most {
			most.Words, most.Tone = fmt.Sprintf("%d > %d most", s.Pods, b.Most), palette.Failed
		}
		r.Bars = append(r.Bars, least, most)
		of("updated", s.Updated, s.Replicas, palette.Ready, "")
	}
	r.Widest = 1
	for _, bar := range r.Bars {
		r.Widest = max(r.Widest, bar.Count, bar.Bound)
	}
	for _, post := range r.Posts {
		r.Widest = max(r.Widest, post.Pods)
	}
}

// groupOf is a group with its Pods.
func groupOf(w *recording.Workload, s *recording.State, g *recording.Group) Group {
	out := Group{
		Object: g.Object, Image: g.Image, Revision: g.Revision, New: g.New, Spec: g.Spec, Actual: g.Actual, Ready: g.Ready,
		Available: g.Available, Says: fmt.Sprintf("%d wanted, %d ready in its status", g.Spec, g.Ready), Pods: Pods{},
	}
	if w.Kind == "Deployment" || w.Kind == "ReplicaSet" {
		out.Name = g.Object.Name
	}
	mixed, placed := false, len(g.Cells) > 0
	for _, c := range g.Cells {
		out.Pods = append(out.Pods, c.Phase)
		out.Places, out.Ages = append(out.Places, c.Place), append(out.Ages, age(c))
		mixed, placed = mixed || c.Phase != recording.Absent && !c.New, placed && c.Place != ""
	}
	switch {
	case !placed:
		out.Places, out.Ages = nil, nil
		return out
	case w.Kind == "StatefulSet":
		out.Place, out.Partition = "ordinal", s.Partition
	case w.Kind == "Job":
		out.Place, mixed = "index", false
	default:
		out.Place = "node"
	}
	if !mixed {
		out.Ages = nil
	}
	return out
}

// age says of which revision a Pod is.
func age(c recording.Cell) string {
	switch {
	case c.Phase == recording.Absent:
		return "-"
	case c.New:
		return "new"
	}
	return "old"
}

// seen are the phases of Pods, in their order.
func seen(groups []Group) (phases Pods) {
	for _, g := range groups {
		for _, phase := range g.Pods {
			if phase != recording.Absent && !slices.Contains(phases, phase) {
				phases = append(phases, phase)
			}
		}
	}
	slices.Sort(phases)
	return phases
}

// Said is what is true of a workload now, in one sentence: what its controller decided last, or what keeps it from acting. It is empty
// if there is nothing to say.
func (b *Beat) Said(w *recording.Workload) string {
	if b.Asked {
		return "what the controller decides is part of the question"
	}
	return b.Instant().Now(w.Object)
}
