// Package lanes draws who talks to whom: a lane for each component of the cluster, with its last request to the API server or its
// last watch event from it, and what a controller knows, has to do, and decided. The lanes have the same places at every record, so
// that the eye learns them.
//
// While a film plays, a message travels: moment.Phase says how far it is. A screen is a function of the record and the phase, so that
// it can be kept as a golden file. Where nothing moves, an arrow and its words say the same.
package lanes

import (
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/frame"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
)

// Components is the pane of the lanes. Where there is room, the rollout of the workload is beside them.
type Components struct{}

// Title implements pane.Pane: each of its parts has a border of its own.
func (Components) Title(pane.Moment, *theme.Theme) (name, detail string) { return "", "" }

// Missing implements pane.Conditional.
func (Components) Missing(m pane.Moment) string {
	if len(m.Scenes.Components) == 0 {
		return "this recording has no components"
	}
	return ""
}

// besideWidth is the width from which on the rollout is beside the lanes, and rolloutPart how much of it the rollout has, in percent.
const besideWidth, rolloutPart = 118, 46

// Render implements pane.Pane.
func (Components) Render(m pane.Moment, c pane.Canvas) []string {
	rollout := pane.Rollout{}
	if c.Width < besideWidth || rollout.Missing(m) != "" {
		return pane.Draw(alone{}, m, c, "")
	}
	left, right := c, c
	right.Width = c.Width * rolloutPart / 100
	left.Width = c.Width - right.Width
	return frame.Beside(pane.Draw(alone{}, m, left, ""), pane.Draw(rollout, m, right, ""))
}

// alone are the lanes without the rollout.
type alone struct{}

// Title implements pane.Pane.
func (alone) Title(_ pane.Moment, t *theme.Theme) (name, detail string) {
	return "Components", t.Dim.Render("  requests go to the API server, watch events come from it")
}

// Render implements pane.Pane.
func (alone) Render(m pane.Moment, c pane.Canvas) []string {
	p := drawing{Moment: m, Canvas: c, name: 24, store: 22}
	switch {
	case c.Width >= 100:
		p.name, p.store = 27, 36
	case c.Width < 58:
		p.name, p.store = 18, 0
	case c.Width < 70:
		p.name, p.store = 24, 11
	}
	return p.lines()
}

// drawing are the components that are being drawn.
type drawing struct {
	pane.Moment
	pane.Canvas
	// name and store are the widths of the first and the last column; store is 0 if there is no room for it.
	name, store int
}

// lines are the lanes of as many components as there is room for, with the API server at their right.
func (p drawing) lines() []string {
	shown := p.shown(len(p.Scenes.Components))
	programs := p.programs(p.Latest(), shown)
	var lines []string
	for _, r := range []room{spacious, roomy, usual, brief} {
		lines = p.lanes(programs, r, make([]int, len(programs)))
		if spare := p.Height - 1 - len(lines); spare >= 0 && (r < roomy || spare >= leastWorkers(programs)) {
			lines = p.lanes(programs, r, p.spread(programs, spare, r))
			break
		}
	}
	return p.withServer(append(lines, p.others(shown)...))
}

// leastWorkers is how many lines the workers of kubelets need before others get more room.
func leastWorkers(programs []scene.Program) (lines int) {
	for i := range programs {
		lines += min(programs[i].Pods, fewWorkers)
	}
	return lines
}

// fewWorkers is how many workers of a kubelet are more important than other lanes, where the scenario directs the reader to the kubelet.
const fewWorkers = 3

// longest is how many more lines than others a decision may have, and mostWorkers how many lines the workers of a kubelet.
const longest, mostWorkers = 2, 6

// spread gives spare lines to the workers of kubelets and, where there is little room, to decisions: of the controllers that the scenario
// directs the reader to, and of kube-scheduler, which names the nodes and what is wrong with each.
func (p drawing) spread(programs []scene.Program, spare int, r room) []int {
	more := make([]int, len(programs))
	named := p.Direction().Programs
	for n := range mostWorkers {
		for i := range programs {
			s := programs[i].Component
			decides := s.Syncs && (slices.Contains(named, s.Name) || s.Name == trace.SchedulerActor)
			if spare > 0 && (n < s.Pods || decides && n < longest && r < roomy) {
				more[i]++
				spare--
			}
		}
	}
	return more
}

// lanes are those of some components, whose decisions may have more lines than others.
func (p drawing) lanes(programs []scene.Program, r room, more []int) (lines []string) {
	for i := range programs {
		lines = append(lines, p.lane(&programs[i], r, more[i])...)
	}
	return lines
}

// acts reports whether the record at the cursor is that of a component.
func (p drawing) acts(s *scene.Program) bool {
	record := p.Rec.Record(p.Seq)
	return record != nil && record.Actor != "" && s.Is(record.Actor)
}

// programs are some components after a record.
func (p drawing) programs(seq int64, of []*scene.Component) []scene.Program {
	return p.BeatAt(seq).Programs(of)
}

// shown are as many components as there is room for, and not more than most.
func (p drawing) shown(most int) []*scene.Component {
	named := p.Direction().Programs
	for ; ; most-- {
		shown := p.Scenes.Foremost(most, named...)
		height := 0
		for _, o := range shown {
			height += briefHeight(o)
			if slices.Contains(named, o.Name) {
				height += min(o.Pods, fewWorkers)
			}
		}
		if height < p.Height || most <= 1 {
			return shown
		}
	}
}

// briefHeight is the number of lines of a lane where there is little room.
func briefHeight(o *scene.Component) int {
	switch {
	case o.Syncs:
		return 4
	case o.Role == scene.Kubelet:
		return 2
	}
	return 1
}

// room is how much room there is. It depends on the size of the screen and the components, not on the record, so that no lane moves.
type room int

// With brief, components that are no controllers have one line. With roomy, decisions have two lines, and with spacious there is an
// empty line between lanes.
const (
	brief room = iota
	usual
	roomy
	spacious
)

// others names the component of the record at the cursor if it has no lane.
func (p drawing) others(shown []*scene.Component) []string {
	record := p.Rec.Record(p.Seq)
	if record == nil || record.Actor == "" {
		return nil
	}
	name, _ := trace.SplitActor(record.Actor)
	for _, o := range p.Scenes.Components {
		if o.Name == name && !slices.Contains(shown, o) {
			return p.lane(&p.programs(p.Seq, []*scene.Component{o})[0], brief, 0)[:1]
		}
	}
	return nil
}
