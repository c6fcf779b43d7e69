package verb

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"

	"gopkg.in/yaml.v3"
	authenticationv1 "k8s.io/api/authentication/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/scenarios/language/format"
	"github.com/kubestep/kubestep/scenarios/language/notation"
	"github.com/kubestep/kubestep/sim/apiserver"
	"github.com/kubestep/kubestep/sim/network"
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
	Body        string `yaml:"body,omitempty" example:"'{}'" doc:"Body, as text. As metadata.resourceVersion, or as that of preconditions, $(resourceVersion) is the one that the object has when the step is taken."`
	Bytes       string `yaml:"bytes,omitempty" example:"azhzAA==" doc:"Body in base64, instead of body, if it is not text."`
	As          string `yaml:"as,omitempty" example:"jane" doc:"User to impersonate, as kubectl --as."`

	AsGroups []string `yaml:"asGroups,omitempty" example:"[developers]" doc:"Groups to impersonate, as kubectl --as-group."`
}

// Keyword implements format.Verb.
func (*Send) Keyword() string { return "send" }

// Creates implements format.Creator.
func (*Send) Creates() {}

// Role implements format.Verb.
func (*Send) Role() format.Role { return format.Request }

// String implements format.Verb.
func (s *Send) String() string { return s.Method + " " + s.Path }

// MarshalYAML quotes a body that begins with an empty line. Of a block that begins so, yaml.v3 loses the empty lines, in which errors of
// the API server count.
func (s *Send) MarshalYAML() (any, error) {
	type plain Send
	var node yaml.Node
	if err := node.Encode(plain(*s)); err != nil || !strings.HasPrefix(strings.TrimLeft(s.Body, " "), "\n") {
		return &node, err
	}
	for i := 0; i < len(node.Content); i += 2 {
		if value := node.Content[i+1]; node.Content[i].Value == "body" {
			value.Value, value.Style = s.Body, yaml.DoubleQuotedStyle
		}
	}
	return &node, nil
}

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
func (s *Send) Do(_ context.Context, w World) error {
	body := []byte(s.Body)
	if s.Bytes != "" {
		body, _ = base64.StdEncoding.DecodeString(s.Bytes)
	}
	request, err := http.NewRequestWithContext(context.Background(), s.Method, network.Host+s.Path, bytes.NewReader(body))
	if err != nil {
		return w.Scenario().Errorf(path(w, "path"), "/api/v1/namespaces/default/configmaps", "%v", err)
	}
	if resource, namespace, name, ok := apiserver.Addressed(request); ok {
		body = withVersion(w, body, resource, namespace, name)
		request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	}
	request.Header.Set("Content-Type", cmp.Or(s.ContentType, runtime.ContentTypeJSON))
	request.Header.Set("Accept", runtime.ContentTypeJSON)
	if s.As != "" {
		request.Header.Set(authenticationv1.ImpersonateUserHeader, s.As)
	}
	for _, group := range s.AsGroups {
		request.Header.Add(authenticationv1.ImpersonateGroupHeader, group)
	}
	response, err := w.Client().RoundTrip(request)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	return RefusalOf(response.StatusCode, data)
}

// codecs decode the statuses of answers.
var codecs = serializer.NewCodecFactory(scheme.Scheme)

// RefusalOf is the error in the body of an answer with a code, nil if it has none with a reason.
func RefusalOf(code int, body []byte) error {
	err := StatusOf(code, body)
	if apierrors.ReasonForError(err) == metav1.StatusReasonUnknown {
		return nil
	}
	return err
}

// StatusOf is the error in the body of an answer with a code, nil if it has none.
func StatusOf(code int, body []byte) error {
	if code < http.StatusBadRequest {
		return nil
	}
	object, _, err := codecs.UniversalDeserializer().Decode(body, nil, nil)
	status, ok := object.(*metav1.Status)
	if err != nil || !ok {
		return nil
	}
	return &apierrors.StatusError{ErrStatus: *status}
}

// ReasonOf is what a step that fails with an error can expect; empty for an error that is not the API server's. One that kube-apiserver
// does not expect, such as that of a webhook that converts, has the code 500 and no reason.
func ReasonOf(err error) string {
	var status apierrors.APIStatus
	switch reason := apierrors.ReasonForError(err); {
	case reason != metav1.StatusReasonUnknown:
		return string(reason)
	case !errors.As(err, &status):
		return ""
	case status.Status().Code == http.StatusInternalServerError:
		return string(metav1.StatusReasonInternalError)
	}
	return notation.UnknownReason
}

// RequestPath is the path of a request that is sent as it is; empty for all other verbs.
func RequestPath(v format.Verb) string {
	if send, ok := v.(*Send); ok {
		return send.Path
	}
	return ""
}
