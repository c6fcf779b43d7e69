package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// groups draws the Pods, in the way of the workload's kind.
func (p rollout) groups(w *recording.Workload, s recording.State) []string {
	switch w.Kind {
	case "Deployment", "ReplicaSet":
		return p.replicaSets(s)
	case "Job":
		return p.job(s)
	case "StatefulSet":
		return p.places("ordinal", s)
	}
	return p.places("node", s)
}

// keptOld is how many ReplicaSets without Pods are listed; a Deployment keeps ten of them.
const keptOld = 2

// shown leaves out old ReplicaSets that have nothing.
func shown(groups []recording.Group) []recording.Group {
	var out []recording.Group
	empty := 0
	for _, g := range groups {
		if !g.New && g.Spec == 0 && g.Actual == 0 && len(g.Cells) == 0 {
			if empty++; empty > keptOld {
				continue
			}
		}
		out = append(out, g)
	}
	return out
}

func (p rollout) replicaSets(s recording.State) []string {
	if len(s.Groups) == 0 {
		return []string{p.Theme.Dim.Render("no ReplicaSet yet")}
	}
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
	for _, g := range s.Groups {
		most = max(most, len(g.Cells))
	}
	for i, g := range shown(s.Groups) {
		mark := "  "
		if p.Row == i+1 {
			mark = p.Theme.Now.Render("▸ ")
		}
		lines = append(lines, line(mark, g.Object.Name, g.Revision, shortImage(g.Image, image), count(g.Spec), count(g.Actual),
			count(g.Ready), count(g.Available), p.cells(g.Cells, most, p.Width-used)))
	}
	if hidden := len(s.Groups) - len(shown(s.Groups)); hidden > 0 {
		lines = append(lines, p.Theme.Dim.Render(fmt.Sprintf("  and %d older ones with 0 Pods", hidden)))
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

// cells draws one glyph for each Pod, or counts them when there are too many. most is the length of the longest of the rows that are
// below each other: with the same distances, as many Pods are as long.
func (p rollout) cells(cells []recording.Cell, most, width int) string {
	var b strings.Builder
	if most <= width {
		space := ""
		if 2*most <= width {
			space = " "
		}
		for _, c := range cells {
			b.WriteString(p.Glyph(c.Phase) + space)
		}
		return b.String()
	}
	counts := map[recording.Phase]int{}
	for _, c := range cells {
		counts[c.Phase]++
	}
	for phase := recording.Pending; phase <= recording.Succeeded; phase++ {
		if counts[phase] > 0 {
			b.WriteString(p.Glyph(phase) + "x" + strconv.Itoa(counts[phase]) + " ")
		}
	}
	return b.String()
}

func (p rollout) row(label string, cells []recording.Cell) []string {
	return []string{frame.Fit(label, rulerLabel) + p.cells(cells, len(cells), p.Width-rulerLabel)}
}

// places draws Pods where they belong: a StatefulSet's at their ordinals, a DaemonSet's on their nodes.
func (p rollout) places(label string, s recording.State) []string {
	cells := s.Groups[0].Cells
	each, mixed := 4, false
	for _, c := range cells {
		each = max(each, frame.Width(c.Place)+1)
		mixed = mixed || c.Phase != recording.Absent && !c.New
	}
	if len(cells) > (p.Width-rulerLabel)/each {
		return p.row("pods", cells)
	}
	places, pods, revisions := frame.Fit(label, rulerLabel), frame.Fit("pod", rulerLabel), frame.Fit("revision", rulerLabel)
	for _, c := range cells {
		places += frame.Fit(c.Place, each)
		pods += p.Glyph(c.Phase) + strings.Repeat(" ", each-1)
		revisions += frame.Fit(age(c), each)
	}
	lines := []string{p.Theme.Dim.Render(places), pods}
	if mixed {
		lines = append(lines, revisions)
	}
	if s.Partition > 0 {
		// Below the partition the old revision stays.
		kept, word := max(s.Partition*each-1, 0), "kept"
		if kept < len(word) {
			word = ""
		}
		lines = append(lines, p.Theme.Dim.Render(frame.Fit("partition", rulerLabel)+frame.Fit(word, kept)+"┃ updated"))
	}
	return lines
}

func age(c recording.Cell) string {
	switch {
	case c.Phase == recording.Absent:
		return "-"
	case c.New:
		return "new"
	}
	return "old"
}

// job draws what decides whether a Job continues, and its Pods or indexes.
func (p rollout) job(s recording.State) []string {
	c, t := s.Job, p.Theme
	var lines []string
	if c.Completions > 0 {
		lines = append(lines, p.gauge("succeeded", c.Succeeded, c.Completions, t.Ready, "completions"))
	} else {
		lines = append(lines, frame.Fit("succeeded", rulerLabel)+strconv.Itoa(c.Succeeded))
	}
	lines = append(lines,
		p.gauge("active", c.Active, c.Parallelism, t.Now, "parallelism"),
		p.gauge("failed", c.Failed, c.BackoffLimit, t.Failed, "backoffLimit"), "")
	label := "pods"
	if c.Indexed {
		label = "indexes"
	}
	lines = append(lines, p.row(label, s.Groups[0].Cells)...)
	if wait := c.Due - p.Now; c.Due > 0 && wait >= 0 {
		lines = append(lines, frame.Fit("timer", rulerLabel)+t.Pending.Render("the controller syncs again in "+recording.Short(wait)))
	}
	return lines
}

// gauge draws a count against its limit.
func (p rollout) gauge(label string, n, limit int, style lipgloss.Style, name string) string {
	text := fmt.Sprintf("%d of %d %s", n, limit, name)
	cells := max(p.Width-rulerLabel-26, 8)
	each := max(min(cells/max(limit, n, 1), 4), 1)
	full, whole := min(n*each, cells), min(limit*each, cells)
	bar := style.Render(strings.Repeat("█", min(full, whole))) + strings.Repeat("░", max(whole-full, 0)) + p.Theme.Now.Render("┃") +
		style.Render(strings.Repeat("█", max(full-whole, 0)))
	return frame.Ends(frame.Fit(label, rulerLabel)+bar, text, p.Width)
}
