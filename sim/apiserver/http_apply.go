package apiserver

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"path"

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

// urlPath is the address of a request's object, such as /apis/apps/v1/namespaces/default/deployments/web.
func urlPath(req Request) string {
	root := path.Join("/apis", req.Resource.Group, req.Resource.Version)
	if req.Resource.Group == "" {
		root = path.Join("/api", req.Resource.Version)
	}
	if req.Namespace != "" {
		root = path.Join(root, "namespaces", req.Namespace)
	}
	return path.Join(root, req.Resource.Resource, req.Name, req.Subresource)
}
