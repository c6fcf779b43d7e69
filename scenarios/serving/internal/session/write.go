package session

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode"

	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/audit"

	"github.com/kubestep/kubestep/scenarios/language/translate"
	"github.com/kubestep/kubestep/scenarios/language/verb"
	"github.com/kubestep/kubestep/sim/apiserver"
)

// write is the request of a client that changes something. It stands for the one that the verb of its step makes.
type write struct {
	wire     *apiserver.Wire
	request  *http.Request
	response *http.Response
	// path is that of the step if the step is a send. It names the manager of the fields, and what the server logs of a request has its
	// path.
	path string
	// lost is why the step does not do the same in a file; empty if it does.
	lost string
}

// isRepeatable reports whether send can say who makes a request.
func isRepeatable(r *http.Request) bool {
	for name := range r.Header {
		if name == authenticationv1.ImpersonateUIDHeader || strings.HasPrefix(name, authenticationv1.ImpersonateUserExtraHeaderPrefix) {
			return false
		}
	}
	return true
}

// commandOf is the command that a client says it runs, such as kubectl apply; empty if it says none, or something else.
func commandOf(r *http.Request) string {
	command := r.Header.Get("Kubectl-Command")
	hidden := strings.ContainsFunc(command, func(c rune) bool { return !unicode.IsPrint(c) })
	if !strings.HasPrefix(command, "kubectl ") || len(command) > 100 || hidden {
		return ""
	}
	return command
}

// isSame reports whether the request is the one that a verb makes.
func (w *write) isSame(req apiserver.Request) bool { return translate.IsSame(w.wire, w.request, req) }

// around puts the request in the place of the verb's. w is nil if there is none.
func (w *write) around(client verb.Client) verb.Client {
	if w == nil {
		return client
	}
	return &sender{client, w}
}

// sender is the client of a step that sends a request from outside.
type sender struct {
	verb.Client
	write *write
}

// errSecond is the answer to a verb that makes a second request. What its step does has been done.
var errSecond = errors.New("the request of the client has been sent")

// Do implements verb.Client. What the verb reads, it reads.
func (s *sender) Do(req apiserver.Request) (runtime.Object, error) {
	w := s.write
	switch {
	case !req.Writes():
		return s.Client.Do(req)
	case w.response != nil:
		w.lost = "makes one request here, and several in a file"
		return nil, errSecond
	case !w.isSame(req):
		w.lost = "stands for a request that is not the same any more, because something else has written at the same time"
	}
	response, err := s.RoundTrip(nil)
	if err != nil {
		return nil, err
	}
	if response.Header.Get("Retry-After") != "" {
		w.lost = "is answered with Retry-After, and a step of a file tries again"
	}
	refusal := verb.StatusOf(response.StatusCode, apiserver.Body(response))
	if refusal == nil && response.StatusCode >= http.StatusBadRequest {
		w.lost = "is refused in a form that a step of a file does not expect"
	}
	return nil, refusal
}

// RoundTrip implements verb.Client. It sends the request as it came, whatever the verb has made of it.
func (s *sender) RoundTrip(*http.Request) (*http.Response, error) {
	w := s.write
	request := w.request.Clone(context.Background())
	request.Body = io.NopCloser(bytes.NewReader(w.wire.Body()))
	if w.path != "" {
		address, err := url.ParseRequestURI(w.path)
		if err != nil {
			return nil, err
		}
		request.URL = address
	}
	// The server numbers the requests of a run; those of clients outside are not among them.
	request.Header.Del(audit.HeaderAuditID)
	response, err := s.Client.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	answer := *response
	response.Body, answer.Body = io.NopCloser(bytes.NewReader(data)), io.NopCloser(bytes.NewReader(data))
	w.response = &answer
	return response, nil
}
