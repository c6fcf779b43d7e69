package network

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/engine/activity"
)

// Host is the host in the rest.Config of a client with a RoundTripper. Nothing dials it.
const Host = "http://kube-apiserver"

// RoundTripper returns the gate of actor's HTTP requests, for clients that are created from a rest.Config. They use the
// gate of Client, share its rate limit, and are recorded the same way. The first request that is no watch builds the server's
// HTTP interface.
func (n *Network) RoundTripper(actor string) http.RoundTripper {
	n.addLimiter(actor)
	front, forWatches := n.Front, func() (*apiserver.HTTP, error) { return n.asServer(n.Server.HTTPForWatches) }
	return &roundTripper{&gate{network: n, actor: actor, limit: actor}, sync.OnceValues(front), sync.OnceValues(forWatches)}
}

// Front returns the server's HTTP interface. What it logs while it is built belongs to the server, not to the caller.
func (n *Network) Front() (*apiserver.HTTP, error) { return n.asServer(n.Server.HTTP) }

func (n *Network) asServer(build func() (*apiserver.HTTP, error)) (*apiserver.HTTP, error) {
	client := n.Activities.Current()
	n.Activities.Enter(&activity.Activity{Actor: apiserver.Self})
	defer func() {
		if client != nil {
			n.Activities.Enter(client)
		} else {
			n.Activities.Leave()
		}
	}()
	return build()
}

// roundTripper implements http.RoundTripper without a network.
type roundTripper struct {
	gate *gate
	// front and forWatches are the server's HTTP interface, with and without handlers.
	front, forWatches func() (*apiserver.HTTP, error)
}

// CancelRequest tells client-go that requests can be canceled. RoundTrip looks at their contexts.
func (t *roundTripper) CancelRequest(*http.Request) {}

// RoundTrip implements http.RoundTripper. A request whose context ends while it is under way is still executed, as on a
// real server that has received it.
func (t *roundTripper) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := t.roundTrip(r)
	if canceled := r.Context().Err(); canceled != nil && err != nil {
		return nil, canceled
	}
	return response, err
}

func (t *roundTripper) roundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	if health, ok := apiserver.Health(r); ok && !t.gate.network.Server.ChecksDocuments() {
		return health, nil
	}
	front, err := t.forWatches()
	if err != nil {
		return nil, err
	}
	wire, isObject, err := front.Parse(r, t.gate.actor)
	if err != nil {
		return nil, err
	}
	if isObject && wire.Verb == "watch" {
		wire.User = t.gate.network.identityOf(t.gate.actor).user
		return t.watch(r, front, wire)
	}
	if front, err = t.front(); err != nil {
		return nil, err
	}
	if !isObject {
		return t.document(r, front)
	}
	wire.User = t.gate.network.identityOf(t.gate.actor).user
	c := t.gate.newCall(wire.Request)
	c.canceled = r.Context().Done()
	var response *http.Response
	c.do = func(req apiserver.Request) (object runtime.Object, err error) {
		wire.Request = req
		response, object, err = front.Do(wire)
		return object, err
	}
	answer := t.gate.send(c, true, func(finish func(result)) { t.gate.execute(c, finish) })
	if c.deserted {
		return nil, answer.err
	}
	if response != nil && !c.refuses() {
		return response, nil
	}
	return refuse(front, wire, answer.err)
}

// document answers a request that does not access the store.
func (t *roundTripper) document(r *http.Request, front *apiserver.HTTP) (*http.Response, error) {
	as := apiserver.Request{Actor: t.gate.actor, User: t.gate.network.identityOf(t.gate.actor).user}
	if refused, err := front.AuthorizeDocument(r, as); refused != nil || err != nil {
		return refused, err
	}
	return front.Document(r), nil
}

// watch opens a stream like those of the typed clients.
func (t *roundTripper) watch(r *http.Request, front *apiserver.HTTP, wire *apiserver.Wire) (*http.Response, error) {
	if refused, err := front.Authorize(wire); refused != nil || err != nil {
		return refused, err
	}
	frames, err := front.Frames(wire)
	if err != nil {
		return front.Refuse(wire, err), nil
	}
	c := t.gate.newCall(wire.Request)
	// The filters know the user better than the gate.
	c.request.User = wire.User
	c.canceled = r.Context().Done()
	stream, err := t.gate.watch(c)
	if err != nil {
		return refuse(front, wire, err)
	}
	return &http.Response{
		Status: http.StatusText(http.StatusOK), StatusCode: http.StatusOK, Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {frames.ContentType}}, ContentLength: -1,
		Body: &watchBody{context: r.Context(), stream: stream, frames: frames},
	}, nil
}

// refuse returns an error that does not come from the handlers: one of the gate, which becomes a response if it has a
// status and a connection failure otherwise.
func refuse(front *apiserver.HTTP, wire *apiserver.Wire, err error) (*http.Response, error) {
	var status apierrors.APIStatus
	if errors.As(err, &status) {
		return front.Refuse(wire, err), nil
	}
	return nil, err
}

// watchBody is the body of a watch's response. A Read without data waits for the next event on a channel, which virtual
// time covers.
type watchBody struct {
	context context.Context
	stream  watch.Interface
	frames  *apiserver.Frames
	// unread is the rest of the frame that is being read.
	unread []byte
}

// Read implements io.Reader.
func (b *watchBody) Read(p []byte) (int, error) {
	if err := b.context.Err(); err != nil {
		return 0, err
	}
	if len(b.unread) == 0 {
		select {
		case <-b.context.Done():
			return 0, b.context.Err()
		case event, ok := <-b.stream.ResultChan():
			if !ok {
				return 0, io.EOF
			}
			frame, err := b.frames.Encode(event)
			if err != nil {
				return 0, err
			}
			b.unread = frame
		}
	}
	n := copy(p, b.unread)
	b.unread = b.unread[n:]
	return n, nil
}

// Close implements io.Closer. A waiting Read returns.
func (b *watchBody) Close() error {
	b.stream.Stop()
	return nil
}
