package lanes

import (
	"fmt"
	"slices"

	"github.com/kubestep/kubestep/scenarios/reading/components"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
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
	writes := p.Rec.Marks().Writes
	for seq := recording.Latest(writes, p.Latest()); seq != 0 && len(lines) < most; seq = recording.Previous(writes, seq) {
		for _, w := range slices.Backward(p.Rec.Record(seq).Request.Writes) {
			text := fmt.Sprintf("rv %-4d %s", w.RV, components.Short(w.Object))
			if w.Op == trace.OpDelete {
				text += " deleted"
			}
			if p.store < namedStore {
				text = fmt.Sprintf("rv %d", w.RV)
			}
			text = frame.Middle(text, p.store-2)
			if seq == p.Seq {
				text = p.Theme.Now.Render(text)
			} else {
				text = p.Theme.Dim.Render(text)
			}
			lines = append(lines, text)
		}
	}
	return lines[:min(len(lines), most)]
}
