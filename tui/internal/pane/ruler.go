package pane

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// ruler draws counts of Pods as bars between fenceposts: how many must be available, how many were asked
// for, how many there may be. A post stands behind the Pod that it counts, in all bars at the same place:
//
//	             0       8┃10│  13┃
//	available    ████████┃  │    │
//	pods         ████████┃██│███┃
//
// The bars of a Job have a post each.
type ruler struct {
	drawing
	posts []int
	// most is the longest bar, cells how many cells it may take.
	most, cells int
}

const rulerLabel = 11

// Bars are the counts of the workload that is shown, between their bounds; none if there is nothing to compare.
func Bars(m Moment, c Canvas) []string {
	w := m.workload()
	if w == nil {
		return nil
	}
	r := rollout{drawing: drawing{m, c}, Rollout: m.Beat().Rollout(w)}
	if r.Absent != "" || len(r.Rollout.Bars) == 0 {
		return nil
	}
	lines := r.ruler()
	return lines[:min(len(lines), mainBars)]
}

func (p rollout) ruler() []string {
	r := ruler{drawing: p.drawing, most: p.Widest}
	for _, post := range p.Posts {
		if !slices.Contains(r.posts, post.Pods) {
			r.posts = append(r.posts, post.Pods)
		}
	}
	const room, mostPosts = 20, 3
	r.cells = max(p.Width-rulerLabel-len(r.posts)-room, 8)
	if p.scale > 0 {
		r.most, r.cells = max(r.most, p.scale), max(p.Width-rulerLabel-mostPosts-room, 8)
	}
	var lines []string
	if len(r.posts) > 0 {
		lines = append(lines, r.scale())
	}
	for _, bar := range p.Bars {
		lines = append(lines, r.bar(bar))
	}
	if len(r.posts) == 0 {
		lines = append(lines, "")
	}
	return lines
}

// at is the cell in which a count ends. Up to four cells are one Pod; many Pods share a cell.
func (r *ruler) at(count int) int {
	if each := r.cells / r.most; each >= 1 {
		return count * min(each, 4)
	}
	return (count*r.cells + r.most/2) / r.most
}

// scale writes the posts' numbers above them.
func (r *ruler) scale() string {
	line := []rune(strings.Repeat(" ", rulerLabel+r.at(r.most)+len(r.posts)+1))
	line[rulerLabel] = '0'
	for i, post := range r.posts {
		text := strconv.Itoa(post)
		end := rulerLabel + r.at(post) + i + 1
		start := end - len(text)
		if start > rulerLabel && line[start-1] == ' ' && line[start] == ' ' {
			copy(line[start:end], []rune(text))
		}
	}
	return r.Theme.Dim.Render(string(line))
}

// bar draws one count.
func (r *ruler) bar(of scene.Bar) string {
	posts, empty := r.posts, " "
	if len(posts) == 0 && of.Bound != scene.NoBound {
		posts, empty = []int{of.Bound}, "░"
	}
	style := r.Theme.Tone(of.Tone)
	var b strings.Builder
	b.WriteString(frame.Fit(of.Name, rulerLabel))
	from := 0
	segment := func(to int) {
		// A trace that was altered can have counts below 0.
		to = max(to, from)
		full := min(max(r.at(of.Count)-from, 0), to-from)
		b.WriteString(style.Render(strings.Repeat("█", full)) + strings.Repeat(empty, to-from-full))
		from = to
	}
	for _, post := range posts {
		segment(r.at(post))
		if post == of.Bound {
			b.WriteString(r.Theme.Now.Render("┃"))
		} else {
			b.WriteString(r.Theme.Dim.Render("│"))
		}
	}
	empty = " "
	segment(r.at(r.most))
	return frame.Ends(b.String(), of.Words, r.Width)
}
