package session

import "sync"

// backlog is what waits for the watches of a session. A client that reads slowly does not hold up the simulation, and gets everything, as
// long as it does not wait for too much: then its watch ends, as with kube-apiserver (forget in
// k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go), and it has to start over.
//
// Its lock is that of all its feeds.
type backlog struct {
	// eachMax is how many bytes may wait for one client, besides what it watches from the start, and allMax for all together. Then
	// the watch ends for which most waits.
	eachMax, allMax int

	mu sync.Mutex
	// feeds are those that are open, and opened counts all that there were.
	feeds  map[*feed]bool
	opened int
	// waiting counts the feeds in which a frame waits, by the address of its first byte. Watches share frames, so size, the sum of
	// their lengths, is the memory that they take.
	waiting map[*byte]int
	size    int
	// freed is how many bytes do not wait any more.
	freed uint64
}

func newBacklog() *backlog {
	const each, all = 64 << 20, 128 << 20
	return &backlog{eachMax: each, allMax: all, feeds: map[*feed]bool{}, waiting: map[*byte]int{}}
}

// keep counts a frame for one more feed. The caller holds the lock.
func (b *backlog) keep(frame []byte) {
	at := &frame[0]
	if b.waiting[at]++; b.waiting[at] == 1 {
		b.size += len(frame)
	}
}

// free counts frames for one feed less. The caller holds the lock.
func (b *backlog) free(frames [][]byte) {
	for _, frame := range frames {
		at := &frame[0]
		if b.waiting[at]--; b.waiting[at] == 0 {
			delete(b.waiting, at)
			b.size -= len(frame)
			b.freed += uint64(len(frame))
		}
	}
}

// bound ends the watches for which most waits until the others fit. The caller holds the lock.
func (b *backlog) bound() {
	for b.size > b.allMax {
		var most *feed
		for f := range b.feeds {
			if most == nil || f.size > most.size || f.size == most.size && f.number < most.number {
				most = f
			}
		}
		if most == nil || most.size == 0 {
			return
		}
		most.drop()
	}
}

// Freed is how many bytes have waited for clients and do so no more, because they were sent or because the clients have gone.
func (s *Session) Freed() uint64 {
	s.backlog.mu.Lock()
	defer s.backlog.mu.Unlock()
	return s.backlog.freed
}
