package sweep

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
)

// Seeds are the seeds From, From+1 and so on, Count of them; of these a shard has every Shards-th,
// beginning with the one at Shard. Shards count from 0, as the indices of an Indexed Job.
type Seeds struct {
	From   int64 `json:"from"`
	Count  int64 `json:"seeds"`
	Shard  int64 `json:"shard"`
	Shards int64 `json:"shards"`
}

// All yields the seeds of the shard in order.
func (s Seeds) All() iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := s.Shard; i < s.Count; i += s.Shards {
			if !yield(s.From + i) {
				return
			}
		}
	}
}

// CountMax and ShardsMax bound a sweep; more are sure to be a mistake.
const (
	CountMax  = 10_000_000
	ShardsMax = 100_000
)

// areValid reports whether there are such seeds.
func (s Seeds) areValid() bool {
	return s.Count > 0 && s.Count <= CountMax && s.From <= math.MaxInt64-s.Count &&
		s.Shards > 0 && s.Shards <= ShardsMax && s.Shard >= 0 && s.Shard < s.Shards
}

// String words a shard: 3/16 of the seeds 1..1000.
func (s Seeds) String() string { return fmt.Sprintf("%d/%d of %s", s.Shard, s.Shards, s.sweep()) }

// sweep words the seeds of all shards.
func (s Seeds) sweep() string {
	return "the seeds " + run{s.From, s.From + s.Count - 1, 1}.String()
}

// run are seeds that are equally far apart.
type run struct{ first, last, step int64 }

// String words a run: 42, 1..40, 50..70 by 5.
func (r run) String() string {
	switch {
	case r.first == r.last:
		return fmt.Sprint(r.first)
	case r.step == 1:
		return fmt.Sprintf("%d..%d", r.first, r.last)
	}
	return fmt.Sprintf("%d..%d by %d", r.first, r.last, r.step)
}

// Ranges words seeds in few words: 1..40, 42, 50..70 by 5.
func Ranges(seeds []int64) string {
	sorted := slices.Sorted(slices.Values(seeds))
	var texts []string
	for i := 0; i < len(sorted); {
		// A shard's seeds are equally far apart.
		step, end := int64(1), i
		if i+3 < len(sorted) && sorted[i+3]-sorted[i] == 3*(sorted[i+1]-sorted[i]) && sorted[i+2]-sorted[i+1] == sorted[i+1]-sorted[i] {
			step = sorted[i+1] - sorted[i]
		}
		for end+1 < len(sorted) && sorted[end+1]-sorted[end] == step {
			end++
		}
		texts = append(texts, run{sorted[i], sorted[end], step}.String())
		i = end + 1
	}
	return strings.Join(texts, ", ")
}
