package serving

import (
	"strings"
	"testing"
)

// TestSlowPaceIsSaidOnce: serve says when virtual time passes slower than asked, and once more when it has kept its pace for a while.
func TestSlowPaceIsSaidOnce(t *testing.T) {
	p := &pacing{cluster: "dev"}
	var said []string
	look := func(times int, slower, speed float64) {
		for range times {
			if text := p.text(slower, speed); text != "" {
				said = append(said, text)
			}
		}
	}
	look(20, 0, 60)
	look(1, 3.24, 60)
	look(30, 5, 60)
	look(keptMin-1, 0, 60) // it only seems to be over
	look(1, 2, 60)
	look(keptMin, 0, 60)
	look(20, 0, 60)
	look(1, 12.5, 1)
	look(keptMin, 0, 0) // paused: there is no pace to keep
	want := "Warning: virtual time passes 3.2 times slower than speed 60 asks\n  Try: kubestep step --name dev speed 10, or fewer watches\n" +
		"Virtual time keeps its pace again: speed 60\n" +
		"Warning: virtual time passes 12 times slower than speed 1 asks\n  Try: kubestep step --name dev speed 0.08, or fewer watches\n"
	if got := strings.Join(said, ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestPossibleSpeed(t *testing.T) {
	for speed, want := range map[float64]float64{18.5: 10, 1: 1, 0.99: 0.9, 0.08: 0.08, 0.0002: 0.0002, 4321: 4000} {
		if got := possible(speed); got != want {
			t.Errorf("below %v: %v, want %v", speed, got, want)
		}
	}
}
