package network

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"time"

	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/apiserver/webhook"
	"github.com/kubestep/kubestep/sim/network/fault"
	"github.com/kubestep/kubestep/sim/trace"
	"github.com/kubestep/kubestep/sim/trace/review"
)

// webhookCall is a call under way.
type webhookCall struct {
	network *Network
	x       *execution
	to      webhook.Name
	key     string
	sent    time.Duration
	http    *http.Request
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

// newWebhookCall reads what a webhook is asked.
func (n *Network) newWebhookCall(to webhook.Name, r *http.Request) (*webhookCall, error) {
	w := &webhookCall{
		network: n, x: n.executing(), to: to, http: r, sent: n.Engine.Now(), answered: make(chan struct{}), hangUp: func() {},
	}
	if w.x == nil {
		w.x = n.ownWork()
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

// webhookTask is what a handler works on.
type webhookTask struct{ call *webhookCall }

// Seq implements Task: what a webhook does has the cause of the request that it is called for.
func (t webhookTask) Seq() int64 { return t.call.x.call.cause() }

// Sent implements Task.
func (webhookTask) Sent(int, bool) {}

var _ Task = webhookTask{}

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
	w.network.resume(w.x, func() {
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
	w.x.webhooks = append(w.x.webhooks, w.network.Recorder.Emit(record))
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
