package picture

import (
	"fmt"

	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Where the columns of the stage are: programs, the store, and nodes.
const (
	stageTop, stageHeight       = 84, 262
	programsLeft, programsWidth = margin, 226
	storeLeft, storeWidth       = 300, 340
	nodesLeft, nodesWidth       = 690, width - margin - 690
	programHeight, programGap   = 58, 8
	mostPrograms                = 4
	heading                     = stageTop - 8
	programTexts                = 36
)

// card is a program over time: what is in its queue, what it decided, and whether it acts.
type card struct {
	name, mark   string
	queue, words strip
	acts         track
}

// programs draws the programs at the left.
func (p *picture) programs(views []*stage.Stage) {
	p.text(programsLeft, heading, "n", "PROGRAMS")
	cards := make([]card, min(len(p.cast.Programs), mostPrograms))
	for i := range cards {
		cards[i].name = p.cast.Programs[i].Name
		for n, view := range views {
			cards[i].set(p.frames[n], &view.Programs[i])
		}
		c, y := &cards[i], programTop(i)
		fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" class="box"/>`, programsLeft, y, programsWidth, programHeight)
		fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" class="lit %s"/>`+"\n",
			programsLeft, y, programsWidth, programHeight, p.animate(&c.acts, step))
		p.text(programsLeft+10, y+17, "b", c.name)
		p.body.WriteString(c.queue.draw(&p.sheet, programsLeft+10, y+20, programsWidth-16, "q", "start"))
		p.body.WriteString(c.words.draw(&p.sheet, programsLeft+10, y+36, programsWidth-16, "n", "start"))
	}
}

// programTop is the upper edge of the card of a program.
func programTop(i int) int { return stageTop + i*(programHeight+programGap) }

// set changes a card.
func (c *card) set(f frame, s *stage.Program) {
	queue := ""
	for _, chip := range s.Queue {
		switch chip.State {
		case stage.InWork, stage.Waits:
			queue += "[" + chip.Key + "] "
		}
	}
	words := s.Decided
	switch {
	case s.About != "":
		words = s.About
	case s.Cache != "":
		words = "cache: " + s.Cache
	case words == "":
		words = s.Last
	}
	c.queue.set(f.at, cut(visible.Line(queue), programTexts))
	c.words.set(f.at, cut(visible.Line(words), programTexts))
	c.acts.set(f.at, opacity(s.Acts))
}

// opacity shows what is on, and hides what is off.
func opacity(on bool) string {
	if on {
		return "opacity:1"
	}
	return "opacity:0"
}
