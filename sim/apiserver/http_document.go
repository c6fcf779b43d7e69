package apiserver

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// documentKey is what a document depends on: its path, its hash if the client names it, and the form that the client accepts.
type documentKey struct{ path, hash, accept string }

// keyOf is the key of a document. ok is false if the request is none that clients repeat: it has parameters of its own.
func keyOf(r *http.Request) (key documentKey, ok bool) {
	query := r.URL.Query()
	key = documentKey{r.URL.EscapedPath(), query.Get("hash"), r.Header.Get("Accept")}
	delete(query, "hash")
	delete(query, "timeout")
	return key, len(query) == 0 && r.Method == http.MethodGet
}

// documentsMax is how many bytes of documents are kept. All documents of a server are less, but clients may accept them in many forms.
const documentsMax = 64 << 20

// Document answers a request that does not access the store: discovery, OpenAPI, version and health. Each document is
// built once; the answer to a request that is wrong is not kept. It is safe for concurrent use and does not wait for the
// simulation: clients such as REST mappers hold a mutex during discovery, and in the stock build a goroutine that waits for a
// mutex is not durably blocked.
func (h *HTTP) Document(r *http.Request) *http.Response {
	if health, ok := Health(r); ok {
		return health
	}
	switch {
	case h.server.servesMetrics && isMetrics(r):
		return h.documentOf(built(h.handler), r).response(r)
	case r.URL.Path == "/metrics":
		return h.server.metricsDocument(r)
	}
	if h.server.customResources || h.server.others.Any() {
		if found, ok := h.changing(r); ok {
			return found.response(r)
		}
	}
	key, ok := keyOf(r)
	if !ok {
		return h.document(r).response(r)
	}
	made, _ := h.documents.LoadOrStore(key, sync.OnceValue(func() document {
		made := h.document(r)
		if size := int64(len(made.body)); made.code != http.StatusOK || h.documentsSize.Add(size) > documentsMax {
			h.documents.Delete(key)
		}
		return made
	}))
	return made.(func() document)().response(r)
}

// isMetrics reports whether a request is about metrics, which change all the time.
func isMetrics(r *http.Request) bool {
	return r.URL.Path == "/metrics" || strings.HasPrefix(r.URL.Path, "/metrics/")
}

// document is the answer to a GET that never changes.
type document struct {
	code   int
	header http.Header
	body   []byte
}

func (h *HTTP) document(r *http.Request) document {
	if strings.HasPrefix(r.URL.Path, "/openapi/v2") {
		return h.documentOf(built(h.withV2), r)
	}
	return h.documentOf(built(h.handler), r)
}

// built is a handler that was built before, or can be.
func built(handler func() (http.Handler, error)) http.Handler {
	out, err := handler()
	if err != nil {
		panic("apiserver: building the handlers: " + err.Error())
	}
	return out
}

// documentOf asks a handler for a document. A document that is kept must depend on its key only: the one client's "304 Not Modified"
// or compressed form is not for another one.
func (h *HTTP) documentOf(handler http.Handler, r *http.Request) document {
	header := http.Header{"Accept": r.Header.Values("Accept")}
	response, err := call(handler, r, h.server.userOf(Request{Actor: Self}), header, nil)
	if err != nil {
		return document{http.StatusInternalServerError, http.Header{}, []byte(err.Error())}
	}
	return document{response.StatusCode, response.Header, Body(response)}
}

// response returns the document as the answer to r: 304 Not Modified if the client has it, by its ETag. Whether it has changed since a
// time cannot be said, as time may stand still.
func (d document) response(r *http.Request) *http.Response {
	if d.code == http.StatusOK && d.header.Get("Etag") != "" {
		recorder := httptest.NewRecorder()
		maps.Copy(recorder.Header(), d.header.Clone())
		http.ServeContent(recorder, r, "", time.Time{}, bytes.NewReader(d.body))
		response := recorder.Result()
		response.Request = r
		return response
	}
	return &http.Response{
		Status: http.StatusText(d.code), StatusCode: d.code, Header: d.header.Clone(), Request: r,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(d.body)), ContentLength: int64(len(d.body)),
	}
}
