package apiserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/uuid"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authentication/authenticator"
	"k8s.io/apiserver/pkg/authentication/user"

	"github.com/kubestep/kubestep/sim/apiserver/aggregated"
)

// HTTP is the second interface of a Server: upstream's own handlers over the same storages, for HTTP clients (metadata,
// dynamic, scale, discovery). It adds to the first one server-side apply, tables, discovery documents and OpenAPI.
//
// Like the Server, Do and Watch belong to one goroutine. Parse and Document may be called from any.
type HTTP struct {
	server *Server
	// handler are upstream's handlers of all groups, which the first call builds.
	handler func() (http.Handler, error)
	// filters are those of handler, without anything behind them.
	filters http.Handler
	// accounts finds the users of tokens outside of the filters, nil if the server accepts none.
	accounts authenticator.Request
	// withV2 is a handler that serves OpenAPI v2, too.
	withV2 func() (http.Handler, error)
	// documents are those that are kept, documentKey -> func() document, and documentsSize the sum of their lengths.
	documents     sync.Map
	documentsSize atomic.Int64
	// requests counts what was executed.
	requests int
	frames   knownFrames
}

// HTTP returns the HTTP interface. The first call builds it.
func (s *Server) HTTP() (*HTTP, error) {
	front, err := s.front()
	if err != nil {
		return nil, err
	}
	_, err = front.handler()
	return front, err
}

// HTTPForWatches returns the HTTP interface without the handlers of the groups, which cost most of it. Parse, Authorize, Frames and Refuse
// need none.
func (s *Server) HTTPForWatches() (*HTTP, error) { return s.front() }

func (s *Server) newHTTP() (*HTTP, error) {
	if s.customResources {
		if err := s.extend(); err != nil {
			return nil, err
		}
	}
	groups := slices.Concat(s.groups, aggregated.Groups(s.metrics))
	return &HTTP{
		server: s, filters: newFilters(s), accounts: s.authenticator(false),
		handler: sync.OnceValues(func() (http.Handler, error) { return newHandler(groups, s, false) }),
		withV2:  sync.OnceValues(func() (http.Handler, error) { return newHandler(groups, s, true) }),
	}, nil
}

// Do executes a request that Parse parsed, every verb but watch. It returns the response for the client, nil if there is
// none, and the results of Server.Do. If w.Object has changed since Parse, or a list needs another resourceVersion, Do uses that.
func (h *HTTP) Do(w *Wire) (*http.Response, runtime.Object, error) {
	body := w.body
	header := w.http.Header
	if w.Object != w.decoded {
		replaced, err := encoded(w.Request)
		if err != nil {
			return nil, nil, err
		}
		body, header = replaced, header.Clone()
		header.Set("Content-Type", runtime.ContentTypeJSON)
	}
	if w.Verb == "list" && w.ListOptions.ResourceVersion != w.revision {
		w.http = withRevision(w.http, w.ListOptions)
	}
	response, err := h.serve(w.http, h.server.userOf(w.Request), header, body)
	if err != nil {
		return nil, nil, err
	}
	object, err := h.outcome(response)
	return response, ofTable(object, w.Verb), err
}

// ofTable is what a Table is about, so that a record is the same whatever form its client asks for: a list, or the object.
func ofTable(object runtime.Object, verb string) runtime.Object {
	table, ok := object.(*metav1.Table)
	if !ok {
		return object
	}
	list := &metav1.PartialObjectMetadataList{ListMeta: table.ListMeta}
	for _, row := range table.Rows {
		var item metav1.PartialObjectMetadata
		// A client that wants no objects in the rows gets none.
		_ = json.Unmarshal(row.Object.Raw, &item)
		list.Items = append(list.Items, item)
	}
	if verb == "list" || verb == "deletecollection" || len(list.Items) != 1 {
		return list
	}
	only := &list.Items[0]
	only.ResourceVersion = cmp.Or(only.ResourceVersion, table.ResourceVersion)
	return only
}

// withRevision is a list of another resourceVersion.
func withRevision(r *http.Request, options metav1.ListOptions) *http.Request {
	r = r.Clone(r.Context())
	query := r.URL.Query()
	query.Set("resourceVersion", options.ResourceVersion)
	query.Set("resourceVersionMatch", string(options.ResourceVersionMatch))
	r.URL.RawQuery = query.Encode()
	return r
}

// serve calls upstream's handler, which runs the storage on a goroutine of its own and waits for it.
func (h *HTTP) serve(r *http.Request, who user.Info, header http.Header, body []byte) (*http.Response, error) {
	if header.Get(audit.HeaderAuditID) == "" {
		header = header.Clone()
		header.Set(audit.HeaderAuditID, h.auditID(r, who.GetName()))
	}
	handler, err := h.handler()
	if err != nil {
		return nil, err
	}
	return call(handler, r, who, header, body)
}

// auditID is the id of a request. Those of documents, which are made once and for all clients, are not counted.
func (h *HTTP) auditID(r *http.Request, actor string) string {
	name := r.Method + " " + r.URL.RequestURI()
	if actor != "" {
		h.requests++
		name += " " + strconv.Itoa(h.requests)
	}
	return uuid.NewSHA1(uuid.NameSpaceURL, []byte(name)).String()
}

// outcome reads what a response says. Its body can be read again by the client.
func (h *HTTP) outcome(response *http.Response) (runtime.Object, error) {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(data))
	object := h.decode(data)
	if response.StatusCode < http.StatusBadRequest {
		return object, nil
	}
	if status, ok := object.(*metav1.Status); ok && status.Status == metav1.StatusFailure {
		return nil, &apierrors.StatusError{ErrStatus: *status}
	}
	return nil, routing(response.StatusCode, strings.TrimSpace(string(data)))
}
