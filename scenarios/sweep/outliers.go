package sweep

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/kubestep/kubestep/scenarios/child"
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
	byKey := map[string]*Outlier{}
	var all []*Outlier
	for _, seed := range r.AllSeeds() {
		result := r.BySeed[seed]
		c := result.Comparison
		if !result.Passed() || c == nil || len(c.Ends) == 0 && c.Excess == 0 && c.Settled-c.Without < laterMin {
			continue
		}
		found := &Outlier{
			Seed: seed, Later: c.Settled - c.Without, Ends: c.Ends, History: c.History, Faults: result.Faults, excess: c.Excess,
		}
		key := howOf(c)
		known := byKey[key]
		if known == nil {
			known = found
			byKey[key], all = found, append(all, found)
		} else if found.compare(known) < 0 {
			found.Seeds = known.Seeds
			*known = *found
		}
		known.Seeds = append(known.Seeds, seed)
	}
	slices.SortStableFunc(all, (*Outlier).compare)
	return all[:min(len(all), outliersMax)]
}

// howOf is the way in which a run differs, without numbers.
func howOf(c *child.Comparison) string {
	differences := c.Ends
	if len(differences) == 0 {
		differences = c.History
	}
	var names []string
	for _, text := range differences {
		name, _, _ := strings.Cut(text, ": ")
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

// compare orders what differs more before what differs less.
func (o *Outlier) compare(other *Outlier) int {
	return cmp.Or(cmp.Compare(len(other.Ends), len(o.Ends)), cmp.Compare(other.excess, o.excess), cmp.Compare(other.Later, o.Later))
}
