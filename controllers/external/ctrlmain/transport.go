package ctrlmain

import (
	"errors"
	"io"
	"net/http"
	"sync"
)

// transport implements http.RoundTripper: it hands each request to the next turn, and waits for the response.
type transport struct {
	mu      sync.Mutex
	last    uint64
	next    turn
	waiting map[uint64]*response
}

// response is what has arrived for a request.
type response struct {
	// arrived has a value whenever there is news.
	arrived chan struct{}

	// The mutex of the transport guards the rest.
	status int
	header http.Header
	data   []byte
	last   bool
	failed error
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx := r.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var body []byte
	if r.Body != nil {
		var err error
		body, err = io.ReadAll(r.Body)
		if err := errors.Join(err, r.Body.Close()); err != nil {
			return nil, err
		}
	}
	id, response := t.send(request{Task: observed.current(), Method: r.Method, URL: r.URL.String(), Header: r.Header, Body: body})
	for {
		select {
		case <-ctx.Done():
			t.cancel(id)
			return nil, ctx.Err()
		case <-response.arrived:
		}
		t.mu.Lock()
		status, header, failed := response.status, response.header, response.failed
		t.mu.Unlock()
		if status != 0 {
			response.announce() // of the body that came with it
			return &http.Response{
				Status: http.StatusText(status), StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
				Header: header, ContentLength: -1, Request: r,
				Body: &reader{transport: t, id: id, response: response, done: ctx.Done(), err: ctx.Err},
			}, nil
		}
		if failed != nil {
			return nil, failed
		}
	}
}

// send adds a request to the next turn.
func (t *transport) send(r request) (uint64, *response) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last++
	r.ID = t.last
	made := &response{arrived: make(chan struct{}, 1)}
	t.waiting[r.ID] = made
	t.next.Sent = append(t.next.Sent, r)
	return r.ID, made
}

// cancel ends the wait for the rest of a response, if there is one.
func (t *transport) cancel(id uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, ok := t.waiting[id]; ok {
		delete(t.waiting, id)
		t.next.Canceled = append(t.next.Canceled, id)
	}
}

// finish says that the function of the program has returned.
func (t *transport) finish(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.next.Returned = true
	if err != nil {
		t.next.Problem = err.Error()
	}
}

// collect takes what was done since the last call.
func (t *transport) collect() turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	done := t.next
	t.next = turn{}
	done.Notes = observed.collect()
	return done
}

// arrive hands parts of responses to those who wait for them.
func (t *transport) arrive(parts []arrival) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, part := range parts {
		response, ok := t.waiting[part.ID]
		if !ok {
			continue
		}
		if part.Status != 0 {
			response.status, response.header = part.Status, part.Header
		}
		response.data, response.last = append(response.data, part.Data...), part.Last
		if part.Failed != "" {
			response.failed, response.last = errors.New(part.Failed), true
		}
		if response.last {
			delete(t.waiting, part.ID)
		}
		response.announce()
	}
}

func (r *response) announce() {
	select {
	case r.arrived <- struct{}{}:
	default:
	}
}

// reader is the body of a response.
type reader struct {
	transport *transport
	id        uint64
	response  *response
	done      <-chan struct{}
	err       func() error
}

// Read implements io.Reader. It waits until something arrives.
func (b *reader) Read(p []byte) (int, error) {
	for {
		if err := b.err(); err != nil {
			b.transport.cancel(b.id)
			return 0, err
		}
		if n, err := b.take(p); n > 0 || err != nil {
			return n, err
		}
		select {
		case <-b.done:
		case <-b.response.arrived:
		}
	}
}

func (b *reader) take(p []byte) (int, error) {
	b.transport.mu.Lock()
	defer b.transport.mu.Unlock()
	r := b.response
	n := copy(p, r.data)
	r.data = r.data[n:]
	switch {
	case n > 0 || len(p) == 0 || !r.last:
		return n, nil
	case r.failed != nil:
		return 0, r.failed
	}
	return 0, io.EOF
}

// Close implements io.Closer. A waiting Read returns.
func (b *reader) Close() error {
	b.transport.cancel(b.id)
	b.transport.mu.Lock()
	defer b.transport.mu.Unlock()
	if !b.response.last {
		b.response.last, b.response.failed = true, errors.New("the body was closed")
	}
	b.response.announce()
	return nil
}
