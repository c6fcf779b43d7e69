package tui

import (
	"slices"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/branch/touch"
	"github.com/kubestep/kubestep/tui/internal/pane"
)

// TestAClickSelectsEachThing clicks on every cell of the stage: what the arrow keys select is what clicks select. On a small terminal only
// the program that acts has a line.
func TestAClickSelectsEachThing(t *testing.T) {
	for _, size := range []struct {
		w, h int
		all  bool
	}{{120, 40, true}, {160, 50, true}, {80, 24, false}} {
		s := &screens{}
		s.open(t, &datadriven.TestData{CmdArgs: []datadriven.CmdArg{
			{Key: "rolling-update"}, {Key: "at", Vals: []string{"7.514s"}}, {Key: "stage"},
		}})
		s.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		s.press("p")
		s.press("0")
		v := s.model.viewer
		stage := v.view.Main.(pane.Toucher)
		base := v.Moment
		var clicked, listed []touch.Thing
		note := func(list []touch.Thing, m pane.Moment) []touch.Thing {
			if thing, ok := stage.Touch(m); ok && !slices.Contains(list, thing) {
				list = append(list, thing)
			}
			return list
		}
		// Nothing of the stage has this name.
		base.Program, base.Message = "nothing", 0
		main := s.model.layout().Main
		for y := main.Y; y < main.Y+main.H; y++ {
			for x := range size.w {
				v.Moment = base
				s.send(tea.MouseMsg{X: x, Y: y, Action: tea.MouseActionPress, Button: tea.MouseButtonLeft})
				clicked = note(clicked, v.Moment)
			}
		}
		for at, by := base, -1000; ; by = 1 {
			next := stage.Select(stage.Select(at, 0), by)
			if before := len(listed); by > 0 {
				if listed = note(listed, next); len(listed) == before {
					break
				}
			} else {
				listed = note(listed, next)
			}
			at = next
		}
		missing := slices.DeleteFunc(slices.Clone(listed), func(thing touch.Thing) bool { return slices.Contains(clicked, thing) })
		for _, thing := range missing {
			if size.all || thing.Program == "" {
				t.Errorf("%dx%d: no click selects %+v", size.w, size.h, thing)
			}
		}
		if len(clicked) < 10 || !slices.ContainsFunc(clicked, func(thing touch.Thing) bool { return thing.Message != 0 }) {
			t.Errorf("%dx%d: clicks select %d things: %+v", size.w, size.h, len(clicked), clicked)
		}
	}
}
