package columns

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/tui/internal/frame"
)

// scoreCells is the least width of a column of scores.
const scoreCells = 8

// attempt is the table of an attempt of kube-scheduler, in at most so many lines; nil at another record.
func (d *drawing) attempt(width, most int) []string {
	a := d.Attempt
	if a == nil || most < 2 {
		return nil
	}
	heads := append(append([]string{}, a.Plugins...), "all others", "score")
	if a.Same == 0 {
		heads = append(heads[:len(heads)-2], "score")
	}
	// The name of a plugin may need two columns; where there is no room, the last plugins go.
	const name = 24
	for len(heads) > 1 && name+len(heads)*(scoreCells+2) > width {
		heads = heads[1:]
	}
	each := min(max((width-name)/len(heads)-2, scoreCells), 24)
	line := frame.Fit("which node for "+a.Pod, name)
	for _, head := range heads {
		line += "  " + frame.Right(frame.Middle(head, each), each)
	}
	lines := []string{d.Theme.Dim.Render(frame.Fit(line, width))}
	for i := range a.Rows {
		if len(lines) == most {
			lines[most-1] = d.Theme.Dim.Render(fmt.Sprintf("and %d more nodes", len(a.Rows)-i+1+a.More))
			break
		}
		lines = append(lines, d.verdict(&a.Rows[i], len(heads), name, each, width))
	}
	return lines
}

// verdict is the row of a node.
func (d *drawing) verdict(v *stage.Verdict, columns, name, each, width int) string {
	switch {
	case v.Rejected != "":
		return d.Theme.Dim.Render(frame.Fit(frame.Fit("✗ "+v.Node, name)+"  "+v.Rejected+": "+v.Reason, width))
	case v.Total == 0 && v.Chosen:
		return d.Theme.Ready.Render(frame.Fit(frame.Fit("✓ "+v.Node, name)+"  the only node that is left", width))
	}
	cells := make([]string, 0, len(v.Scores)+2)
	for _, score := range v.Scores {
		cells = append(cells, fmt.Sprint(score))
	}
	if d.Attempt.Same != 0 {
		cells = append(cells, fmt.Sprint(d.Attempt.Same))
	}
	cells = append(cells, fmt.Sprint(v.Total))
	line, mark := "", "  "
	if v.Chosen {
		mark = "✓ "
	}
	for _, cell := range cells[max(len(cells)-columns, 0):] {
		line += "  " + frame.Right(cell, each)
	}
	line = frame.Fit(frame.Fit(mark+v.Node, name)+line, width)
	if v.Chosen {
		return d.Theme.Ready.Render(line)
	}
	return line
}

// opinion is what kube-scheduler thinks of a node, in a few words; empty if it does not look at it now.
func (d *drawing) opinion(node string) string {
	if d.Attempt == nil {
		return ""
	}
	for i := range d.Attempt.Rows {
		v := &d.Attempt.Rows[i]
		if v.Node != node {
			continue
		}
		switch {
		case v.Rejected != "":
			return d.Theme.Failed.Render("✗ " + v.Reason)
		case v.Chosen:
			return d.Theme.Ready.Render("✓" + score(v))
		}
		return score(v)
	}
	return ""
}

// score is the sum of the scores of a node, empty if it was the only one left: then nothing is scored.
func score(v *stage.Verdict) string {
	if v.Total == 0 {
		return ""
	}
	return fmt.Sprintf(" score %d", v.Total)
}
