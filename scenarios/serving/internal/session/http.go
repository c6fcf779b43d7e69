package session

import (
	"bytes"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
	"github.com/kubestep/kubestep/sim/network/live"
)

// bodyMax is how large a body may be: kube-apiserver's limit.
const bodyMax = 3 << 20

// ServeHTTP implements http.Handler, as a kube-apiserver.
func (s *Session) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := protocolToken(r); err != nil {
		refuse(w, apierrors.NewUnauthorized(err.Error()))
		return
	}
	authorized := s.IsAuthorized(r)
	if !authorized && !isIssued(r) {
		refuse(w, apierrors.NewUnauthorized("the token of the session is missing or wrong"))
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err != nil {
		refuse(w, unreadable(err))
		return
	}
	request := r.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(body))
	if !authorized {
		if err := s.authenticate(request); err != nil {
			refuse(w, err)
			return
		}
	}
	request.Header.Del("Authorization")
	if answer := s.own(r.Context(), request); answer != nil {
		answer(w)
		return
	}
	// The feed has channels, which must not be made in the bubble.
	e := &exchange{session: s, request: request, in: w, feed: newFeed(s.backlog)}
	if err := s.Door.Do(e.look); err != nil {
		refuse(w, ended(err))
		return
	}
	switch {
	case e.feed.stop != nil:
		e.feed.send(w, r)
		s.forget(e.feed)
	case e.input != nil:
		e.write()
	}
	if e.response != nil {
		if s.auditor != nil && e.wire != nil {
			s.auditor.write(e)
		}
		e.respond()
	}
}

// IsAuthorized reports whether a request has the token of the session.
func (s *Session) IsAuthorized(r *http.Request) bool {
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return ok && subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
}

// unreadable is the answer to a request whose body does not arrive: it is too large, too slow, or its client has gone.
func unreadable(err error) error {
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return apierrors.NewRequestEntityTooLargeError(fmt.Sprintf("limit is %d", large.Limit))
	case errors.Is(err, os.ErrDeadlineExceeded):
		return apierrors.NewTimeoutError("the body of the request did not arrive in time", 0)
	}
	return apierrors.NewBadRequest(err.Error())
}

// ended is the answer when the simulation has ended.
func ended(err error) error {
	if errors.Is(err, live.ErrEnded) {
		return apierrors.NewServiceUnavailable("kubestep serve has ended")
	}
	return err
}

// refuse answers without the API server.
func refuse(w http.ResponseWriter, err error) {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		status = apierrors.NewInternalError(err)
	}
	out := status.Status()
	out.Kind, out.APIVersion = "Status", "v1"
	writeJSON(w, int(out.Code), out)
}

func writeJSON(w http.ResponseWriter, code int, value any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(value)
}

// exchange is one request of a client. look runs on the engine's goroutine, all else on that of the client.
type exchange struct {
	session *Session
	request *http.Request
	in      http.ResponseWriter

	wire     *apiserver.Wire
	received time.Time
	response *http.Response
	feed     *feed
	input    *input
}

// look answers what changes nothing.
func (e *exchange) look() {
	outside := e.session.outside
	wire, ok, err := outside.Parse(e.request, verb.User)
	switch {
	case err != nil:
		e.response = statusResponse(apierrors.NewBadRequest(err.Error()))
	case !ok:
		e.response = outside.Document(e.request)
	case wire.Verb == "watch":
		e.watch(wire)
	case !network.Changes(wire):
		e.wire, e.received = wire, e.session.run.Simulation().Engine.Date()
		e.response = outside.Answer(wire)
	case !isRepeatable(e.request):
		e.response = statusResponse(apierrors.NewBadRequest("kubestep does not impersonate with uids and extra fields"))
	default:
		e.wire, e.received = wire, e.session.run.Simulation().Engine.Date()
		// A step accepts JSON, so it cannot repeat a request that is refused because of what its client accepts. It has changed nothing.
		if e.response = outside.Unacceptable(wire, e.request, verb.User); e.response != nil {
			return
		}
		e.input = &input{write: &write{wire: wire, request: e.request}}
	}
}

// watch opens a watch.
func (e *exchange) watch(wire *apiserver.Wire) {
	f := e.feed
	if f.form, f.stop, e.response = e.session.outside.Watch(wire, f.add); f.stop != nil {
		f.opened()
	}
}

// write passes the request to the steps, and waits for the answer.
func (e *exchange) write() {
	switch err := e.session.Door.Write(e.input, e.prepare); {
	case err != nil:
		refuse(e.in, ended(err))
	case e.response != nil:
	case e.input.unsaved != nil:
		refuse(e.in, apierrors.NewInternalError(fmt.Errorf("the write is executed, and not saved: %w", e.input.unsaved)))
	case e.input.write.response != nil:
		e.response = e.input.write.response
	default:
		refuse(e.in, e.input.err)
	}
}

// prepare finds the step for the request when its turn has come. It runs on the engine's goroutine.
func (e *exchange) prepare() (ok bool) {
	s := e.session
	version := verb.Version(s.run.Simulation(), e.wire.Resource.GroupResource(), e.wire.Namespace, e.wire.Name)
	s.outside.Aside(func() { e.input.step, ok = s.reader.Step(e.wire, e.request, version, e.fits) })
	e.input.step.Comment = commandOf(e.request)
	e.input.write.path = verb.RequestPath(e.input.step.Verb)
	if !ok {
		e.response = statusResponse(apierrors.NewBadRequest("kubestep cannot make a step of this request"))
	}
	return ok
}

// fits reports whether the verb of a step would now make the very same request. Upstream's handlers keep the managed fields of
// objects, and verbs do so only in a cluster with managedFields.
func (e *exchange) fits(step format.Step) bool {
	if !e.session.base.Spec.Cluster.ManagedFields {
		return false
	}
	read := func(req apiserver.Request) (runtime.Object, error) { return e.session.outside.Read(verb.User, req) }
	requests, err := e.session.run.Rehearse(step, read)
	return err == nil && len(requests) == 1 && e.input.write.isSame(requests[0])
}

// respond sends the answer.
func (e *exchange) respond() {
	for name, values := range e.response.Header {
		e.in.Header()[name] = values
	}
	// A document that is joined from those of several servers still has the length of one of them.
	e.in.Header().Del("Content-Length")
	e.in.WriteHeader(e.response.StatusCode)
	_, _ = e.in.Write(apiserver.Body(e.response))
}

// statusResponse is an error as a response.
func statusResponse(err *apierrors.StatusError) *http.Response {
	status := err.ErrStatus
	status.Kind, status.APIVersion = "Status", "v1"
	data, _ := json.Marshal(status)
	return &http.Response{
		StatusCode: int(status.Code), Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(bytes.NewReader(data)),
	}
}
