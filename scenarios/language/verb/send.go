package verb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"io"
	"net/http"
	"net/url"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/language/format"
)

// sendRow is any request that changes something, as a client sends it.
var sendRow = Row{
	Syntax: format.Syntax{
		Of: new(Send),
		Doc: "A request as a client sends it over HTTP, for what the other verbs cannot do. kubestep serve records such " +
			"requests. If the API server refuses it, the step needs fails.",
		Example: `- send:
    method: POST
    path: /api/v1/namespaces/default/configmaps
    body: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"settings"},"data":{"color":"blue"}}'
# Server-side apply.
- send:
    method: PATCH
    path: /apis/apps/v1/namespaces/default/deployments/web?fieldManager=ci&force=true
    contentType: application/apply-patch+yaml
    body: |
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {replicas: 5}
`,
		Synonyms: map[string]string{
			"request": "send: {method: POST, path: /api/v1/..., body: TEXT}",
			"raw":     "send: {method: POST, path: /api/v1/..., body: TEXT}",
		},
		FieldSynonyms: map[string]string{"url": "path", "uri": "path", "verb": "method", "data": "body", "type": "contentType"},
	},
}

// Send is a request that changes something.
type Send struct {
	Method      string `yaml:"method" required:"true" enum:"POST,PUT,PATCH,DELETE" example:"POST" doc:"Method of HTTP."`
	Path        string `yaml:"path" required:"true" example:"/api/v1/namespaces/default/configmaps" doc:"Path at the API server, with the query."`
	ContentType string `yaml:"contentType,omitempty" example:"application/merge-patch+json" doc:"Media type of the body. Default application/json."`
	Body        string `yaml:"body,omitempty" example:"'{}'" doc:"Body, as text."`
	Bytes       string `yaml:"bytes,omitempty" example:"azhzAA==" doc:"Body in base64, instead of body, if it is not text."`
	As          string `yaml:"as,omitempty" example:"jane" doc:"User to impersonate, as kubectl --as."`
}

// Keyword implements format.Verb.
func (*Send) Keyword() string { return "send" }

// Role implements format.Verb.
func (*Send) Role() format.Role { return format.Request }

// String implements format.Verb.
func (s *Send) String() string { return s.Method + " " + s.Path }

// Check implements format.Verb.
func (s *Send) Check(c *format.Checker) {
	if address, err := url.ParseRequestURI(s.Path); s.Path != "" && (err != nil || !strings.HasPrefix(address.Path, "/api")) {
		c.Fail("path", "/api/v1/namespaces/default/configmaps", "%q is not a path of the API server", s.Path)
	}
	if s.Body != "" && s.Bytes != "" {
		c.Fail("bytes", "body, or bytes", "a request has one body")
	}
	if _, err := base64.StdEncoding.DecodeString(s.Bytes); err != nil {
		c.Fail("bytes", "azhzAA==", "is not base64: %v", err)
	}
}

// Do implements Verb. Only an error that the API server gives a reason for is one: what a client makes of others is its own
// affair.
func (s *Send) Do(ctx context.Context, w World) error {
	body := []byte(s.Body)
	if s.Bytes != "" {
		body, _ = base64.StdEncoding.DecodeString(s.Bytes)
	}
	request, err := http.NewRequestWithContext(context.Background(), s.Method, "http://kube-apiserver"+s.Path, bytes.NewReader(body))
	if err != nil {
		return w.Scenario().Errorf(path(w, "path"), "/api/v1/namespaces/default/configmaps", "%v", err)
	}
	request.Header.Set("Content-Type", cmp.Or(s.ContentType, runtime.ContentTypeJSON))
	request.Header.Set("Accept", runtime.ContentTypeJSON)
	if s.As != "" {
		request.Header.Set("Impersonate-User", s.As)
	}
	answered, _ := ctx.Value(answerKey{}).(*Answer)
	if answered != nil {
		request.Header.Set("Accept", answered.Accept)
	}
	response, err := w.Simulation().RoundTripper(User).RoundTrip(request)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if answered != nil {
		response.Body = io.NopCloser(bytes.NewReader(data))
		answered.Response = response
	}
	return refusalOf(response.StatusCode, data)
}

// codecs decode the statuses of answers.
var codecs = serializer.NewCodecFactory(scheme.Scheme)

// refusalOf is the error in an answer, nil if it has none with a reason.
func refusalOf(code int, body []byte) error {
	if code < http.StatusBadRequest {
		return nil
	}
	object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	status, ok := object.(*metav1.Status)
	if err != nil || !ok || status.Reason == metav1.StatusReasonUnknown {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: *status}
}

// Answer is what the client of a request gets, where somebody outside the simulation sent it.
type Answer struct {
	// Accept is the header of the client.
	Accept string
	// Response is set after the step, if its verb is a request; others have none.
	Response *http.Response
}

type answerKey struct{}

// WithAnswer returns a context in which a request leaves its answer.
func WithAnswer(ctx context.Context, answer *Answer) context.Context {
	return context.WithValue(ctx, answerKey{}, answer)
}
