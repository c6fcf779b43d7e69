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
