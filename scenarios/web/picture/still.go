package picture

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
	"github.com/kubestep/kubestep/sim/trace/visible"
)

// The least size of a still in pixels: that of the store and of two rows of nodes. The size of the picture in a page is the same for all.
const StillWidth, StillHeight = 672, 212

// samples is how many instants of a film are looked at.
const samples = 12

// Still draws one instant of a run, small enough for a list of runs: the store and the nodes, without motion. Of some instants, it is the
// one with the most to see. The store has the first workload with its Pods or, in a run without one, the objects that it is about. The
// error says why a run has nothing to draw.
func Still(rec *recording.Recording) (string, error) {
	p := &picture{Scenes: scene.New(rec), places: map[string]int{}}
	p.length = 2 * last
	if err := p.choose(Options{Length: p.length}); err != nil {
		return "", err
	}
	p.cast = stage.New(p.Scenes)
	best, most := frame{}, -1
	var chosen *stage.Stage
	for i := range samples {
		// The middle counts first.
		n := (samples/2 + i) % samples * (len(p.frames) - 1) / samples
		if v := p.cast.At(p.beat(p.frames[n])); variety(v) > most {
			best, most, chosen = p.frames[n], variety(v), v
		}
	}
	if len(chosen.Objects) == 0 {
		return "", errors.New("the run has no objects to draw")
	}
	// One frame, from the beginning to the end.
	best.at, best.beat, p.still = 0, p.length, 0
	p.frames = []frame{best}
	views := []*stage.Stage{chosen}
	p.nodes(views)
	if len(rec.Workloads()) > 0 {
		p.store(views)
	} else {
		p.things(chosen)
	}
	// Below the headings, which a small picture does not need.
	const above = 6
	return p.document(view{storeLeft - 12, stageTop - above, StillWidth, max(StillHeight, 2*above+p.tall())}), nil
}

// How the boxes of a run without a workload are placed, and how many there are at most.
const (
	thingsInRow, thingGap = 2, 10
	mostThings            = 4 * thingsInRow
)

// things draws the objects that exist, those that the lesson is about first, and then the newest ones.
func (p *picture) things(v *stage.Stage) {
	shown := slices.Clone(v.Objects)
	slices.Reverse(shown)
	slices.SortStableFunc(shown, func(a, b stage.Object) int { return rank(&a) - rank(&b) })
	each := storeWidth / thingsInRow
	for i, o := range shown[:min(len(shown), mostThings)] {
		x, y := storeLeft+i%thingsInRow*each+(each-boxWidth)/2, stageTop+i/thingsInRow*(boxHeight+thingGap)
		class, says := "box", o.Says
		if o.Lit {
			class = "box written"
		}
		if o.IsPod() && says == "" {
			says = o.Phase.Word()
		}
		fmt.Fprintf(&p.body, `<rect x="%d" y="%d" width="%d" height="%d" rx="7" class="%s"/>`, x, y, boxWidth, boxHeight, class)
		p.centered(x, y+17, "b", cut(o.Name, 20))
		p.centered(x, y+34, "n", cut(strings.TrimSuffix(o.Kind+" · "+says, " · "), 25))
	}
}

// centered draws a text in the middle of a box.
func (p *picture) centered(x, y int, class, text string) {
	fmt.Fprintf(&p.body, `<text x="%d" y="%d" class="%s" text-anchor="middle">%s</text>`+"\n",
		x+boxWidth/2, y, class, escape.Replace(visible.Line(text)))
}

// rank puts what a lesson is about first.
func rank(o *stage.Object) int {
	if o.Focused {
		return 0
	}
	return 1
}

// tall is the height of the nodes, or of the Pods in the store if that is more.
func (p *picture) tall() int {
	tall := (len(p.names) + nodeColumns - 1) / nodeColumns * (nodeHeight + nodeGap)
	for _, o := range append([]*object{p.top}, p.owned...) {
		if o == nil {
			continue
		}
		rows := (len(o.cells) + podsInRow - 1) / podsInRow
		tall = max(tall, podsTop-stageTop+rows*(podSize+3))
	}
	return tall
}

// variety says how much there is to see: Pods, and phases and versions that differ; where there are no Pods, all objects.
func variety(v *stage.Stage) int {
	pods, kinds := 0, map[[2]int]bool{}
	for i := range v.Objects {
		if o := &v.Objects[i]; o.IsPod() {
			pods++
			kinds[[2]int{o.Version, int(o.Phase)}] = true
		}
	}
	if pods == 0 {
		return min(len(v.Objects), mostThings)
	}
	return min(pods, mostPods) + 5*len(kinds)
}
