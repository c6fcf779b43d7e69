package sim

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/kubestep/kubestep/sim/activity"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/engine"
	"github.com/kubestep/kubestep/sim/fault"
	"github.com/kubestep/kubestep/sim/review"
	"github.com/kubestep/kubestep/sim/trace"
)

// A call of a webhook travels to the process that serves it, as a request of a client travels to the API server; the handler
// runs on a goroutine of that process, and the answer travels back:
//
//	call --Request--> arrival, handler --Response--> answer: the request is resumed
//
// The request that the API server calls for is suspended until then, or until the webhook's timeout. So is a watch whose event a
// webhook converts.

// ServeWebhooks serves webhooks for actor until ctx ends. The calls of all Services and URLs arrive here: of several servers, at the
// first one that has a handler for the path.
func (s *Simulation) ServeWebhooks(ctx context.Context, actor string, handler http.Handler) {
	server := &webhook.Server{Actor: actor, Context: ctx, Handler: handler}
	s.Engine.Call("webhooks|serve|"+actor, func() { s.webhooks.Add(server) })
	<-ctx.Done()
}

// webhookCall is a call under way.
type webhookCall struct {
	sim  *Simulation
	x    *execution
	to   webhook.Name
	key  string
	sent time.Duration
	http *http.Request
	// body asks the question, and uid is what its UID is for the webhook.
	body     []byte
	question *webhook.Question
	uid      string

	server *webhook.Server
	// rule is the fault rule that decides the answer, or nil, and faultSeq the record of the fault.
	rule     *fault.Rule
	faultSeq int64
	// hangUp ends the context of the handler.
	hangUp context.CancelFunc
	// over means that the API server does not wait any more.
	over     bool
	answered chan struct{}
	response *http.Response
	err      error
}

// callWebhook implements webhook.Caller, on a goroutine of the request.
func (s *Simulation) callWebhook(to webhook.Name, r *http.Request) (*http.Response, error) {
	if s.waits.Load() {
		return nil, errNoWebhooks
	}
	w, err := s.newWebhookCall(to, r)
	if err != nil {
		return nil, err
	}
	scheduled := s.Engine.Schedule(&engine.Event{
		Key: w.key, Body: func() []byte { return callBody(w.x.call.request) },
		Due: func() time.Duration { return s.Engine.Now() + s.travel(w.key, s.options.Request) },
		Run: w.arrive,
	})
	if !scheduled {
		return nil, errEnded
	}
	select {
	case <-w.answered:
		return w.response, w.err
	case <-r.Context().Done():
	case <-s.context.Done():
	}
	// The API server stops waiting when it is the turn of the request.
	s.awaitResume(w.x, func() { w.end(nil, context.Cause(r.Context())) })
	if w.err == nil && w.response == nil {
		w.err = errEnded
	}
	return w.response, w.err
}

// errNoWebhooks answers those who look at the simulation from outside.
var errNoWebhooks = errors.New("webhooks are called for clients in the simulation only")

// newWebhookCall reads what a webhook is asked.
func (s *Simulation) newWebhookCall(to webhook.Name, r *http.Request) (*webhookCall, error) {
	w := &webhookCall{
		sim: s, x: s.executing(), to: to, http: r, sent: s.Engine.Now(), answered: make(chan struct{}), hangUp: func() {},
	}
	if w.x == nil {
		w.x = s.ownWork()
	}
	var err error
	if w.body, err = io.ReadAll(r.Body); err != nil {
		return nil, err
	}
	if w.question, err = webhook.Read(to, w.body); err != nil {
		return nil, fmt.Errorf("reading the question for %s: %w", to.Webhook, err)
	}
	w.key = w.question.Key(to, w.x.call.key)
	return w, nil
}

// arrive is the arrival of a call at the process that serves the webhook.
func (w *webhookCall) arrive() {
	if w.over {
		return
	}
	w.server = w.sim.webhooks.Find(w.http)
	w.x.calls++
	// The API server drew the UID; which of several calls at one time got which is not reproducible.
	name := w.key + "|" + strconv.Itoa(w.x.calls) + "|" + strconv.FormatInt(int64(w.sent), 10)
	w.uid = uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
	if !w.intercepted() {
		w.deliver()
	}
}

// deliver hands the call to the process, unless a fault rule answers in its place.
func (w *webhookCall) deliver() {
	if w.over {
		return
	}
	w.server = w.sim.webhooks.Find(w.http)
	if w.server == nil || w.rule != nil {
		if response, err, answered := w.fails(); answered {
			w.answer(response, err)
			return
		}
	}
	ctx, cancel := context.WithCancel(w.server.Context)
	w.hangUp = cancel
	go w.serve(ctx)
}

// webhookTask is what a handler works on.
type webhookTask struct{ call *webhookCall }

// Seq implements Task: what a webhook does has the cause of the request that it is called for.
func (t webhookTask) Seq() int64 { return t.call.x.call.cause() }

// Sent implements Task.
func (webhookTask) Sent(int, bool) {}

var _ Task = webhookTask{}

// serve runs the handler as an HTTP server does, on a goroutine of the process that serves it.
func (w *webhookCall) serve(ctx context.Context) {
	w.sim.Activities.Enter(&activity.Activity{Actor: w.server.Actor, Task: webhookTask{w}})
	response, err := w.handle(ctx)
	w.sim.Engine.Schedule(&engine.Event{
		Key: w.key, Body: func() []byte { return callBody(w.x.call.request) },
		Due: func() time.Duration {
			return w.sim.Engine.Now() + w.sim.travel(w.key+"|response", w.sim.options.Response)
		},
		Run: func() { w.answer(w.lost(response, err)) },
	})
}

// handle calls the handler. A server of net/http logs a panic and closes the connection.
func (w *webhookCall) handle(ctx context.Context) (response *http.Response, err error) {
	defer func() {
		reason := recover()
		switch {
		case w.server.Context.Err() != nil:
			// The process has ended, and its connections with it.
			response, err = nil, io.EOF
		case reason != nil:
			response, err = nil, fmt.Errorf("the webhook panicked: %v: %w", reason, io.EOF)
		}
	}()
	body := bytes.ReplaceAll(w.body, []byte(w.question.UID), []byte(w.uid))
	r := w.http.Clone(ctx)
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:443"
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	recorder := httptest.NewRecorder()
	w.server.Handler.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// answer is the arrival of the answer at the API server.
func (w *webhookCall) answer(response *http.Response, err error) {
	if w.over {
		return
	}
	w.sim.resume(w.x, func() {
		w.end(response, err)
		close(w.answered)
	})
}

// end records the call, on the goroutine of the engine, and keeps its answer.
func (w *webhookCall) end(response *http.Response, err error) {
	if w.over {
		return
	}
	w.over = true
	w.hangUp()
	record := &trace.Record{
		Kind: trace.KindWebhook, Actor: apiserver.Self, Cause: w.x.call.cause(), FaultSeq: w.faultSeq, Webhook: w.record(),
	}
	if w.server != nil {
		record.Actor = w.server.Actor
	}
	if err != nil {
		record.Webhook.Error = err.Error()
	} else if response, err = w.read(response, record.Webhook); err != nil {
		record.Webhook.Error = err.Error()
	}
	w.response, w.err = response, err
	w.x.webhooks = append(w.x.webhooks, w.sim.Recorder.Emit(record))
}

// record describes the call.
func (w *webhookCall) record() *review.Review {
	out := w.question.Review
	out.Configuration, out.Hook, out.Type = w.to.Configuration, w.to.Webhook, string(w.to.Type)
	out.Client, out.Sent = w.x.request.Actor, w.sent
	return &out
}

// read reads the answer of a webhook into a record, and gives it the UID that the API server expects.
func (w *webhookCall) read(response *http.Response, record *review.Review) (*http.Response, error) {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	data = bytes.ReplaceAll(data, []byte(w.uid), []byte(w.question.UID))
	response.Body, response.ContentLength, response.Request = io.NopCloser(bytes.NewReader(data)), int64(len(data)), w.http
	if response.StatusCode != http.StatusOK {
		record.Error = "HTTP " + strconv.Itoa(response.StatusCode) + ": " + string(bytes.TrimSpace(data))
	} else {
		w.question.Answer(data, record)
	}
	return response, nil
}
