package session

import (
	"io"
	"net/http"
	"strconv"
	"sync"
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

	mu     sync.Mutex
	frames [][]byte
	size   int
	// more wakes the client's goroutine. ended closes when no event follows.
	more  chan struct{}
	ended chan struct{}
	over  bool
}

// feedMax is how many bytes may wait for a client. A slower one must start over, as with kube-apiserver.
const feedMax = 64 << 20

func newFeed() *feed { return &feed{more: make(chan struct{}, 1), ended: make(chan struct{})} }

// add appends a frame. It runs on the engine's goroutine.
func (f *feed) add(frame []byte) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.over {
		return
	}
	if f.size += len(frame); f.size > feedMax {
		f.close()
		return
	}
	f.frames = append(f.frames, frame)
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// end ends the feed behind the frames that it has.
func (f *feed) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.close()
}

func (f *feed) close() {
	if !f.over {
		f.over = true
		close(f.ended)
	}
}

// take returns the frames that wait.
func (f *feed) take() [][]byte {
	f.mu.Lock()
	defer f.mu.Unlock()
	frames := f.frames
	f.frames, f.size = nil, 0
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
		for _, frame := range f.take() {
			if _, err := w.Write(frame); err != nil {
				return
			}
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

// remember notes an open feed.
func (s *Session) remember(f *feed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams[f] = true
}

// forget ends the watch of a feed that nobody reads any more.
func (s *Session) forget(f *feed) {
	s.mu.Lock()
	delete(s.streams, f)
	s.mu.Unlock()
	f.end()
	go func() { _ = s.Door.Do(f.stop) }()
}

// End tells all clients that the simulation has ended: watches end as if their time were over.
func (s *Session) End() {
	s.Door.End()
	s.mu.Lock()
	defer s.mu.Unlock()
	for f := range s.streams {
		f.end()
	}
}
