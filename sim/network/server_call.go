package network

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/engine/activity"
)

// A request that the API server forwards to another one travels as the call of a webhook does: there, to the program of a container
// behind the Service, and back. The request of the client is suspended meanwhile.

// serverCall is a request to another API server under way.
type serverCall struct {
	network *Network
	key     string
	cause   int64
	http    *http.Request
	body    []byte
	// server is the program that the request has reached, nil if there is none.
	server *webhook.Server
	// answered gets the answer on the goroutine of the engine.
	answered func(response *http.Response, err error)
}

// callServer implements apiserver.Options.CallServer, on a goroutine of the request. For those who look at the simulation from outside,
// the program answers at once, so it must not wait.
func (n *Network) callServer(r *http.Request) (*http.Response, error) {
	x := n.executing()
	if x == nil || n.webhooks.barred.Load() {
		server, err := n.serverOf(r)
		if err != nil {
			return nil, err
		}
		body, err := bodyOf(r)
		if err != nil {
			return nil, err
		}
		return answerOf(server, r, body, server.Context)
	}
	var response *http.Response
	var err error
	answered := make(chan struct{})
	sent := n.askServer(x.call.key, x.call.cause(), r, func(c *serverCall, got *http.Response, failed error) {
		if c.server != nil {
			x.server = c.server.Actor
		}
		n.resume(x, func() {
			response, err = got, failed
			close(answered)
		})
	})
	if !sent {
		return nil, errEnded
	}
	select {
	case <-answered:
		return response, err
	case <-n.options.Context.Done():
		return nil, errEnded
	}
}

// AskServer sends a request of the API server itself to another one, which has the time limit to answer. answered gets the answer on the
// goroutine of the engine.
func (n *Network) AskServer(key string, cause int64, r *http.Request, limit time.Duration, answered func(*http.Response, error)) {
	over := false
	finish := func(_ *serverCall, response *http.Response, err error) {
		if !over {
			over = true
			answered(response, err)
		}
	}
	n.askServer(key, cause, r, finish)
	n.Engine.UpkeepAt(n.Engine.Now()+limit, key+"|timeout", func() { finish(nil, nil, context.DeadlineExceeded) })
}

// askServer sends a request, and reports whether the simulation continues.
func (n *Network) askServer(
	key string, cause int64, r *http.Request, answered func(*serverCall, *http.Response, error),
) bool {
	body, err := bodyOf(r)
	c := &serverCall{network: n, key: "server|" + key, cause: cause, http: r, body: body}
	c.answered = func(response *http.Response, err error) { answered(c, response, err) }
	arrive := c.arrive
	if err != nil {
		arrive = func() { c.answered(nil, err) }
	}
	return n.Engine.Schedule(&engine.Event{
		Key: c.key, Body: func() []byte { return c.body },
		Due: func() time.Duration { return n.Engine.Now() + n.travel(c.key, n.options.Request) }, Run: arrive,
	})
}

// arrive is the arrival at the program.
func (c *serverCall) arrive() {
	n := c.network
	server, err := n.serverOf(c.http)
	if err != nil {
		c.answered(nil, err)
		return
	}
	c.server = server
	go func() {
		n.Activities.Enter(&activity.Activity{Actor: server.Actor, Task: causedBy(c.cause)})
		response, err := answerOf(server, c.http, c.body, server.Context)
		n.Engine.Schedule(&engine.Event{
			Key: c.key, Body: func() []byte { return c.body },
			Due: func() time.Duration { return n.Engine.Now() + n.travel(c.key+"|response", n.options.Response) },
			Run: func() { c.answered(response, err) },
		})
	}()
}

// serverOf is the program behind the Service that a request goes to.
func (n *Network) serverOf(r *http.Request) (*webhook.Server, error) {
	if n.webhooks.servers.Route != nil {
		if server, err := n.webhooks.servers.Route(r); server != nil || err != nil {
			return server, err
		}
	}
	return nil, webhook.Refused(r.URL.Host)
}

// bodyOf reads the body of a request.
func bodyOf(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	return io.ReadAll(r.Body)
}

// answerOf calls the handler of a program. A server of net/http logs a panic and closes the connection.
func answerOf(server *webhook.Server, r *http.Request, body []byte, ctx context.Context) (response *http.Response, err error) {
	defer func() {
		if reason := recover(); reason != nil {
			response, err = nil, fmt.Errorf("the server panicked: %v: %w", reason, io.EOF)
		}
	}()
	request := r.Clone(ctx)
	request.RequestURI, request.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:443"
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	recorder := httptest.NewRecorder()
	server.Handler.ServeHTTP(recorder, request)
	response = recorder.Result()
	response.Request = r
	return response, nil
}
