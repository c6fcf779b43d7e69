package keyframe

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// TestFrames adds keyframes, more than there is memory for: those end without which a branch repeats the least, and the last one stays.
func TestFrames(t *testing.T) {
	frames := &Frames{Memory: 400}
	others := map[time.Duration]int{}
	add := func(at time.Duration, cost time.Duration) {
		t.Helper()
		ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
		if err != nil {
			t.Fatal(err)
		}
		others[at] = ends[1]
		frames.add(&Frame{Mark: Mark{At: at, Cost: cost, Bytes: 100}, conn: connection(ends[0])})
	}
	// Which keyframes still have somebody who can ask them.
	alive := func() string {
		var list []string
		for at := time.Duration(1); at <= 10; at++ {
			if other, ok := others[at]; ok {
				if _, err := unix.Write(other, []byte("1")); err == nil {
					list = append(list, fmt.Sprint(int(at)))
				}
			}
		}
		return strings.Join(list, " ")
	}
	for _, step := range []struct {
		at, cost time.Duration
		want     string
	}{
		{1, 100, "1"}, {2, 200, "1 2"}, {3, 300, "1 2 3"}, {4, 400, "1 2 3 4"},
		// Without 3, a branch before 4 repeats 200 to 400, half of its past; without 4, one before 5 would repeat 300 to 500, less than half.
		{5, 500, "1 2 3 5"},
		// A keyframe that a branch leaves, and one for a time that has one already.
		{4, 450, "1 2 3 5"}, {6, 2000, "1 2 5 6"},
	} {
		add(step.at, step.cost)
		if got := alive(); got != step.want {
			t.Errorf("after %d: %s, want %s", step.at, got, step.want)
		}
	}
	for at, want := range map[time.Duration]time.Duration{1: 0, 2: 1, 3: 2, 5: 2, 6: 5, 9: 6} {
		got := time.Duration(0)
		if frame := frames.Before(at); frame != nil {
			got = frame.At
		}
		if got != want {
			t.Errorf("before %d: %d, want %d", at, got, want)
		}
	}
	frames.Close()
	if got := alive(); got != "" || frames.Len() != 0 {
		t.Errorf("after the end: %q", got)
	}
	add(7, 3000)
	if got := alive(); got != "" {
		t.Errorf("a keyframe that comes too late: %q", got)
	}
	var none *Frames
	if none.Before(5) != nil {
		t.Error("there is a keyframe of no run")
	}
	none.Close()
}
