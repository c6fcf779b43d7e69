package picture

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// Options say what of a recording is in the picture, and how long it plays.
type Options struct {
	// From is the virtual time at which the film begins. It plays for Length in real time.
	From, Length time.Duration
	// Still is the virtual time of the picture for those who prefer reduced motion.
	Still time.Duration
	// Footer is a line below the picture.
	Footer string
}

// The size of the picture in pixels, and its margin.
const width, height, margin = 960, 520, 24

var whole = view{width: width, height: height}

// last is how long the last frame is shown before the film begins again.
const last = 2 * time.Second

// frame is a record that is shown: from a time of the film on, for a beat. until is the virtual time at the end of the beat.
type frame struct {
	seq             int64
	at, beat, until time.Duration
}

// picture is a picture that is being drawn.
type picture struct {
	*scene.Scenes
	cast   *stage.Cast
	frames []frame
	sheet
	body strings.Builder
	// top is the box of the workload, and owned are those below it.
	top   *object
	owned []*object
	// names are those of the nodes that are drawn, and places their indexes.
	names  []string
	places map[string]int
}

// Film draws a recording. Errors say what is missing.
func Film(rec *recording.Recording, o Options) (string, error) {
	p := &picture{Scenes: scene.New(rec), places: map[string]int{}}
	p.length = o.Length
	if len(rec.Workloads()) == 0 {
		return "", errors.New("the run has no workload")
	}
	if err := p.choose(o); err != nil {
		return "", err
	}
	p.cast = stage.New(p.Scenes)
	views := make([]*stage.Stage, len(p.frames))
	for i, f := range p.frames {
		views[i] = p.cast.At(p.beat(f))
	}
	p.header()
	p.programs(views)
	p.nodes(views)
	p.store(views)
	p.moves(views)
	p.legend()
	p.ruler()
	p.captions(views)
	p.text(margin, height-14, "d", o.Footer)
	return p.document(whole), nil
}

// beat is what is to be seen in a frame.
func (p *picture) beat(f frame) *scene.Beat { return p.At(f.seq, p.Rec.At(f.seq)) }

// choose finds the records, and when each is shown.
func (p *picture) choose(o Options) error {
	var story []int64
	for _, seq := range p.Rec.Marks().Story {
		record := p.Rec.Record(seq)
		if p.Rec.At(seq) >= o.From && record.Note == nil && record.Ask == nil && record.Answer == nil {
			story = append(story, seq)
		}
	}
	switch {
	case len(story) == 0:
		return fmt.Errorf("nothing happens from %s on", trace.Seconds(o.From))
	case o.Length <= last:
		return fmt.Errorf("the film must take more than %s", last)
	}
	total := time.Duration(0)
	for i, seq := range story {
		f := frame{seq: seq, at: total, until: p.Rec.At(seq)}
		if i+1 < len(story) {
			f.beat, f.until = p.Scenes.Film.Beat(seq, story[i+1]), p.Rec.At(story[i+1])
		}
		total += f.beat
		p.frames = append(p.frames, f)
	}
	scale := float64(o.Length-last) / float64(max(total, 1))
	for i := range p.frames {
		f := &p.frames[i]
		f.at, f.beat = time.Duration(float64(f.at)*scale), time.Duration(float64(f.beat)*scale)
		if p.Rec.At(f.seq) <= o.Still {
			p.still = f.at
		}
	}
	return nil
}

// clockStep is how often the clock shows another time while nothing else changes.
const clockStep = 100 * time.Millisecond

// header draws the title, the clock, and how much of the film is over.
func (p *picture) header() {
	p.text(margin, 34, "t", cut(p.Rec.Title, 60))
	var clock strip
	for _, f := range p.frames {
		at := p.Rec.At(f.seq)
		for shown := time.Duration(0); shown < max(f.beat, 1); shown += clockStep {
			now := at
			if f.beat > 0 {
				now += time.Duration(float64(f.until-at) * float64(shown) / float64(f.beat))
			}
			clock.set(f.at+shown, fmt.Sprintf("%.2f s", now.Seconds()))
		}
	}
	p.body.WriteString(clock.draw(&p.sheet, width-margin-80, 20, 80, "b", "end"))
	fmt.Fprintf(&p.body, `<text x="%d" y="34" class="d" text-anchor="end">virtual time</text>`+"\n", width-margin-84)
	const y, long = 48, width - 2*margin
	fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="%d" height="3" class="line"/>`+"\n", margin, y, long)
	played := track{stops: []stop{{0, "transform:scaleX(0)"}, {p.length, "transform:scaleX(1)"}}}
	fmt.Fprintf(&p.body, `<g transform="translate(%d %d)"><rect width="%d" height="3" class="now %s"/></g>`+"\n", margin, y, long, p.animate(&played, linear))
	for _, f := range p.frames {
		if p.Scenes.Film.Decides(f.seq) || p.Rec.Record(f.seq).Action != nil {
			x := margin + int(float64(long)*float64(f.at)/float64(p.length))
			fmt.Fprintf(&p.body, `<circle cx="%d" cy="%d" r="3" class="now"/>`, x, y+1)
		}
	}
	p.body.WriteString("\n")
}

// readable is how long a sentence must be shown to be read.
const readable = 250 * time.Millisecond

// captions say what happens, and why. A record that decides nothing, and passes too fast for its sentence, leaves the one before.
func (p *picture) captions(views []*stage.Stage) {
	const y, characters = height - 92, 100
	fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="4" height="44" class="now"/>`+"\n", margin, y)
	var says, why strip
	says.set(0, "")
	why.set(0, "")
	for i, f := range p.frames {
		caption := views[i].Caption
		brief := f.beat < readable && !p.Scenes.Film.Decides(f.seq) && i+1 < len(p.frames)
		if brief || caption.Text == "" {
			continue
		}
		if p.Rec.Record(f.seq).Action != nil {
			caption.Text = "you: " + caption.Text
		}
		says.set(f.at, cut(visible.Line(caption.Text), characters))
		why.set(f.at, cut(visible.Line(caption.Why), characters+20))
	}
	p.body.WriteString(says.draw(&p.sheet, margin+14, y+1, width-2*margin-14, "c", "start"))
	p.body.WriteString(why.draw(&p.sheet, margin+14, y+24, width-2*margin-14, "d", "start"))
}

// text draws a text that does not change.
func (p *picture) text(x, y int, class, text string) {
	fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="%s">%s</text>`+"\n", x, y, class, escape.Replace(visible.Line(text)))
}

// begin is how every picture begins.
const begin = `<svg xmlns="http://www.w3.org/2000/svg" data-generator="kubestep"`

// Is reports whether a file begins as a picture does.
func Is(file io.Reader) bool {
	head := make([]byte, len(begin))
	_, err := io.ReadFull(file, head)
	return err == nil && string(head) == begin
}

// view is a part of the sheet.
type view struct{ x, y, width, height int }

// document is the picture as a file, from a part of what is drawn.
func (p *picture) document(v view) string {
	var b strings.Builder
	fmt.Fprintf(&b, begin+` width="%d" height="%d" viewBox="%d %d %[1]d %[2]d" role="img" aria-label="%[5]s">`+"\n",
		v.width, v.height, v.x, v.y, escape.Replace(visible.Line(p.Rec.Title)))
	fmt.Fprintf(&b, "<style>\n%s.s,.l{animation-duration:%gs;animation-iteration-count:infinite}\n", style, p.length.Seconds())
	b.WriteString(p.css.String())
	b.WriteString("@media (prefers-reduced-motion:reduce){.s,.l{animation-name:none!important}}\n</style>\n")
	b.WriteString(symbols())
	if v == whole {
		fmt.Fprintf(&b, `<rect x=".5" y=".5" width="%d" height="%d" rx="10" class="paper"/>`+"\n", width-1, height-1)
	}
	b.WriteString(p.body.String())
	b.WriteString("</svg>\n")
	return b.String()
}
