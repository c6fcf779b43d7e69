package limits

import "testing"

func TestSoftLimit(t *testing.T) {
	const mebibyte = 1 << 20
	for live, want := range map[int64]int64{0: 384, 192: 384, 193: 448, 1000: 2048} {
		if got := softLimit(live * mebibyte); got != want*mebibyte {
			t.Errorf("%d MiB live: %d MiB, want %d", live, got/mebibyte, want)
		}
	}
}
