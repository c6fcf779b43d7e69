package stage_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/datadriven"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/command/commandtest"
)

func TestMain(m *testing.M) { commandtest.Main(m) }

// TestStage runs the scripts of testdata: the cluster of shipped scenarios as things.
//
//	run      records the scenario that is named
//	stage    the cluster at=TIME
//	captions the sentences of the records that are shown, from=TIME to=TIME
func TestStage(t *testing.T) {
	datadriven.Walk(t, "testdata", func(t *testing.T, path string) {
		var scenes *scene.Scenes
		var cast *stage.Cast
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "run":
				name := strings.TrimSpace(d.Input)
				rec, err := child.Run{File: name}.Record(t.Context(), recording.Origin{Name: name}, nil)
				if err != nil {
					t.Fatal(err)
				}
				scenes = scene.New(rec)
				cast = stage.New(scenes)
				return ""
			case "stage":
				now := timeOf(t, d, "at")
				return drawn(cast.At(scenes.At(scenes.Rec.Find(now), now)))
			case "captions":
				from, to := timeOf(t, d, "from"), timeOf(t, d, "to")
				var lines []string
				for _, seq := range scenes.Rec.Marks().Story {
					if at := scenes.Rec.At(seq); at >= from && at <= to {
						view := cast.At(scenes.At(seq, at))
						lines = append(lines, view.Caption.Text)
						if view.Caption.Why != "" {
							lines = append(lines, "    "+view.Caption.Why)
						}
					}
				}
				return strings.Join(lines, "\n")
			}
			d.Fatalf(t, "unknown command %s", d.Cmd)
			return ""
		})
	})
}

func timeOf(t *testing.T, d *datadriven.TestData, arg string) time.Duration {
	t.Helper()
	text := ""
	d.ScanArgs(t, arg, &text)
	at, err := time.ParseDuration(text)
	if err != nil {
		d.Fatalf(t, "%v", err)
	}
	return at
}

// drawn is the stage as text: what a drawing of it has to show.
func drawn(s *stage.Stage) string {
	var b strings.Builder
	for i := range s.Programs {
		p := &s.Programs[i]
		fmt.Fprintf(&b, "program %s %s", p.Mark, p.Name)
		for _, chip := range p.Queue {
			fmt.Fprintf(&b, " [%s %s %s]", chip.Key, chip.State, chip.When)
		}
		fmt.Fprintf(&b, " %s\n", strings.Join([]string{p.About, p.Cache, p.Decided}, " | "))
	}
	depth := map[int]int{-1: -1}
	for i := range s.Objects {
		o := &s.Objects[i]
		lit := " "
		if o.Lit {
			lit = "*"
		}
		depth[i] = depth[o.Owner] + 1
		fmt.Fprintf(&b, "%s %s%s: %s", lit, strings.Repeat("  ", depth[i]), o.Member, o.Says)
		if o.IsPod() {
			fmt.Fprintf(&b, " %s (%s) on %q", o.Phase.Mark(), o.Phase.Word(), o.Node)
		}
		b.WriteString("\n")
	}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		fmt.Fprintf(&b, "node %s %s %s %v:", n.Name, n.Zone, n.State, n.Taints)
		for _, pod := range n.Pods {
			fmt.Fprintf(&b, " %s", s.Objects[pod].Name)
		}
		for _, m := range n.Meters {
			fmt.Fprintf(&b, " (%s %s, %d %%)", m.Resource, m.Words, m.Share)
		}
		b.WriteString("\n")
	}
	for _, m := range s.Moves {
		fmt.Fprintf(&b, "move %s%s %s %s %s: %s\n", m.Actor, m.Node, m.Way, m.End, m.Object.Name, m.Label)
	}
	fmt.Fprintf(&b, "%s\n    %s", s.Caption.Text, s.Caption.Why)
	return b.String()
}
