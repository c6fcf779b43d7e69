package tui

import (
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/scenarios/language/view"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/views"
	"github.com/kubestep/kubestep/tui/internal/views/facet"
)

// look is the command that looks inside what is selected on the stage.
const look = "look"

// zoom is the way back from a view that shows the inside of something on the stage.
type zoom struct {
	// into is the view that was opened, from the view in which the reader was, at a moment.
	into, from *views.View
	at         pane.Moment
}

// insides are the views that show the inside of a thing.
func (m *Model) insides(thing touch.Thing) (inside []*view.View) {
	switch {
	case thing.Program != "" && m.viewer.lastSync(thing.Program) != 0:
		return []*view.View{view.Loop, view.Queues}
	case thing.Object != (trace.Object{}):
		return []*view.View{view.Objects}
	}
	return nil
}

// isLook reports whether a line that was typed, or taken from the menu, is the command.
func isLook(line string) bool {
	words := strings.Fields(line)
	return len(words) > 0 && words[0] == look
}

// looks are the commands that look inside a thing.
func (m *Model) looks(thing touch.Thing) (all []candidate) {
	for _, v := range m.insides(thing) {
		all = append(all, candidate{look + " " + v.Word, v.Name + ": " + v.About + "; esc leads back"})
	}
	return all
}

// lookInto shows the inside of what is selected on the stage. It reports whether the view that is shown has such a thing.
func (m *Model) lookInto(word string) bool {
	v := m.viewer
	toucher, is := v.view.Main.(pane.Toucher)
	if !is {
		return false
	}
	thing, ok := toucher.Touch(m.moment())
	inside := m.insides(thing)
	i := slices.IndexFunc(inside, func(of *view.View) bool { return of.Word == word || word == "" })
	if !ok || i < 0 {
		return false
	}
	v.pause()
	back := &zoom{from: v.view, at: v.Moment}
	if inside[i] == view.Loop {
		v.Moment = v.At(v.lastSync(thing.Program))
	}
	v.open(views.Of(inside[i]))
	if thing.Object != (trace.Object{}) {
		v.Selected = thing.Object
		if len(v.Beat().Family(v.Selected)) > 1 {
			v.tab = slices.Index(facet.All, pane.Pane(facet.Owners))
		}
	}
	back.into, v.zoom = v.view, back
	m.status = "esc leads back to the " + strings.ToLower(back.from.Name)
	return true
}

// lastSync is the last sync of a program until now; 0 for none.
func (v *viewer) lastSync(program string) int64 {
	i := slices.IndexFunc(v.Scenes.Components, func(c *scene.Component) bool { return c.Name == program })
	syncs := v.Rec.Marks().Syncs
	for seq := recording.Latest(syncs, v.Seq); i >= 0 && seq != 0; seq = recording.Previous(syncs, seq) {
		if v.Scenes.Components[i].Is(v.Rec.Actor(seq)) {
			return seq
		}
	}
	return 0
}

// zoomOut leads back to where the reader looked inside something. It reports whether the view that is shown does so.
func (v *viewer) zoomOut() bool {
	back := v.zoom
	if back == nil || back.into != v.view {
		return false
	}
	v.view, v.tab, v.Moment, v.zoom = back.from, 0, back.at, nil
	return true
}
