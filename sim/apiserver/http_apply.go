package apiserver

import (
	"bytes"
	"io"
	"net/http"
	"net/url"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// apply executes a server-side apply of the first front on the second, since merging by field manager is
// the work of upstream's handlers.
func (s *Server) apply(req Request) (runtime.Object, error) {
	front, err := s.HTTP()
	if err != nil {
		return nil, err
	}
	query, err := legacyscheme.ParameterCodec.EncodeParameters(&req.PatchOptions, corev1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	r := &http.Request{
		Method: http.MethodPatch, URL: &url.URL{Path: urlPath(req), RawQuery: query.Encode()},
		Body:   io.NopCloser(bytes.NewReader(req.Patch)),
		Header: http.Header{"Content-Type": {string(req.PatchType)}, "Accept": {runtime.ContentTypeJSON}},
	}
	response, err := front.serve(r, s.userOf(req), r.Header, req.Patch)
	if err != nil {
		return nil, err
	}
	object, err := front.outcome(response)
	if err != nil {
		return nil, err
	}
	if object != nil {
		object.GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	return object, nil
}
