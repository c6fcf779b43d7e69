package picture

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/reading/palette"
)

// rules are the looks of texts and shapes.
//
//go:embed style.css
var rules string

// style are the colors for light and dark backgrounds, and the rules.
var style = palette.CSS("svg", false) + palette.Plain(rules)

// track is a value that changes over time: a declaration of CSS. Where nothing moves, it has the value still, or else that of the
// time of the still.
type track struct {
	stops []stop
	still string
}

// stop is the value of a track from a time on.
type stop struct {
	at    time.Duration
	value string
}

// set changes the value. Times do not decrease; of two values at one time, the last one counts.
func (t *track) set(at time.Duration, value string) {
	n := len(t.stops)
	switch {
	case n > 0 && t.stops[n-1].at == at:
		t.stops[n-1].value = value
	case n == 0 || t.stops[n-1].value != value:
		t.stops = append(t.stops, stop{at, value})
	}
}

// at is the value at a time.
func (t *track) at(at time.Duration) string {
	if t.still != "" {
		return t.still
	}
	value := t.stops[0].value
	for _, s := range t.stops {
		if s.at <= at {
			value = s.value
		}
	}
	return value
}

// sheet collects the animations of a picture.
type sheet struct {
	css strings.Builder
	n   int
	// length is that of the film, and still the time of the picture that does not move.
	length, still time.Duration
}

// motion says how a value gets from one stop to the next: in a step, or at constant speed.
type motion string

const (
	step   motion = "s"
	linear motion = "l"
)

// animate returns the classes of an element whose value follows a track.
func (s *sheet) animate(t *track, how motion) string {
	s.n++
	name := "a" + strconv.FormatInt(int64(s.n), 36)
	fmt.Fprintf(&s.css, ".%s{animation-name:%[1]s;%s}\n", name, t.at(s.still))
	if len(t.stops) == 1 {
		return name
	}
	// Times with the same value share it.
	var values []string
	times := map[string][]string{}
	for _, stop := range t.stops {
		if times[stop.value] == nil {
			values = append(values, stop.value)
		}
		times[stop.value] = append(times[stop.value], s.percent(stop.at))
	}
	last := t.stops[len(t.stops)-1].value
	times[last] = append(times[last], "100%")
	fmt.Fprintf(&s.css, "@keyframes %s{", name)
	for _, value := range values {
		fmt.Fprintf(&s.css, "%s{%s}", strings.Join(slices.Compact(times[value]), ","), value)
	}
	s.css.WriteString("}\n")
	return string(how) + " " + name
}

// percent is a time as a part of the film.
func (s *sheet) percent(at time.Duration) string {
	text := strconv.FormatFloat(100*float64(at)/float64(s.length), 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".") + "%"
}

// strip is a text that changes over time.
type strip struct {
	texts []string
	track track
}

// set changes the text.
func (s *strip) set(at time.Duration, text string) {
	i := slices.Index(s.texts, text)
	if i < 0 {
		i = len(s.texts)
		s.texts = append(s.texts, text)
	}
	s.track.set(at, shift(i))
}

// lineHeight is the height of the window of a text.
const lineHeight = 20

// shift moves a text into the window.
func shift(i int) string { return fmt.Sprintf("transform:translateY(%dpx)", -i*lineHeight) }

// draw draws the text into a window at a place. class is how the text looks, and anchor is where in the window it is.
func (s *strip) draw(to *sheet, x, y, width int, class, anchor string) string {
	at := map[string]int{"start": 0, "middle": width / 2, "end": width}[anchor]
	var b strings.Builder
	fmt.Fprintf(&b, `<svg x="%d" y="%d" width="%d" height="%d"><g class="%s">`, x, y, width, lineHeight, to.animate(&s.track, step))
	for i, text := range s.texts {
		if text == "" {
			continue
		}
		fmt.Fprintf(&b, `<text x="%d" y="%d" class="%s"`, at, i*lineHeight+14, class)
		if anchor != "start" {
			fmt.Fprintf(&b, ` text-anchor="%s"`, anchor)
		}
		b.WriteString(">" + escape.Replace(text) + "</text>")
	}
	b.WriteString("</g></svg>\n")
	return b.String()
}

var escape = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;")

// cut shortens a text to so many characters.
func cut(text string, most int) string {
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most-1]) + "…"
	}
	return text
}
