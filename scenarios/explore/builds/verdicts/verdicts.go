package verdicts

import (
	"cmp"
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Side is the sweep with one version.
type Side struct {
	// Version is the version of Kubernetes, without the v.
	Version string
	Results *sweep.Results
	// Places are those of the sweep, if it is one over places: their numbers count from 1.
	Places []place.Place
}

// absent is the verdict where a version does not have the place.
const absent = "absent"

// world is what all versions run: a seed, or a place.
type world struct {
	// of says which place it is.
	of place.Identity
	// runs are those of the sides; nil where a version does not have the place.
	runs []*int64
}

// Group are worlds that end in the same way with each version, and not in the same way with all.
type Group struct {
	Endings []Ending `json:"endings"`
	// Seeds are set in a sweep over seeds, and Places in one over places.
	Seeds  []int64 `json:"seeds,omitempty"`
	Places []Place `json:"places,omitempty"`
	// Everywhere means that each version ends so with some seeds or places, so that this may be chance.
	Everywhere bool `json:"everywhere"`

	worlds []world
}

// Place is a place that a group has.
type Place struct {
	place.Identity
	// Numbers are those of the place, by the versions that have it.
	Numbers map[string]int64 `json:"numbers"`
}

// Ending is how the worlds of a group end with one version.
type Ending struct {
	Version string `json:"version"`
	// Verdict is that of the runs, or absent if the version has no such place.
	Verdict string `json:"verdict"`
	Check   string `json:"check,omitempty"`
	// Message is that of the run of Example, a seed or the number of a place, and Faults those without which it does not end so.
	Message string   `json:"message,omitempty"`
	Example int64    `json:"example,omitempty"`
	Faults  []string `json:"faults,omitempty"`
	// Unconfirmed is what a new process did instead of repeating the trace of the first run of the group.
	Unconfirmed string `json:"unconfirmed,omitempty"`
	// Show is the command that shows the first run of the group.
	Show string `json:"show,omitempty"`
	// Counts says how many runs of each version end so, in all worlds.
	Counts map[string]int `json:"counts,omitempty"`

	how sweep.How
}

// Version is what one version did.
type Version struct {
	Version string `json:"version"`
	Runs    int    `json:"runs"`
	Failed  int    `json:"failed"`
	// Alone counts the places that not all other versions have.
	Alone int `json:"alone,omitempty"`
}

// Report is the comparison. Its JSON form is for programs.
type Report struct {
	Scenario     string    `json:"scenario"`
	ScenarioHash string    `json:"scenarioHash"`
	Versions     []Version `json:"versions"`
	// Compared counts the seeds or the places that ran with all versions, and Differing those of them whose verdicts differ.
	Compared  int `json:"compared"`
	Differing int `json:"differing"`
	// Groups are the differences, and Alone what fails at places that not all versions have.
	Groups []*Group `json:"groups"`
	Alone  []*Group `json:"alone,omitempty"`
	// WallSeconds is how long the sweeps took.
	WallSeconds float64 `json:"wallSeconds"`

	header sweep.Header
}

// Compare compares the sweeps, which must be those of one scenario.
func Compare(sides []Side) *Report {
	header := sides[0].Results.Header
	r := &Report{Scenario: header.Name, ScenarioHash: header.Hash, Groups: []*Group{}, header: header}
	for _, s := range sides {
		r.Versions = append(r.Versions, Version{Version: s.Version, Runs: s.Results.Len(), Failed: s.Results.Failing})
	}
	byHow := map[string]*Group{}
	for _, w := range worldsOf(sides) {
		hows, everywhere := r.ended(sides, w)
		if everywhere {
			r.Compared++
		}
		if isSame(hows) {
			continue
		}
		if everywhere {
			r.Differing++
		}
		key := keyOf(hows)
		group := byHow[key]
		if group == nil {
			group = &Group{}
			byHow[key] = group
			if everywhere {
				r.Groups = append(r.Groups, group)
			} else {
				r.Alone = append(r.Alone, group)
			}
		}
		group.worlds = append(group.worlds, w)
	}
	for _, group := range slices.Concat(r.Groups, r.Alone) {
		group.complete(sides)
	}
	sortGroups(r.Groups)
	sortGroups(r.Alone)
	return r
}

// ended is how a world ended with each version. everywhere means that it ran with all of them. The versions that do not have a place are
// counted.
func (r *Report) ended(sides []Side, w world) (hows []sweep.How, everywhere bool) {
	everywhere = true
	for i, s := range sides {
		how := sweep.How{Verdict: absent}
		if run := w.runs[i]; run != nil {
			how = s.Results.How(*run)
		}
		everywhere = everywhere && how.Verdict != absent
		hows = append(hows, how)
	}
	for i, how := range hows {
		if !everywhere && how.Verdict != absent {
			r.Versions[i].Alone++
		}
	}
	return hows, everywhere
}

// isSame reports whether there is nothing to tell: all versions end in the same way, or those that have the place pass.
func isSame(hows []sweep.How) bool {
	var first sweep.How
	for _, how := range hows {
		switch {
		case how.Verdict == absent:
		case first.Verdict == "":
			first = how
		case how != first:
			return false
		}
	}
	return first.Verdict == runner.Pass || !slices.ContainsFunc(hows, func(how sweep.How) bool { return how.Verdict == absent })
}

func keyOf(hows []sweep.How) (key string) {
	for _, how := range hows {
		key += how.Verdict + "\x00" + how.Check + "\x00" + how.End + "\x00"
	}
	return key
}

// worldsOf lists the seeds or the places of all sides, in the order in which they come first. What has not run yet with a version that
// has it cannot be compared, and is left out.
func worldsOf(sides []Side) []world {
	var worlds []world
	if sides[0].Places == nil {
		for _, seed := range sides[0].Results.AllSeeds() {
			worlds = append(worlds, world{runs: slices.Repeat([]*int64{&seed}, len(sides))})
		}
	}
	known := map[place.Identity]int{}
	for i, s := range sides {
		for n, p := range s.Places {
			at, ok := known[p.In]
			if !ok {
				at = len(worlds)
				known[p.In] = at
				worlds = append(worlds, world{of: p.In, runs: make([]*int64, len(sides))})
			}
			number := int64(n + 1)
			worlds[at].runs[i] = &number
		}
	}
	return slices.DeleteFunc(worlds, func(w world) bool {
		for i, run := range w.runs {
			if run != nil && !sides[i].Results.Ran(*run) {
				return true
			}
		}
		return false
	})
}

// complete words how the worlds of the group end.
func (g *Group) complete(sides []Side) {
	first := g.worlds[0]
	for i, s := range sides {
		e := Ending{Version: s.Version, Verdict: absent}
		if run := first.runs[i]; run != nil {
			e.how, e.Unconfirmed = s.Results.How(*run), s.Results.Doubt(*run)
			e.Verdict, e.Check, e.Show = e.how.Verdict, e.how.Check, s.Results.Header.Show(*run, e.how)+" --kubernetes "+s.Version
		}
		if example := g.exampleOf(s, i); example != nil {
			e.Message, e.Example, e.Faults = example.Message, example.Smallest, example.Faults
			if len(example.Needs) > 0 {
				e.Faults = example.Needs
			}
			e.Counts = map[string]int{}
			for _, other := range sides {
				e.Counts[other.Version] = other.Results.Count(e.how)
			}
		}
		g.Endings = append(g.Endings, e)
	}
	g.Everywhere = !slices.ContainsFunc(g.Endings, func(e Ending) bool {
		return slices.ContainsFunc(sides, func(s Side) bool { return e.Counts != nil && e.Counts[s.Version] == 0 })
	})
	for _, w := range g.worlds {
		if sides[0].Places == nil {
			g.Seeds = append(g.Seeds, *w.runs[0])
			continue
		}
		p := Place{Identity: w.of, Numbers: map[string]int64{}}
		for i, run := range w.runs {
			if run != nil {
				p.Numbers[sides[i].Version] = *run
			}
		}
		g.Places = append(g.Places, p)
	}
}

// exampleOf is the run whose details are kept, of those that end as the group does with a version; nil if they pass, or if there are none.
func (g *Group) exampleOf(s Side, i int) *sweep.Group {
	if run := g.worlds[0].runs[i]; run != nil {
		return s.Results.Example(*run)
	}
	return nil
}

// sortGroups puts what only some versions do first, and then the largest group.
func sortGroups(groups []*Group) {
	rank := func(g *Group) int {
		if g.Everywhere {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(groups, func(a, b *Group) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(b.worlds), len(a.worlds)))
	})
}

// Differs reports whether a verdict differs between versions.
func (r *Report) Differs() bool { return len(r.Groups) > 0 }
