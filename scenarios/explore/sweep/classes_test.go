package sweep_test

import (
	"testing"

	"github.com/kubestep/kubestep/scenarios/explore/place"
	"github.com/kubestep/kubestep/scenarios/explore/sweep"
)

// TestClassesOf: of three classes, one has three places, one two, and one a single one. They run in turns.
func TestClassesOf(t *testing.T) {
	places := []place.Place{{}, {}, {}, {Turn: 1}, {Turn: 1}, {Turn: 2}}
	for _, test := range []struct {
		name string
		ran  []int64
		want string
	}{
		{"none", nil, "in 0 of 3 classes"},
		{"two of the first turn", []int64{1, 3}, "in 2 of 3 classes"},
		{"the first turn", []int64{1, 2, 3}, "the first 1 of each of 3 classes"},
		{"a part of the second turn", []int64{1, 2, 3, 5}, "the first 1 of each of 3 classes"},
		{"the last turn without the second", []int64{1, 2, 3, 6}, "the first 1 of each of 3 classes"},
		{"two turns", []int64{1, 2, 3, 4, 5}, "the first 2 of each of 3 classes"},
		{"all", []int64{1, 2, 3, 4, 5, 6}, "the first 3 of each of 3 classes"},
	} {
		ran := map[int64]bool{}
		for _, number := range test.ran {
			ran[number] = true
		}
		if got := sweep.ClassesOf(places, func(number int64) bool { return ran[number] }).String(); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
