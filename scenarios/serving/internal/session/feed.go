package session

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"time"

	"golang.org/x/net/websocket"
	"k8s.io/apimachinery/pkg/util/httpstream/wsstream"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// feed carries the events of a watch from the engine's goroutine to that of a client.
type feed struct {
	// form is what a frame is.
	form *apiserver.Frames
	// stop ends the watch; it belongs to the engine's goroutine.
	stop func()

	// backlog has the lock for what follows.
	backlog *backlog
	// number is that of the feed in its session. size is how many bytes wait in frames, and initial how many of them did from the start.
	number        int
	frames        [][]byte
	size, initial int
	// more wakes the client's goroutine. ended closes when no event follows.
	more  chan struct{}
	ended chan struct{}
	over  bool
}

func newFeed(b *backlog) *feed {
	return &feed{backlog: b, more: make(chan struct{}, 1), ended: make(chan struct{})}
}

// opened notes that what waits now does so from the start: it is as much as there is to watch, and no fault of the client.
func (f *feed) opened() {
	f.backlog.mu.Lock()
	defer f.backlog.mu.Unlock()
	f.backlog.opened++
	f.number, f.initial = f.backlog.opened, f.size
	f.backlog.feeds[f] = true
	f.backlog.bound()
}

// add appends a frame. It runs on the engine's goroutine.
func (f *feed) add(frame []byte) {
	b := f.backlog
	b.mu.Lock()
	defer b.mu.Unlock()
	if f.over {
		return
	}
	f.frames, f.size = append(f.frames, frame), f.size+len(frame)
	b.keep(frame)
	if b.feeds[f] && f.size > f.initial+b.eachMax {
		f.drop()
		return
	}
	b.bound()
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// drop ends the feed without the frames that wait. The caller holds the lock.
func (f *feed) drop() {
	f.backlog.free(f.frames)
	f.frames, f.size = nil, 0
	f.close()
}

// close ends the feed behind the frames that it has. The caller holds the lock.
func (f *feed) close() {
	if !f.over {
		f.over = true
		close(f.ended)
	}
}

// batch is how many bytes are written before the client is asked again whether it is too slow, or one frame if that is larger.
const batch = 64 << 10

// take returns the next frames that wait.
func (f *feed) take() [][]byte {
	f.backlog.mu.Lock()
	defer f.backlog.mu.Unlock()
	count, size := 0, 0
	for ; count < len(f.frames) && size < batch; count++ {
		size += len(f.frames[count])
	}
	frames := slices.Clone(f.frames[:count])
	f.backlog.free(frames)
	clear(f.frames[:count])
	f.size -= size
	f.initial = max(0, f.initial-size)
	if f.frames = f.frames[count:]; len(f.frames) == 0 {
		f.frames = nil
	}
	return frames
}

// send writes the feed to its client until one of them ends.
func (f *feed) send(w http.ResponseWriter, r *http.Request) {
	if f.form.Messages {
		websocket.Handler(f.sendMessages).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", f.form.ContentType)
	w.WriteHeader(http.StatusOK)
	f.deliver(r, r.Context().Done(), w, http.NewResponseController(w).Flush)
}

// sendMessages writes the feed to a client that has asked for a WebSocket, as those in browsers do. What the client sends is ignored.
func (f *feed) sendMessages(ws *websocket.Conn) {
	defer ws.Close()
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		wsstream.IgnoreReceives(ws, 0)
	}()
	ws.PayloadType = websocket.BinaryFrame
	if f.form.Text {
		ws.PayloadType = websocket.TextFrame
	}
	f.deliver(ws.Request(), gone, ws, func() error { return nil })
}

// deliver writes the feed until it ends, until the client has gone, or until the time that the client asked for has passed, which is
// real time.
func (f *feed) deliver(r *http.Request, gone <-chan struct{}, w io.Writer, flush func() error) {
	var timeout <-chan time.Time
	if seconds, err := strconv.Atoi(r.URL.Query().Get("timeoutSeconds")); err == nil && seconds > 0 {
		timer := time.NewTimer(time.Duration(seconds) * time.Second)
		defer timer.Stop()
		timeout = timer.C
	}
	for over := false; ; {
		frames := f.take()
		for _, frame := range frames {
			if _, err := w.Write(frame); err != nil {
				return
			}
		}
		select {
		case <-gone:
			return
		case <-timeout:
			return
		default:
		}
		if len(frames) > 0 {
			continue
		}
		if flush() != nil || over {
			return
		}
		select {
		case <-gone:
			return
		case <-timeout:
			return
		case <-f.ended:
			over = true
		case <-f.more:
		}
	}
}

// forget ends the watch of a feed that nobody reads any more, and gives back its memory.
func (s *Session) forget(f *feed) {
	s.backlog.mu.Lock()
	delete(s.backlog.feeds, f)
	f.drop()
	s.backlog.mu.Unlock()
	go func() { _ = s.Door.Do(f.stop) }()
}

// End tells all clients that the simulation has ended: watches end as if their time were over.
func (s *Session) End() {
	s.Door.End()
	s.backlog.mu.Lock()
	defer s.backlog.mu.Unlock()
	for f := range s.backlog.feeds {
		f.close()
	}
}
