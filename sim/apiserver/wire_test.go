package apiserver_test

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
)

var background = context.Background()

// wire is a Transport that hands requests to the server at once, on the caller's goroutine.
type wire struct {
	server *apiserver.Server
	// last is the newest request, for tests of what a client sends.
	last apiserver.Request
}

// Do implements apiserver.Transport.
func (w *wire) Do(req apiserver.Request) (runtime.Object, error) {
	w.last = req
	return w.server.Do(req)
}

// Watch implements apiserver.Transport.
func (w *wire) Watch(req apiserver.Request) (watch.Interface, error) {
	w.last = req
	source, err := w.server.OpenWatch(req, nil)
	if err != nil {
		return nil, err
	}
	return &wiredWatch{stream: source, events: make(chan watch.Event, 16)}, nil
}

// wiredWatch passes on the events of a stream when it is told to.
type wiredWatch struct {
	stream *apiserver.Stream
	events chan watch.Event
}

// deliver passes on what waits in the stream.
func (w *wiredWatch) deliver() {
	for event, ok := w.stream.Next(); ok; event, ok = w.stream.Next() {
		w.events <- event
	}
}

// ResultChan implements watch.Interface.
func (w *wiredWatch) ResultChan() <-chan watch.Event { return w.events }

// Stop implements watch.Interface.
func (w *wiredWatch) Stop() { w.stream.Stop() }
