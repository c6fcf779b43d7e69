package sweep

// Missing are the seeds of a shard that did not run.
type Missing struct {
	Shard  int64 `json:"shard"`
	Shards int64 `json:"shards"`
	// Seeds counts them, and Of all seeds of the shard.
	Seeds int64 `json:"seeds"`
	Of    int64 `json:"of"`
	// Ranges are the first of them in words: 1..40, 42, 50..70 by 5. More counts the ranges that are left out.
	Ranges []string `json:"ranges"`
	More   int      `json:"moreRanges,omitempty"`
}

// rangesShown is how many ranges of missing seeds are listed.
const rangesShown = 5

// Missing are the seeds of the plan that did not run, by shard. Results without a plan miss none.
func (r *Results) Missing() []Missing {
	if r.Header.Plan == nil {
		return nil
	}
	plan := *r.Header.Plan
	var all []Missing
	for plan.Shard = 0; plan.Shard < min(plan.Shards, plan.Count); plan.Shard++ {
		if missing := r.missingOf(plan); missing.Seeds > 0 {
			all = append(all, missing)
		}
	}
	return all
}

// missingOf are those of one shard.
func (r *Results) missingOf(plan Seeds) Missing {
	missing := Missing{Shard: plan.Shard, Shards: plan.Shards}
	gap, open := run{step: plan.Shards}, false
	end := func() {
		switch {
		case open && len(missing.Ranges) < rangesShown:
			missing.Ranges = append(missing.Ranges, gap.String())
		case open:
			missing.More++
		}
		open = false
	}
	for seed := range plan.All() {
		missing.Of++
		if r.Ran(seed) {
			end()
			continue
		}
		missing.Seeds++
		if !open {
			open, gap.first = true, seed
		}
		gap.last = seed
	}
	end()
	return missing
}
