package pane

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/lipgloss"

	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// ruler draws counts of Pods as bars between fenceposts: how many must be available, how many were asked
// for, how many there may be. A post stands behind the Pod that it counts, in all bars at the same place:
//
//	             0       8┃10│  13┃
//	available    ████████┃  │    │
//	pods         ████████┃██│███┃
type ruler struct {
	pane  rollout
	posts []int
	// most is the longest bar, cells how many cells it may take.
	most, cells int
}

const rulerLabel = 11

func (p rollout) ruler(s recording.State) []string {
	if p.Question() != nil {
		// The bounds are what many questions ask for.
		s.Bound = nil
	}
	posts := []int{s.Replicas}
	if s.Bound != nil {
		posts = []int{s.Bound.Least, s.Replicas, s.Bound.Most}
	}
	r := ruler{pane: p, most: max(posts[len(posts)-1], s.Pods, 1)}
	for i, post := range posts {
		if i == 0 || post != posts[i-1] {
			r.posts = append(r.posts, post)
		}
	}
	const room, mostPosts = 20, 3
	r.cells = max(p.Width-rulerLabel-len(r.posts)-room, 8)
	if p.scale > 0 {
		r.most, r.cells = max(r.most, p.scale), max(p.Width-rulerLabel-mostPosts-room, 8)
	}
	t := p.Theme
	if s.Bound == nil {
		return []string{
			r.scale(),
			r.bar("available", s.Available, s.Replicas, t.Ready, fmt.Sprintf("%d of %d", s.Available, s.Replicas)),
			r.bar("pods", s.Pods, s.Replicas, t.Now, fmt.Sprintf("%d of %d", s.Pods, s.Replicas)),
		}
	}
	least, most := fmt.Sprintf("%d >= %d least", s.Available, s.Bound.Least), fmt.Sprintf("%d <= %d most", s.Pods, s.Bound.Most)
	available, pods := t.Ready, t.Now
	if s.Available < s.Bound.Least {
		least, available = fmt.Sprintf("%d <  %d least", s.Available, s.Bound.Least), t.Pending
	}
	if s.Pods > s.Bound.Most {
		most, pods = fmt.Sprintf("%d >  %d MOST", s.Pods, s.Bound.Most), t.Failed
	}
	return []string{
		r.scale(),
		r.bar("available", s.Available, s.Bound.Least, available, least),
		r.bar("pods", s.Pods, s.Bound.Most, pods, most),
		r.bar("updated", s.Updated, s.Replicas, t.Ready, fmt.Sprintf("%d of %d", s.Updated, s.Replicas)),
	}
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
	return r.pane.Theme.Dim.Render(string(line))
}

// bar draws one count. bound is the post that matters to it.
func (r *ruler) bar(label string, count, bound int, style lipgloss.Style, text string) string {
	var b strings.Builder
	b.WriteString(frame.Fit(label, rulerLabel))
	from := 0
	segment := func(to int) {
		// A trace that was altered can have counts below 0.
		to = max(to, from)
		full := min(max(r.at(count)-from, 0), to-from)
		b.WriteString(style.Render(strings.Repeat("█", full)) + strings.Repeat(" ", to-from-full))
		from = to
	}
	for _, post := range r.posts {
		segment(r.at(post))
		if post == bound {
			b.WriteString(r.pane.Theme.Now.Render("┃"))
		} else {
			b.WriteString(r.pane.Theme.Dim.Render("│"))
		}
	}
	segment(r.at(r.most))
	return frame.Ends(b.String(), text, r.pane.Width)
}
