package cri

import (
	"slices"
	"testing"
	"time"
)

// TestWhatAProgramPrints: a container prints each line at its times, and nothing after its end. Whoever asks twice gets each line once.
func TestWhatAProgramPrints(t *testing.T) {
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c := &container{started: start, ends: start.Add(25 * time.Second), program: Program{Prints: []Line{
		{Text: "GET", At: Fixed(5 * time.Second), Every: Fixed(10 * time.Second)},
		{Text: "starting\nlistening\n"},
		{Text: "warming up", Every: Fixed(4 * time.Second), Until: Fixed(8 * time.Second)},
		{Text: "panic", At: Fixed(25 * time.Second)},
		{Text: "never", At: Fixed(26 * time.Second)},
	}}}
	want := []string{"0s starting", "0s listening", "0s warming up", "4s warming up", "5s GET", "15s GET", "25s GET", "25s panic"}
	for _, step := range []time.Duration{time.Minute, 7 * time.Second, 5 * time.Second, time.Second} {
		var got []string
		from := time.Time{}
		for next := start.Add(1); from.Before(start.Add(time.Minute)); next = next.Add(step) {
			for _, l := range c.prints(from, next) {
				got = append(got, l.at.Sub(start).String()+" "+l.text)
			}
			from = next
		}
		if !slices.Equal(got, want) {
			t.Errorf("asked every %s: %q, want %q", step, got, want)
		}
	}
}
