package scene_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// TestScenes runs the script of testdata: what is to be seen of shipped scenarios.
//
//	run        records the scenario that is named
//	rollout    the first workload at=TIME; asked is what is to be seen while a question is open
//	programs   the components at=TIME
//	queues     the work queues and the caches at=TIME, but for the empty ones
//	objects    the objects in the store at=TIME that have an owner or a note, each with its depth in its family
//	sum        the arithmetic at=TIME
//	decisions  the table of the first workload, until=TIME
//	direction  what the scenario directs the reader to at=TIME
func TestScenes(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var scenes *scene.Scenes
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			if d.Cmd == "run" {
				scenes = scene.New(recorded(t, strings.TrimSpace(d.Input)))
				return ""
			}
			return seen(t, scenes, d)
		})
	})
}

func recorded(t *testing.T, name string) *recording.Recording {
	t.Helper()
	rec, err := child.Run{File: name}.Record(t.Context(), recording.Origin{Name: name}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// seen is a part of the scene at a time.
func seen(t *testing.T, scenes *scene.Scenes, d *datadriven.TestData) string {
	t.Helper()
	at := ""
	d.ScanArgs(t, "at", &at)
	now, err := time.ParseDuration(at)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	beat := scenes.At(scenes.Rec.Find(now), now)
	beat.Asked = d.HasArg("asked")
	w := scenes.Rec.Workloads()[0]
	var lines []string
	add := func(value any) {
		text, err := json.Marshal(value)
		if err != nil {
			d.Fatalf(t, "%v", err)
		}
		lines = append(lines, string(text))
	}
	switch d.Cmd {
	case "rollout":
		add(beat.Rollout(w))
		lines = append(lines, beat.Said(w))
	case "programs":
		for _, p := range beat.Programs(scenes.Components) {
			lines = append(lines, p.Name+":")
			add(p)
		}
	case "queues":
		for _, q := range beat.Queues() {
			if q.Tone != palette.Dim {
				add(q)
			}
		}
		for _, c := range beat.Caches() {
			if c.Behind > 0 {
				add(c)
				lines = append(lines, fmt.Sprintf("  %+v", c.Changes[0]))
			}
		}
	case "objects":
		for _, o := range beat.Objects() {
			family := beat.Family(o.Object)
			i := slices.IndexFunc(family, func(k scene.Object) bool { return k.Object == o.Object })
			if kin := family[i]; kin.Depth > 0 || kin.Note != "" {
				lines = append(lines, fmt.Sprintf("%d %s rv %d, of %s, owns %d; %s",
					kin.Depth, scene.Short(o.Object), o.RV, scene.Short(o.Owner), o.Owned, o.Note))
			}
		}
	case "sum":
		add(beat.Sum(w))
	case "decisions":
		rows, last := scenes.Decisions(w.Object).Until(beat.Seq, beat.Seq)
		for _, row := range rows {
			lines = append(lines, strings.Join(row.Cells, " | "))
		}
		lines = append(lines, fmt.Sprint("last: ", last))
	case "direction":
		direction := scenes.Direction(beat.Seq)
		names := []string{}
		for _, o := range direction.Objects {
			names = append(names, scene.Short(o))
		}
		lines = append(lines, fmt.Sprintf("view %s, programs %v, objects %v, workloads %v",
			direction.View.Word, direction.Programs, names, direction.Workloads))
	default:
		d.Fatalf(t, "unknown command %s", d.Cmd)
	}
	return strings.Join(lines, "\n")
}

// TestPhasesHaveLetters holds that each phase has a letter, a glyph and a word of its own.
func TestPhasesHaveLetters(t *testing.T) {
	phases := scene.Phases()
	for i, p := range phases {
		for _, q := range phases[:i] {
			if p.Letter == q.Letter || p.Word == q.Word || p.Glyph == q.Glyph {
				t.Errorf("%+v and %+v are not told apart", p, q)
			}
		}
	}
	all := scene.Pods{recording.Absent, recording.Succeeded}
	if text, err := json.Marshal(all); err != nil || string(text) != `"ns"` || !slices.Contains(all, recording.Absent) {
		t.Errorf("the phases are written as %s (%v)", text, err)
	}
}
