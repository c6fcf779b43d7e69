package engine

import (
	"slices"
	"testing"
	"time"
)

// TestChooser lets a chooser reverse what is due at one time: two requests that say the same are one open event, of those of a stream only the
// oldest can come next, and what is not open comes first.
func TestChooser(t *testing.T) {
	var got []string
	var offered [][]string
	err := Bubble(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), func() {
		e := New(1, 0, &Progress{})
		e.ChooseBy(func(open []*Event) int {
			var keys []string
			for _, event := range open {
				keys = append(keys, event.Key)
			}
			slices.Sort(keys)
			offered = append(offered, keys)
			return slices.IndexFunc(open, func(event *Event) bool { return event.Key == keys[len(keys)-1] })
		})
		schedule := func(key string, open *Open) {
			e.Schedule(&Event{Key: key, Open: open, Run: func() { got = append(got, key) }})
		}
		request, watch := &Open{Kind: OpenRequest}, &Open{Kind: OpenWatch}
		schedule("a", request)
		schedule("b", request)
		schedule("b", request)
		schedule("c", watch)
		schedule("c", watch)
		schedule("step", nil)
		e.Run(time.Second)
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"step", "c", "c", "b", "b", "a"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(offered) != 4 || !slices.Equal(offered[0], []string{"a", "b", "c"}) || !slices.Equal(offered[3], []string{"a", "b"}) {
		t.Errorf("offered %v", offered)
	}
}
