package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// groups draws the Pods: those of ReplicaSets as a table, those with places of their own at their places, and others in a row.
func (p rollout) groups() []string {
	if len(p.Groups) == 0 {
		return []string{p.Theme.Dim.Render("no ReplicaSet yet")}
	}
	switch g := &p.Groups[0]; {
	case g.Name != "":
		return p.replicaSets()
	case g.Place == "index":
		return append(p.row("indexes", g.Pods), p.timer()...)
	case g.Place != "":
		return p.places(g)
	default:
		return append(p.row("pods", g.Pods), p.timer()...)
	}
}

func (p rollout) replicaSets() []string {
	name := min(24, max(12, p.Width-54))
	image := 12
	if p.Width < 70 {
		image = 7
	}
	line := func(mark, a, rev, img, spec, pods, ready, avail, rest string) string {
		text := mark + frame.Fit(frame.Middle(a, name), name) + " " + frame.Right(rev, 3) + " "
		if p.Width < 60 {
			return text + frame.Right(spec, 4) + frame.Right(ready, 6) + "  " + rest
		}
		return text + frame.Fit(img, image) + frame.Right(spec, 5) + frame.Right(pods, 5) + frame.Right(ready, 6) +
			frame.Right(avail, 6) + "  " + rest
	}
	lines := []string{p.Theme.Dim.Render(line("  ", "ReplicaSet", "rev", "image", "spec", "pods", "ready", "avail", ""))}
	used, most := frame.Width(lines[0]), 0
	for i := range p.Groups {
		most = max(most, len(p.Groups[i].Pods))
	}
	for i := range p.Groups {
		g := &p.Groups[i]
		mark := "  "
		if p.Row == i+1 {
			mark = p.Theme.Now.Render("▸ ")
		}
		lines = append(lines, line(mark, g.Name, g.Revision, shortImage(g.Image, image), count(g.Spec), count(g.Actual),
			count(g.Ready), count(g.Available), p.pods(g.Pods, most, p.Width-used)))
	}
	if p.Older > 0 {
		lines = append(lines, p.Theme.Dim.Render(fmt.Sprintf("  and %d older ones with 0 Pods", p.Older)))
	}
	return lines
}

func count(n int) string { return strconv.Itoa(n) }

// shortImage leaves out the registry of an image when it does not fit.
func shortImage(image string, width int) string {
	if frame.Width(image) > width {
		image = image[strings.LastIndexByte(image, '/')+1:]
	}
	return frame.Middle(image, width)
}

// pods draws one glyph for each Pod, or counts them when there are too many. most is the length of the longest of the rows that are
// below each other: with the same distances, as many Pods are as long.
func (p rollout) pods(pods scene.Pods, most, width int) string {
	var b strings.Builder
	if most <= width {
		space := ""
		if 2*most <= width {
			space = " "
		}
		for _, phase := range pods {
			b.WriteString(p.Glyph(phase) + space)
		}
		return b.String()
	}
	counts := map[recording.Phase]int{}
	for _, phase := range pods {
		counts[phase]++
	}
	for _, phase := range p.Seen {
		if counts[phase] > 0 {
			b.WriteString(p.Glyph(phase) + "x" + strconv.Itoa(counts[phase]) + " ")
		}
	}
	return b.String()
}

func (p rollout) row(label string, pods scene.Pods) []string {
	return []string{frame.Fit(label, rulerLabel) + p.pods(pods, len(pods), p.Width-rulerLabel)}
}

// places draws Pods where they belong: a StatefulSet's at their ordinals, a DaemonSet's on their nodes.
func (p rollout) places(g *scene.Group) []string {
	each := 4
	for _, place := range g.Places {
		each = max(each, frame.Width(place)+1)
	}
	if len(g.Pods) > (p.Width-rulerLabel)/each {
		return p.row("pods", g.Pods)
	}
	places, pods, revisions := frame.Fit(g.Place, rulerLabel), frame.Fit("pod", rulerLabel), frame.Fit("revision", rulerLabel)
	for i, phase := range g.Pods {
		places += frame.Fit(g.Places[i], each)
		pods += p.Glyph(phase) + strings.Repeat(" ", each-1)
		if len(g.Ages) > 0 {
			revisions += frame.Fit(g.Ages[i], each)
		}
	}
	lines := []string{p.Theme.Dim.Render(places), pods}
	if len(g.Ages) > 0 {
		lines = append(lines, revisions)
	}
	if g.Partition > 0 {
		// Below the partition the old revision stays.
		kept, word := max(g.Partition*each-1, 0), "kept"
		if kept < len(word) {
			word = ""
		}
		lines = append(lines, p.Theme.Dim.Render(frame.Fit("partition", rulerLabel)+frame.Fit(word, kept)+"┃ updated"))
	}
	return lines
}

// timer says when a Job is synced again.
func (p rollout) timer() []string {
	if p.Timer == "" {
		return nil
	}
	return []string{frame.Fit("timer", rulerLabel) + p.Theme.Pending.Render(p.Timer)}
}
