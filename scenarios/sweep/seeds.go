package sweep

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

// Seeds are the seeds From, From+1 and so on, Count of them; of these a shard has every Shards-th,
// beginning with the one at Shard. Shards count from 0, as the indices of an Indexed Job.
type Seeds struct {
	From, Count   int64
	Shard, Shards int64
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
		switch {
		case end == i:
			texts = append(texts, fmt.Sprint(sorted[i]))
		case step == 1:
			texts = append(texts, fmt.Sprintf("%d..%d", sorted[i], sorted[end]))
		default:
			texts = append(texts, fmt.Sprintf("%d..%d by %d", sorted[i], sorted[end], step))
		}
		i = end + 1
	}
	return strings.Join(texts, ", ")
}
