package limits

import "testing"

func TestSoftLimit(t *testing.T) {
	const mebibyte = 1 << 20
	for live, want := range map[int64]int64{0: 384, 128: 384, 129: 448, 250: 768, 341: 1024, 400: 1024, 512: 1024, 513: 1088, 1000: 2048} {
		if got := softLimit(live * mebibyte); got != want*mebibyte {
			t.Errorf("%d MiB live: %d MiB, want %d", live, got/mebibyte, want)
		}
	}
}
