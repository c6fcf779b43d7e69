package picture

import (
	"fmt"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
	"github.com/kubestep/kubestep/sim/recording"
)

// symbols are all phases of a Pod below each other: for a Pod without a version, and for each version in its color. The further a Pod is,
// the fuller is its symbol.
func symbols() string {
	var b strings.Builder
	b.WriteString(`<defs><g id="p">`)
	for version := 0; version <= len(palette.Versions); version++ {
		tone := "plain"
		if version > 0 {
			tone = string(palette.OfVersion(version))
		}
		for phase := recording.Pending; phase <= recording.Succeeded; phase++ {
			symbol(&b, tone, phase, (version*phases+int(phase))*podSize)
		}
	}
	b.WriteString("</g></defs>\n")
	return b.String()
}

// symbol draws a phase at a height.
func symbol(b *strings.Builder, tone string, phase recording.Phase, top int) {
	const gap, size = 2, podSize - 4
	y := top + gap
	cx, cy := podSize/2, y+size/2
	shape := func(class, more string) {
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="%d" height="%[3]d" rx="5" class="%s %s"%s/>`, gap, y, size, class, tone, more)
	}
	switch phase {
	case recording.Pending:
		shape("hollow", ` stroke-dasharray="3 3"`)
	case recording.Running, recording.Ready:
		shape("hollow", "")
		fmt.Fprintf(b, `<circle cx="%d" cy="%d" r="5" class="pending"/>`, cx, cy)
	case recording.Available, recording.Succeeded:
		shape("full", "")
		fmt.Fprintf(b, `<path d="M%d %dl4 4 7-8" class="check"/>`, cx-5, cy)
	default:
		shape("hollow", ` opacity=".5"`)
		fmt.Fprintf(b, `<path d="M%d %dl10 10m0-10l-10 10" class="cross"/>`, cx-5, cy-5)
	}
}

// legend says what the symbols of Pods mean.
func (p *picture) legend() {
	x := storeLeft
	for _, phase := range []recording.Phase{recording.Pending, recording.Running, recording.Available, recording.Terminating} {
		word, y := strings.ToLower(phase.Word()), stageTop+stageHeight-14
		word, _, _ = strings.Cut(word, ",")
		fmt.Fprintf(&p.body, `<svg x="%d" y="%d" width="14" height="14" viewBox="0 %d %d %[4]d"><use href="#p"/></svg>`, x, y, int(phase)*podSize, podSize)
		p.text(x+18, y+11, "n", word)
		x += 30 + 7*len(word)
	}
}
