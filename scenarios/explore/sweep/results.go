package sweep

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Results are the results of a sweep, or of several shards of one. They are small: a seed takes some 40 bytes, and only one
// run of those that ended in the same way has its details.
type Results struct {
	Header  Header
	Failing int
	// Confirmed counts the seeds that ran twice.
	Confirmed int
	// Differing are seeds that two shards ran with different traces.
	Differing []int64

	// seeds are the seeds that ran.
	seeds map[int64]ended
	// ways are those in which runs ended, apart from the one in which most runs end: they passed like the run without faults.
	ways  []*way
	byKey map[wayKey]int32
	// details are the ways of the lines with details that are being read: other lines refer to them by their seeds.
	details map[int64]int32
	// doubts are the seeds that a fresh process did not repeat.
	doubts map[int64]doubt
	// needs are the faults that the first runs of groups need.
	needs map[int64][]string
	// paths are those that runs took which passed.
	paths map[Hash]struct{}
	// parts counts the files of which these are the results.
	parts int
}

// ended is how the run of a seed ended: in which of the ways, counted from 1; 0 is the usual one.
type ended struct {
	hash      Hash
	way       int32
	confirmed bool
	// returned is that of the result.
	returned bool
}

// way is a way in which runs ended. example is the run whose details are kept: of those that failed the one with the smallest
// seed, and of those that passed the one that differs most from the run without faults.
type way struct {
	key     wayKey
	example *Result
}

// wayKey is what runs have in common that ended in the same way. A run that failed has a check or step that failed first, unless
// it is stuck, and what is wrong at the end; a run that passed has what differs.
type wayKey struct{ verdict, check, end string }

// doubt is what a fresh process did instead of repeating a trace.
type doubt struct {
	what      string
	openOrder []string
}

func newResults(header Header) *Results {
	return &Results{
		Header: header, seeds: map[int64]ended{}, byKey: map[wayKey]int32{}, details: map[int64]int32{},
		doubts: map[int64]doubt{}, needs: map[int64][]string{}, paths: map[Hash]struct{}{},
	}
}

// Len is how many seeds ran.
func (r *Results) Len() int { return len(r.seeds) }

// Ran reports whether a seed ran.
func (r *Results) Ran(seed int64) bool {
	_, ran := r.seeds[seed]
	return ran
}

// Returned counts the runs that ended when they were as the run without faults again.
func (r *Results) Returned() (n int) {
	for _, ended := range r.seeds {
		if ended.returned {
			n++
		}
	}
	return n
}

// AllSeeds are the seeds that ran, sorted.
func (r *Results) AllSeeds() []int64 { return slices.Sorted(maps.Keys(r.seeds)) }

// Verdict is how the run of a seed ended.
func (r *Results) Verdict(seed int64) string {
	if way := r.wayOf(seed); way != nil {
		return way.key.verdict
	}
	return runner.Pass
}

// wayOf is nil for a run that passed as most do.
func (r *Results) wayOf(seed int64) *way {
	if i := r.seeds[seed].way; i > 0 {
		return r.ways[i-1]
	}
	return nil
}

// take takes a line that was read: a result, or only paths.
func (r *Results) take(result *Result) error {
	switch {
	case result.Result != "":
		_, err := r.add(result)
		return err
	case len(result.Paths) == 0:
		return errors.New("not a result of a sweep")
	}
	for _, path := range result.Paths {
		r.paths[path] = struct{}{}
	}
	return nil
}

// add takes a result, and returns the line that says what it adds to those before it. Of a seed that is known, it compares the
// trace, and learns whether it is confirmed.
func (r *Results) add(result *Result) (*Result, error) {
	known, ran := r.seeds[result.Seed]
	if known.returned && !result.Returned {
		// Now it has come to its end.
		known, ran = ended{}, false
	}
	if ran && known.hash != result.Hash {
		r.Differing = append(r.Differing, result.Seed)
	}
	if result.Confirmed && !known.confirmed {
		known.confirmed = true
		r.Confirmed++
	}
	if _, doubtful := r.doubts[result.Seed]; result.Unconfirmed != "" && !doubtful {
		r.doubts[result.Seed] = doubt{result.Unconfirmed, result.OpenOrder}
	}
	if len(result.Needs) > 0 {
		r.needs[result.Seed] = result.Needs
	}
	for _, path := range result.Paths {
		r.paths[path] = struct{}{}
	}
	if ran && result.isBare() {
		r.seeds[result.Seed] = known
		return result, nil
	}
	way, line, err := r.sort(result, ran)
	if err != nil {
		return nil, err
	}
	if ran {
		r.seeds[result.Seed] = known
		return line, nil
	}
	r.seeds[result.Seed] = ended{hash: result.Hash, way: way, confirmed: known.confirmed, returned: result.Returned}
	if !result.Passed() {
		r.Failing++
	}
	return line, nil
}

// sort finds the way in which a run ended. The line has the details if the run is the example of that way now; one that ran
// before becomes none.
func (r *Results) sort(result *Result, ran bool) (int32, *Result, error) {
	if result.Like != nil {
		way, ok := r.details[*result.Like]
		if known := r.seeds[*result.Like]; !ok && known.way > 0 {
			way, ok = known.way, true
		}
		if !ok || r.ways[way-1].key.verdict != result.Result {
			return 0, nil, fmt.Errorf("no seed %d before it that ended in the same way", *result.Like)
		}
		return way, result, nil
	}
	key, ok := keyOf(result)
	if !ok {
		return 0, result.brief(), nil
	}
	i, known := r.byKey[key]
	if !known {
		r.ways = append(r.ways, &way{key: key, example: result})
		i = int32(len(r.ways))
		r.byKey[key] = i
	}
	r.details[result.Seed] = i
	w := r.ways[i-1]
	if known && (ran || !w.isBetter(result)) {
		line := result.brief()
		line.Like = &w.example.Seed
		return i, line, nil
	}
	w.example = result
	return i, result, nil
}

// hotAnyway is what runs have in common that are hot without their faults, too. A run with the same end that is hot because of them is in
// another group.
const hotAnyway = "hot without the faults"

// isHotAnyway reports whether the faults have no part in what is hot.
func isHotAnyway(c *child.Comparison) bool { return c != nil && c.Hot }

// keyOf is the way in which a run ended; false means the usual one.
func keyOf(result *Result) (wayKey, bool) {
	switch {
	case result.Passed():
		return wayKey{verdict: result.Result, end: howOf(result.Comparison)}, isOutlier(result.Comparison)
	case isHotAnyway(result.Comparison):
		return wayKey{verdict: result.Result, check: hotAnyway, end: result.End}, true
	case result.Result == runner.Stuck, result.Result == runner.Hot:
		// What failed on the way depends on the checks.
		return wayKey{verdict: result.Result, end: result.End}, true
	}
	return wayKey{verdict: result.Result, check: first(result).Name, end: result.End}, true
}

// isBetter reports whether a run is a better example than the one that the way has.
func (w *way) isBetter(result *Result) bool {
	if result.Passed() {
		if c := outlierOf(result).compare(outlierOf(w.example)); c != 0 {
			return c < 0
		}
	}
	return result.Seed < w.example.Seed
}
