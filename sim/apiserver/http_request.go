package apiserver

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	corev1 "k8s.io/api/core/v1"
)

// Wire is a request over HTTP, together with its parsed form.
type Wire struct {
	Request

	http *http.Request
	body []byte
	// decoded is the Object as it came, and revision the resourceVersion that a list asked for.
	decoded  runtime.Object
	revision string
}

// Body is the request's original body.
func (w *Wire) Body() []byte { return w.body }

// DryRun is what a request says about a dry run. A deletion with a body says it there, and its query does not count (DeleteResource in
// k8s.io/apiserver/pkg/endpoints/handlers).
func (w *Wire) DryRun() []string {
	if len(w.body) == 0 || w.Verb != "delete" && w.Verb != "deletecollection" {
		return w.http.URL.Query()["dryRun"]
	}
	options, ok := decode(w.body).(*metav1.DeleteOptions)
	if !ok {
		options = &metav1.DeleteOptions{}
		_ = json.Unmarshal(w.body, options) // what is no JSON is refused
	}
	return options.DryRun
}

// resolver reads verb and object from method and path, as kube-apiserver's own does.
var resolver = &genericrequest.RequestInfoFactory{
	APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api"),
}

// Addressed is the object that a request over HTTP is about, and ok is false if there is none.
func Addressed(r *http.Request) (resource schema.GroupResource, namespace, name string, ok bool) {
	info, err := resolver.NewRequestInfo(r)
	if err != nil || !info.IsResourceRequest {
		return resource, "", "", false
	}
	if info.Resource == "namespaces" {
		info.Namespace = ""
	}
	return schema.GroupResource{Group: info.APIGroup, Resource: info.Resource}, info.Namespace, info.Name, info.Name != ""
}

// Parse parses an HTTP request of actor. ok is false if it is not for a resource but for a Document.
func (h *HTTP) Parse(r *http.Request, actor string) (w *Wire, ok bool, err error) {
	info, err := resolver.NewRequestInfo(r)
	if err != nil {
		return nil, false, fmt.Errorf("reading %s %s: %w", r.Method, r.URL.Path, err)
	}
	if !info.IsResourceRequest {
		return nil, false, nil
	}
	w = &Wire{http: r, Request: Request{
		Actor: actor, Verb: info.Verb, Subresource: info.Subresource, Namespace: info.Namespace, Name: info.Name,
		Resource: schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource},
	}}
	// The path /api/v1/namespaces/x is an object that lives in no namespace.
	if info.Resource == "namespaces" {
		w.Namespace = ""
	}
	if r.Body != nil {
		if w.body, err = io.ReadAll(r.Body); err != nil {
			return nil, false, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, false, err
		}
	}
	switch info.Verb {
	case "list", "watch", "deletecollection":
		// The resolver takes a field selector for a name; what is listed has none.
		w.Name = ""
		err = legacyscheme.ParameterCodec.DecodeParameters(r.URL.Query(), corev1.SchemeGroupVersion, &w.ListOptions)
		if err != nil {
			// The handler says what is wrong.
			w.ListOptions = metav1.ListOptions{}
		}
		w.revision = w.ListOptions.ResourceVersion
	case "create", "update":
		w.Object = h.decode(w.body)
		w.decoded = w.Object
	case "patch":
		w.Patch, w.PatchType = w.body, types.PatchType(r.Header.Get("Content-Type"))
	}
	return w, true, nil
}
