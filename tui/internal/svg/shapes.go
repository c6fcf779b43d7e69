package svg

import "fmt"

// shape draws a character as a figure. One that joins is drawn once for several cells in a row.
type shape struct {
	joins bool
	draw  func(x, y, width float64, color string) string
}

// shapes are the characters that must meet their neighbors.
var shapes = map[string]*shape{
	"█": block(0, 1, 1), "▓": block(0, 1, 0.75), "▒": block(0, 1, 0.5), "░": block(0, 1, 0.25),
	"─": line(1), "━": line(2.5), "│": upright(1), "┃": upright(2.5),
	"╭": corner(1, 1), "╮": corner(-1, 1), "╰": corner(1, -1), "╯": corner(-1, -1),
}

func init() {
	for i, level := range []rune("▁▂▃▄▅▆▇") {
		shapes[string(level)] = block(1-float64(i+1)/8, 1, 1)
	}
}

// block fills a part of a cell's height.
func block(from, to, opacity float64) *shape {
	return &shape{true, func(x, y, width float64, color string) string {
		faint := ""
		if opacity < 1 {
			faint = fmt.Sprintf(` opacity="%s"`, number(opacity))
		}
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"%s/>`+"\n",
			number(x), number(y+from*cellHeight), number(width), number((to-from)*cellHeight), color, faint)
	}}
}

// line goes through the middle of cells from left to right.
func line(thick float64) *shape {
	return &shape{true, func(x, y, width float64, color string) string {
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
			number(x), number(y+(cellHeight-thick)/2), number(width), number(thick), color)
	}}
}

// upright goes through the middle of a cell from top to bottom.
func upright(thick float64) *shape {
	return &shape{false, func(x, y, _ float64, color string) string {
		return fmt.Sprintf(`<rect x="%s" y="%s" width="%s" height="%s" fill="%s"/>`+"\n",
			number(x+(cellWidth-thick)/2), number(y), number(thick), number(cellHeight), color)
	}}
}

// corner joins the middle of a cell's side with the middle of its top or bottom; right and down are 1 or -1.
func corner(right, down float64) *shape {
	return &shape{false, func(x, y, _ float64, color string) string {
		cx, cy := x+cellWidth/2, y+cellHeight/2
		return fmt.Sprintf(`<path d="M%s %sQ%s %s %s %s" fill="none" stroke="%s"/>`+"\n",
			number(cx), number(cy+down*cellHeight/2), number(cx), number(cy), number(cx+right*cellWidth/2), number(cy), color)
	}}
}
