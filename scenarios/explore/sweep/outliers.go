package sweep

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/explore/child"
	"github.com/kubestep/kubestep/scenarios/runner"
)

// Outlier are runs that passed, and that differ in the same way from the runs of the same seeds without their faults.
type Outlier struct {
	// Seed is the smallest of those that differ most, and the rest is what differs there.
	Seed int64 `json:"seed"`
	// Later is how much later it settled.
	Later   time.Duration `json:"later"`
	Ends    []string      `json:"ends,omitempty"`
	History []string      `json:"history,omitempty"`
	Faults  []string      `json:"faults,omitempty"`
	Seeds   []int64       `json:"seeds"`

	excess int
}

// laterMin is how much later a run settles that counts as an outlier for nothing else.
const laterMin = 10 * time.Second

// outliersMax is how many outliers are listed.
const outliersMax = 5

// Outliers ranks the runs that passed and yet differ from those without their faults: first those that ended in another
// state, then those that created and deleted more, then those that settled later.
func (r *Results) Outliers() []*Outlier {
	byWay := map[*way]*Outlier{}
	var all []*Outlier
	for _, seed := range r.AllSeeds() {
		way := r.wayOf(seed)
		if way == nil || way.key.verdict != runner.Pass {
			continue
		}
		if byWay[way] == nil {
			byWay[way] = outlierOf(way.example)
			all = append(all, byWay[way])
		}
		byWay[way].Seeds = append(byWay[way].Seeds, seed)
	}
	slices.SortStableFunc(all, (*Outlier).compare)
	return all[:min(len(all), outliersMax)]
}

// isOutlier reports whether a run that passed differs much from that without its faults.
func isOutlier(c *child.Comparison) bool {
	return c != nil && (len(c.Ends) > 0 || c.Excess > 0 || c.Settled-c.Without >= laterMin)
}

// outlierOf is how a run differs, without seeds.
func outlierOf(result *Result) *Outlier {
	c := result.Comparison
	return &Outlier{
		Seed: result.Seed, Later: c.Settled - c.Without, Ends: c.Ends, History: c.History, Faults: result.Faults, excess: c.Excess,
	}
}

// howOf is the way in which a run differs, without numbers.
func howOf(c *child.Comparison) string {
	if c == nil {
		return ""
	}
	if len(c.Ends) > 0 {
		return strings.Join(c.EndNames, ", ")
	}
	return strings.Join(c.HistoryNames, ", ")
}

// compare orders what differs more before what differs less.
func (o *Outlier) compare(other *Outlier) int {
	return cmp.Or(cmp.Compare(len(other.Ends), len(o.Ends)), cmp.Compare(other.excess, o.excess), cmp.Compare(other.Later, o.Later))
}
