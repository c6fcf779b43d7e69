package picture

import (
	"github.com/kubestep/kubestep/scenarios/reading/scene"
	"github.com/kubestep/kubestep/scenarios/reading/stage"
	"github.com/kubestep/kubestep/sim/recording"
)

// StillWidth and StillHeight are the size of a still in pixels: that of the store and the nodes.
const StillWidth, StillHeight = 680, 282

// Still draws the stage in the middle of the film of a run, small enough for a list of runs: the store and the nodes, without motion. The error
// says why a run has nothing to draw.
func Still(rec *recording.Recording) (string, error) {
	p := &picture{Scenes: scene.New(rec), places: map[string]int{}}
	o := Options{Length: 2 * last}
	p.length = o.Length
	if err := p.choose(o); err != nil {
		return "", err
	}
	p.cast = stage.New(p.Scenes)
	middle := p.frames[0]
	for _, f := range p.frames {
		if f.at <= (o.Length-last)/2 {
			middle = f
		}
	}
	// One frame, from the beginning to the end.
	middle.at, middle.beat, p.still = 0, p.length, 0
	p.frames = []frame{middle}
	views := []*stage.Stage{p.cast.At(p.beat(middle))}
	p.nodes(views)
	p.store(views)
	return p.document(view{storeLeft - 22, stageTop - 22, StillWidth, StillHeight}), nil
}
