package lanes

import (
	"fmt"

	"github.com/kubestep/kubestep/tui/internal/frame"
)

// withServer puts the API server and what it stored last at the right of the lanes.
func (p drawing) withServer(lines []string) []string {
	if p.store == 0 {
		return lines
	}
	server := append([]string{p.Theme.Title.Render("API server")}, p.stored(len(lines)-1)...)
	left := p.Width - p.store - 1
	for i := range lines {
		right := ""
		if i < len(server) {
			right = server[i]
		}
		lines[i] = frame.Fit(lines[i], left) + p.Theme.Dim.Render("┃") + frame.Fit(" "+right, p.store)
	}
	return lines
}

// namedStore is the width from which on there is room for the names of what is stored.
const namedStore = 16

// stored are the last writes, the newest first.
func (p drawing) stored(most int) []string {
	var lines []string
	for seq, writes := range p.Passing().Stored {
		for _, w := range writes {
			text := w.String()
			if p.store < namedStore {
				text = fmt.Sprintf("rv %d", w.RV)
			}
			style := p.Theme.Dim
			if seq == p.Seq {
				style = p.Theme.Now
			}
			lines = append(lines, style.Render(frame.Middle(text, p.store-2)))
		}
		if len(lines) >= most {
			break
		}
	}
	return lines[:min(len(lines), most)]
}
