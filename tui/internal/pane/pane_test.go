package pane_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/tui/command/commandtest"
	"github.com/kubestep/kubestep/tui/internal/pane"
	"github.com/kubestep/kubestep/tui/internal/theme"
	"github.com/kubestep/kubestep/tui/internal/views/facet"
	"github.com/kubestep/kubestep/tui/internal/views/lanes"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// panes are all panes by their names in scripts.
var panes = map[string]pane.Pane{
	"rollout": pane.Rollout{}, "loop": pane.Loop{}, "queues": pane.Queues{}, "objects": pane.Objects{}, "trace": pane.Trace{},
	"branches": pane.Branches{}, "why": pane.Why{}, "math": pane.Math{}, "next": pane.Next{}, "card": pane.Card{},
	"yaml": facet.YAML, "change": facet.LastChange, "owners": facet.Owners, "events": facet.Events, "history": facet.History,
	"stage": pane.Room{}, "scrub": pane.Scrub{}, "components": lanes.Components{}, "large": lanes.Large{},
}

// record runs a scenario whose spec is the text.
func record(t *testing.T, spec string) *recording.Recording {
	t.Helper()
	file := filepath.Join(t.TempDir(), "inline.yaml")
	text := "apiVersion: kubestep.dev/v1alpha1\nkind: Scenario\nmetadata: {name: inline}\nspec:\n  " + spec + "\n"
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	rec, err := child.Run{File: file}.Record(t.Context(), recording.Origin{Name: "inline"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if rec.Error != "" {
		t.Fatal(rec.Error)
	}
	return rec
}

// start is the first moment of a recording, with all records of the story.
func start(rec *recording.Recording) pane.Moment {
	m := pane.NewMoment(scene.New(rec))
	for seq := int64(1); seq <= rec.Len(); seq++ {
		if rec.IsStory(seq) {
			m.Visible = append(m.Visible, seq)
		}
	}
	return m.At(1).Show(0)
}

// script is a recording that a script looks at.
type script struct{ pane.Moment }

// TestPanes runs the scripts of testdata: which moment of which recording is drawn, and how.
//
//	run                                         records the scenario whose spec is the input
//	guarded                                     runs one with the process guard, which serves a webhook
//	branch   parent=N step=TEXT at=TIME         records it as a branch of run N, and looks at it
//	at       time=TIME | step=N | note=N | end  goes to the last record at a time, a step of the scenario, a note,
//	         | first=TEXT                       question or answer, the first record of the story that says so, or the end
//	select   pane=NAME by=N                     moves the selection of a pane
//	object   name=RESOURCE/NAME                 selects an object
//	answer   step=N text=TEXT                   answers a question
//	draw     pane=NAME size=(W,H) scroll=N      draws a pane with its border; phase=N is how far the message of the record is
//	                                            on its way
//
// A script ends each line of a pane with a bar, so that it is seen where the pane ends.
func TestPanes(t *testing.T) {
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var s script
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				s.Moment = start(record(t, d.Input))
				s.Runs = []pane.Run{{Rec: s.Rec, Scenes: s.Scenes, Parent: -1}}
			case "guarded":
				s.Moment = start(guarded(t, d))
			case "branch":
				s.branch(t, d)
			case "at":
				s.at(t, d)
			case "select":
				by := 0
				d.ScanArgs(t, "by", &by)
				s.Moment = named(t, d).(pane.Lister).Select(s.Moment, by)
			case "object":
				name := ""
				d.ScanArgs(t, "name", &name)
				resource, name, _ := strings.Cut(name, "/")
				s.Selected = trace.Object{Resource: resource, Namespace: "default", Name: name}
			case "answer":
				step, text := 0, ""
				d.ScanArgs(t, "step", &step)
				d.MaybeScanArgs(t, "text", &text)
				s.Answers[step] = text
			case "draw":
				return s.draw(t, d, plain)
			default:
				d.Fatalf(t, "unknown command %s", d.Cmd)
			}
			return ""
		})
	})
}

func named(t *testing.T, d *datadriven.TestData) pane.Pane {
	t.Helper()
	name := ""
	d.ScanArgs(t, "pane", &name)
	if panes[name] == nil {
		d.Fatalf(t, "no pane %s", name)
	}
	return panes[name]
}

func (s *script) branch(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	rec := record(t, d.Input)
	run := pane.Run{Rec: rec, Scenes: scene.New(rec)}
	at := ""
	d.ScanArgs(t, "parent", &run.Parent)
	d.ScanArgs(t, "step", &run.Step)
	d.ScanArgs(t, "at", &at)
	var err error
	if run.At, err = time.ParseDuration(at); err != nil {
		d.Fatalf(t, "%v", err)
	}
	runs := append(s.Runs, run)
	s.Moment = start(run.Rec)
	s.Runs, s.Run, s.MarkedRun = runs, len(runs)-1, len(runs)-1
}

func (s *script) at(t *testing.T, d *datadriven.TestData) {
	t.Helper()
	step, note, at, first := -1, -1, "", ""
	d.MaybeScanArgs(t, "first", &first)
	d.MaybeScanArgs(t, "note", &note)
	d.MaybeScanArgs(t, "step", &step)
	d.MaybeScanArgs(t, "time", &at)
	switch {
	case at != "":
		now, err := time.ParseDuration(at)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		s.Moment = s.At(max(recording.Latest(s.Visible, s.Rec.Find(now)), 1))
		s.Now = now
	case step >= 0:
		s.Moment = s.At(s.Rec.Step(step))
	case note >= 0:
		s.Moment = s.At(s.Rec.Marks().Notes[note])
	case first != "":
		i := slices.IndexFunc(s.Visible, func(seq int64) bool {
			row := s.Rec.Row(seq)
			return strings.Contains(strings.Join([]string{row.Actor, row.Verb, row.Object, row.Detail, row.Outcome}, "_"), first)
		})
		s.Moment = s.At(s.Visible[max(i, 0)])
	default:
		s.Moment = s.At(s.Rec.Len())
	}
}

func (s *script) draw(t *testing.T, d *datadriven.TestData, plain *theme.Theme) string {
	t.Helper()
	c := pane.Canvas{Theme: plain}
	d.ScanArgs(t, "size", &c.Width, &c.Height)
	s.Scroll, s.Phase = 0, 0
	d.MaybeScanArgs(t, "scroll", &s.Scroll)
	d.MaybeScanArgs(t, "phase", &s.Phase)
	p := named(t, d)
	if why := pane.Missing(p, s.Moment); why != "" {
		return "missing: " + why + "\n"
	}
	fits(t, d.Pos, p, s.Moment, c)
	return strings.Join(pane.Draw(p, s.Moment, c, ""), "|\n") + "|\n"
}

// fits holds that a pane has the size of its canvas, that its lines fit inside of its border without being cut, and
// that every palette writes the same text as none.
func fits(t *testing.T, where string, p pane.Pane, m pane.Moment, c pane.Canvas) {
	t.Helper()
	drawn := pane.Draw(p, m, c, "")
	for i, line := range drawn {
		if n := ansi.StringWidth(line); n != c.Width || len(drawn) != c.Height {
			t.Errorf("%s: line %d of %d has %d cells on %d x %d", where, i+1, len(drawn), n, c.Width, c.Height)
		}
		if line != ansi.Strip(line) {
			t.Errorf("%s: line %d has colours without a terminal: %q", where, i+1, line)
		}
	}
	for _, palette := range palette.Names {
		for _, dark := range []bool{true, false} {
			colors, err := theme.ForPicture(palette, dark)
			if err != nil {
				t.Fatal(err)
			}
			c.Theme = colors
			got := strings.Join(pane.Draw(p, m, c, ""), "\n")
			if ansi.Strip(got) != strings.Join(drawn, "\n") {
				t.Errorf("%s: the palette %s, dark %v, changes the text", where, palette, dark)
			}
			if name, _ := p.Title(m, colors); name != "" && got == ansi.Strip(got) {
				t.Errorf("%s: the palette %s, dark %v, has no colours", where, palette, dark)
			}
		}
	}
}

// TestEveryPaneFits draws every pane at moments from before the first record to the end, on canvases from none to
// large.
func TestEveryPaneFits(t *testing.T) {
	rec := record(t, deployment)
	plain, err := theme.New("default", "auto")
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range panes {
		for seq := int64(1); seq <= rec.Len(); seq += rec.Len()/7 + 1 {
			m := start(rec).At(seq)
			m.Runs = []pane.Run{{Rec: rec, Scenes: m.Scenes, Parent: -1}, {Rec: rec, Scenes: m.Scenes, Parent: 0, Step: "delete pod/web-1"}}
			if pane.Missing(p, m) != "" {
				continue
			}
			for _, size := range [][2]int{{4, 2}, {20, 5}, {56, 8}, {72, 20}, {130, 50}} {
				c := pane.Canvas{Theme: plain, Width: size[0], Height: size[1]}
				lines := pane.Draw(p, m, c, "")
				if len(lines) != c.Height {
					t.Errorf("%s has %d lines on %d", name, len(lines), c.Height)
				}
				for _, line := range lines {
					if ansi.StringWidth(line) != c.Width {
						t.Errorf("%s has %d cells on %d: %q", name, ansi.StringWidth(line), c.Width, line)
					}
				}
			}
		}
	}
}

// TestAPaneChangesNothing draws every pane twice, and another moment in between.
func TestAPaneChangesNothing(t *testing.T) {
	rec := record(t, deployment)
	colors, err := theme.ForPicture(palette.Names[0], true)
	if err != nil {
		t.Fatal(err)
	}
	c := pane.Canvas{Theme: colors, Width: 80, Height: 20}
	for name, p := range panes {
		m := start(rec).At(rec.Len() / 2)
		m.Runs = []pane.Run{{Rec: rec, Scenes: m.Scenes, Parent: -1}}
		before, first := fmt.Sprint(m), pane.Draw(p, m, c, "")
		later := start(rec).At(rec.Len())
		later.Runs = m.Runs
		_ = pane.Draw(p, later, c, "")
		if again := pane.Draw(p, m, c, ""); strings.Join(again, "\n") != strings.Join(first, "\n") {
			t.Errorf("%s draws the same moment in two ways", name)
		}
		if fmt.Sprint(m) != before {
			t.Errorf("%s changes the moment", name)
		}
	}
}

// deployment is a Deployment of three Pods that gets a new image.
const deployment = `title: Three Pods get a new image
  steps:
  - create: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec:
        replicas: 3
        selector: {matchLabels: {app: web}}
        template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: "web:v1"}]}}
  - wait: {for: rollout deployment/web}
  - set-image: {target: deployment/web, image: "web:v2"}
  - wait: {for: rollout deployment/web}`
