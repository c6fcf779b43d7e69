package apiserver

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/kubestep/kubestep/sim/apiserver/extensions"
	"github.com/kubestep/kubestep/sim/apiserver/memdb"
)

// Custom resources, and their definitions, are served by upstream's HTTP handlers alone (package extensions), so this front
// leaves requests for them to the other one. It need not ask whether a resource exists: the handlers say so.

// loopback is the connection of the server to itself.
type loopback struct{ server *Server }

// RoundTrip implements http.RoundTripper.
func (l loopback) RoundTrip(r *http.Request) (*http.Response, error) {
	if l.server.transport == nil {
		return nil, errors.New("the controllers of apiextensions-apiserver do not run")
	}
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		// A client that is refused a streaming list falls back to a list, whose objects have an order: from a stream, client-go
		// hands them on in the order of a map.
		front, err := l.server.HTTPForWatches()
		if err != nil {
			return nil, err
		}
		return front.Refuse(&Wire{http: r}, notAllowed()), nil
	}
	return l.server.transport.RoundTrip(r)
}

// extend makes apiextensions-apiserver.
func (s *Server) extend() error {
	var err error
	s.extensions, err = extensions.New(extensions.Config{
		DB: s.db, Root: storageRoot, Transport: loopback{s}, Admission: s.admission, Authorizer: s.authorizer,
		Address: externalAddress, CallWebhook: s.callWebhook,
	})
	return err
}

// RunExtensions runs the controllers of apiextensions-apiserver until the context ends. transport carries their requests.
func (h *HTTP) RunExtensions(ctx context.Context, transport http.RoundTripper) {
	h.server.transport = transport
	h.server.extensions.Run(ctx)
}

// isCustom reports whether a request is one for apiextensions-apiserver: no other group has its resource.
func (s *Server) isCustom(resource schema.GroupVersionResource) bool {
	if !s.customResources || resource.Group == "" {
		return false
	}
	_, builtIn := s.paths[resourcePath{resource, ""}]
	return !builtIn
}

// doCustom executes a request on the other front.
func (s *Server) doCustom(req Request) (runtime.Object, error) {
	front, err := s.HTTP()
	if err != nil {
		return nil, err
	}
	r, body, err := httpRequest(req)
	if err != nil {
		return nil, err
	}
	if s.ManagesFields() {
		r.Header.Set("User-Agent", cmp.Or(req.Program, req.Actor))
	}
	response, err := front.serve(r, s.userOf(req), r.Header, body)
	if err != nil {
		return nil, err
	}
	return front.outcome(response)
}

// methods are those of the verbs.
var methods = map[string]string{
	"get": http.MethodGet, "list": http.MethodGet, "watch": http.MethodGet, "create": http.MethodPost, "update": http.MethodPut,
	"patch": http.MethodPatch, "delete": http.MethodDelete, "deletecollection": http.MethodDelete,
}

// httpRequest writes a request as a client does that sends and accepts JSON.
func httpRequest(req Request) (*http.Request, []byte, error) {
	header := http.Header{"Accept": {runtime.ContentTypeJSON}}
	var options []runtime.Object
	var body []byte
	var err error
	switch req.Verb {
	case "get":
		options = append(options, &req.GetOptions)
	case "list", "watch":
		req.ListOptions.Watch = req.Verb == "watch"
		options = append(options, &req.ListOptions)
	case "create":
		options = append(options, &req.CreateOptions)
		body, err = encoded(req)
	case "update":
		options = append(options, &req.UpdateOptions)
		body, err = encoded(req)
	case "patch":
		options, body = append(options, &req.PatchOptions), req.Patch
		header.Set("Content-Type", string(req.PatchType))
	case "delete", "deletecollection":
		if req.Verb == "deletecollection" {
			options = append(options, &req.ListOptions)
		}
		body, err = runtime.Encode(legacyscheme.Codecs.LegacyCodec(schema.GroupVersion{Version: "v1"}), &req.DeleteOptions)
	}
	if err != nil {
		return nil, nil, err
	}
	if body != nil && req.Verb != "patch" {
		header.Set("Content-Type", runtime.ContentTypeJSON)
	}
	address := &url.URL{Scheme: "http", Host: externalAddress, Path: urlPath(req)}
	for _, o := range options {
		query, err := legacyscheme.ParameterCodec.EncodeParameters(o, schema.GroupVersion{Version: "v1"})
		if err != nil {
			return nil, nil, err
		}
		address.RawQuery = query.Encode()
	}
	r := &http.Request{Method: methods[req.Verb], URL: address, Header: header, Body: io.NopCloser(bytes.NewReader(body))}
	return r, body, nil
}

// encoded is the body of a request as JSON.
func encoded(req Request) ([]byte, error) {
	if object, ok := req.Object.(*unstructured.Unstructured); ok {
		return object.MarshalJSON()
	}
	return runtime.Encode(legacyscheme.Codecs.LegacyCodec(req.Resource.GroupVersion()), req.Object)
}

// watchCustom opens a watch of custom resources or of definitions. Upstream's handler checks the request.
func (s *Server) watchCustom(req Request, notify func()) (*Stream, error) {
	front, err := s.HTTP()
	if err != nil {
		return nil, err
	}
	r, _, err := httpRequest(req)
	if err != nil {
		return nil, err
	}
	opening, ctx := extensions.Open(context.Background())
	response, err := front.serve(r.WithContext(ctx), s.userOf(req), r.Header, nil)
	if err == nil && opening.Source == nil {
		_, err = front.outcome(response)
	}
	if err != nil {
		opening.Stop()
		return nil, err
	}
	opening.Source.SetNotify(notify)
	return &Stream{pending: opening.Source, stop: opening.Stop, onEnd: opening.OnEnd, untyped: true}, nil
}

// customCommit is a write to the store of apiextensions-apiserver, in the form that observers see.
func (s *Server) customCommit(c memdb.Commit) Commit {
	object := extensions.Written(c)
	kind := object.GroupVersionKind()
	return Commit{
		Op: c.Op, Revision: c.Revision, Resource: kind.GroupVersion().WithResource(c.Resource.Resource), Kind: kind,
		Object: object,
	}
}

// decode reads a body in any version and encoding, nil if it is none that the server knows.
func (h *HTTP) decode(data []byte) runtime.Object {
	if object := decode(data); object != nil || !h.server.customResources {
		return object
	}
	return extensions.Decode(data)
}

// establishPause is how long apiextensions-apiserver lets the creation of a custom resource wait if its definition was established
// within this time (serveResource in pkg/apiserver/customresource_handler.go).
const establishPause = 2 * time.Second

// Establishing is how long kube-apiserver would sleep before it executes a request. The caller waits instead.
func (s *Server) Establishing(req Request) time.Duration {
	if req.Verb != "create" || !s.isCustom(req.Resource) || s.extensions == nil {
		return 0
	}
	if since := s.extensions.Established(req.Resource.GroupResource()); since.IsZero() || time.Since(since) >= establishPause {
		return 0
	}
	return establishPause
}
