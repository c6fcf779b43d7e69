package picture

import (
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
)

// The least size of a still in pixels: that of the store and of two rows of nodes. The size of the picture in a page is the same for all.
const StillWidth, StillHeight = 672, 212

// samples is how many instants of a film are looked at.
const samples = 12

// Still draws one instant of a run, small enough for a list of runs: the store and the nodes, without motion. Of some instants, it is the
// one with the most to see. The error says why a run has nothing to draw.
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
	// One frame, from the beginning to the end.
	best.at, best.beat, p.still = 0, p.length, 0
	p.frames = []frame{best}
	views := []*stage.Stage{chosen}
	p.nodes(views)
	p.store(views)
	// Below the headings, which a small picture does not need.
	const above = 6
	return p.document(view{storeLeft - 12, stageTop - above, StillWidth, max(StillHeight, 2*above+p.tall())}), nil
}

// tall is the height of the nodes, or of the Pods in the store if that is more.
func (p *picture) tall() int {
	tall := (len(p.names) + nodeColumns - 1) / nodeColumns * (nodeHeight + nodeGap)
	for _, o := range append([]*object{p.top}, p.owned...) {
		rows := (len(o.cells) + podsInRow - 1) / podsInRow
		tall = max(tall, podsTop-stageTop+rows*(podSize+3))
	}
	return tall
}

// variety says how much there is to see: Pods, and phases and versions that differ.
func variety(v *stage.Stage) int {
	pods, kinds := 0, map[[2]int]bool{}
	for i := range v.Objects {
		if o := &v.Objects[i]; o.IsPod() {
			pods++
			kinds[[2]int{o.Version, int(o.Phase)}] = true
		}
	}
	return min(pods, mostPods) + 5*len(kinds)
}
