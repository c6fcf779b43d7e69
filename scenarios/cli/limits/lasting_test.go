package limits

import "testing"

// TestMemoryIsGivenBackWhenItIsQuiet: not while a process works, once behind it, and not again for nothing.
func TestMemoryIsGivenBackWhenItIsQuiet(t *testing.T) {
	var l lasting
	const mebibyte = 1 << 20
	var allocated uint64
	for i, look := range []struct {
		allocates uint64
		want      bool
	}{
		{1, false}, {1, false}, // it has done nothing yet
		{100, false}, {900, false}, // it works
		{8, true}, {0, false}, {1, false}, // it rests
		{62, false}, {2, true}, {2, false},
	} {
		allocated += look.allocates * mebibyte
		if got := l.due(allocated); got != look.want {
			t.Errorf("look %d: %v, want %v", i, got, look.want)
		}
	}
}

func TestSoftLimit(t *testing.T) {
	const mebibyte = 1 << 20
	for live, want := range map[int64]int64{0: 640, 320: 640, 321: 704, 1000: 2048} {
		if got := softLimit(live * mebibyte); got != want*mebibyte {
			t.Errorf("%d MiB live: %d MiB, want %d", live, got/mebibyte, want)
		}
	}
}
