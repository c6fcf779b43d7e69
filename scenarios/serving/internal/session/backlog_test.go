package session

import (
	"net/http/httptest"
	"testing"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// frame is one of some length.
func frame(length int) []byte { return make([]byte, length) }

// opened is a feed in a backlog.
func opened(b *backlog) *feed {
	f := newFeed(b)
	f.opened()
	return f
}

// TestAFrameTakesMemoryOnce: it may wait for many clients, until the last one has taken it.
func TestAFrameTakesMemoryOnce(t *testing.T) {
	b := &backlog{eachMax: 1000, allMax: 1000, feeds: map[*feed]bool{}, waiting: map[*byte]int{}}
	shared, own := frame(100), frame(10)
	feeds := []*feed{opened(b), opened(b), opened(b)}
	for _, f := range feeds {
		f.add(shared)
	}
	feeds[0].add(own)
	for i, want := range []int{110, 110, 110, 0} {
		if b.size != want {
			t.Errorf("%d bytes wait when %d clients have read, want %d", b.size, i, want)
		}
		if i < len(feeds) {
			feeds[(i+1)%len(feeds)].take()
		}
	}
	if len(b.waiting) != 0 {
		t.Errorf("%d frames are counted that nobody waits for", len(b.waiting))
	}
}

// TestASlowWatchEnds: one for which too much waits ends, and its memory is free. What it watches from the start does not count.
func TestASlowWatchEnds(t *testing.T) {
	b := &backlog{eachMax: 100, allMax: 1000, feeds: map[*feed]bool{}, waiting: map[*byte]int{}}
	slow, fast := newFeed(b), opened(b)
	slow.add(frame(500))
	slow.opened()
	for range 3 {
		next := frame(40)
		slow.add(next)
		fast.add(next)
		fast.take()
	}
	if !slow.over || slow.size != 0 || b.size != 0 {
		t.Errorf("the slow watch: over %v with %d bytes; %d bytes wait for all", slow.over, slow.size, b.size)
	}
	if fast.over {
		t.Error("the other watch is over, too")
	}
}

// TestTheSlowestWatchesEnd: if too much waits for all clients together, those end for which most waits.
func TestTheSlowestWatchesEnd(t *testing.T) {
	b := &backlog{eachMax: 1000, allMax: 200, feeds: map[*feed]bool{}, waiting: map[*byte]int{}}
	feeds := []*feed{opened(b), opened(b), opened(b)}
	for i, f := range feeds {
		for range i + 1 {
			f.add(frame(30))
		}
	}
	feeds[0].add(frame(30))
	if feeds[0].over || feeds[1].over || !feeds[2].over {
		t.Errorf("over: %v, %v, %v; want only the last", feeds[0].over, feeds[1].over, feeds[2].over)
	}
	if b.size != 120 {
		t.Errorf("%d bytes wait, want 120", b.size)
	}
}

// TestAClosedFeedIsSent: what waits when a session ends is sent, in the order in which it came.
func TestAClosedFeedIsSent(t *testing.T) {
	f := opened(newBacklog())
	var want string
	for i := range 3 * batch / 1000 {
		next := frame(1000)
		for at := range next {
			next[at] = 'a' + byte(i%26)
		}
		f.add(next)
		want += string(next)
	}
	f.close()
	out := httptest.NewRecorder()
	f.form = &apiserver.Frames{ContentType: "application/json"}
	f.send(out, httptest.NewRequest("GET", "/api/v1/pods?watch=true", nil))
	if out.Body.String() != want {
		t.Errorf("%d bytes, want %d", out.Body.Len(), len(want))
	}
}
