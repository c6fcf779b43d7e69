package apiserver

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"

	metainternalscheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apiserver/pkg/apis/audit"
	"k8s.io/apiserver/pkg/authentication/user"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// call calls a handler on behalf of a user. The error is that of a handler that panics.
func call(handler http.Handler, r *http.Request, who user.Info, header http.Header, body []byte) (response *http.Response, err error) {
	// What was sent is executed, whether its client still waits for the answer or not.
	ctx := genericrequest.WithUser(context.WithoutCancel(r.Context()), who)
	request := r.Clone(ctx)
	request.Header = header.Clone()
	if request.Header.Get(audit.HeaderAuditID) == "" {
		// Else the filter draws an id, from the source from which an object gets its uid.
		request.Header.Set(audit.HeaderAuditID, "0")
	}
	request.RequestURI = request.URL.RequestURI()
	request.Body = io.NopCloser(bytes.NewReader(body))
	request.ContentLength = int64(len(body))
	defer func() {
		if reason := recover(); reason != nil {
			response, err = nil, panicked(reason, r.Method, r.URL.Path)
		}
	}()
	recorder := httptest.NewRecorder()
	handler.ServeHTTP(recorder, request)
	if r.Method == http.MethodHead {
		recorder.Body.Reset() // net/http sends no body
	}
	response = recorder.Result()
	response.Request = r
	return response, nil
}

// Body reads the body of a response from memory.
func Body(response *http.Response) []byte {
	data, err := io.ReadAll(response.Body)
	if err != nil {
		panic("apiserver: reading a response from memory: " + err.Error())
	}
	return data
}

// decode reads a body in any version and encoding, nil if it is none that the scheme knows.
func decode(data []byte) runtime.Object {
	for _, decoder := range []runtime.Decoder{
		legacyscheme.Codecs.UniversalDeserializer(), metainternalscheme.Codecs.UniversalDeserializer(),
	} {
		if object, _, err := decoder.Decode(data, nil, nil); err == nil {
			return object
		}
	}
	return nil
}
