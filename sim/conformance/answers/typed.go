package answers

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	genericrequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/kubestep/kubestep/sim/apiserver"
)

// resolver reads verb and object from method and path, as kube-apiserver does.
var resolver = &genericrequest.RequestInfoFactory{APIPrefixes: sets.NewString("api", "apis"), GrouplessAPIPrefixes: sets.NewString("api")}

// strict refuses bodies with fields that Go's types do not have.
var strict = serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()

// typedOptions are those that the options of typed clients have.
var typedOptions = []string{
	"dryRun", "fieldManager", "fieldValidation", "force", "labelSelector", "fieldSelector", "limit", "continue", "resourceVersion",
	"resourceVersionMatch",
	"propagationPolicy", "gracePeriodSeconds", "orphanDependents",
}

// Typed is the request of a row as a typed client makes it. ok is false if none can: most rows are wrong in a way that Go's types exclude,
// or ask for another form of the answer.
func (r Row) Typed(replace *strings.Replacer) (req apiserver.Request, ok bool) {
	if r.Request.Accept+r.Request.As != "" || strings.Contains(r.Request.Path, "answers.kubestep.dev") || strings.HasPrefix(r.Group,
		"connect") {
		return req, false
	}
	wire, err := r.Request.HTTP(replace)
	if err != nil {
		return req, false
	}
	info, err := resolver.NewRequestInfo(wire)
	if err != nil || !info.IsResourceRequest || !slices.Contains(methods[info.Verb], r.Request.Method) {
		return req, false
	}
	req = apiserver.Request{
		Verb: info.Verb, Subresource: info.Subresource, Namespace: info.Namespace, Name: info.Name,
		Resource: schema.GroupVersionResource{Group: info.APIGroup, Version: info.APIVersion, Resource: info.Resource},
	}
	if info.Resource == "namespaces" {
		req.Namespace = ""
	}
	if !known(req.Resource) {
		return req, false
	}
	query := wire.URL.Query()
	for name := range query {
		if !slices.Contains(typedOptions, name) {
			return req, false
		}
	}
	return req, r.typedBody(&req, query, replace.Replace(r.Request.Body))
}

var methods = map[string][]string{
	"get": {http.MethodGet}, "list": {http.MethodGet}, "create": {http.MethodPost}, "update": {http.MethodPut}, "patch": {http.MethodPatch},
	"delete": {http.MethodDelete}, "deletecollection": {http.MethodDelete},
}

// known reports whether client-go has a client for a resource.
func known(resource schema.GroupVersionResource) bool {
	return slices.ContainsFunc(kinds, func(k *kind) bool {
		group := strings.TrimPrefix(strings.TrimPrefix(k.api, "/apis/"), "/api/")
		return !k.custom && k.plural == resource.Resource && group == resource.GroupVersion().String()
	})
}

// typedBody reads options and body of a request.
func (r Row) typedBody(req *apiserver.Request, query url.Values, body string) bool {
	into := func(options runtime.Object) bool {
		return scheme.ParameterCodec.DecodeParameters(query, corev1.SchemeGroupVersion, options) == nil
	}
	switch req.Verb {
	case "get":
		return len(query) == 0
	case "list":
		req.Name = ""
		return into(&req.ListOptions)
	case "create":
		return (req.Name == "" || req.Subresource != "") && into(&req.CreateOptions) && r.typedObject(req, body)
	case "update":
		return req.Name != "" && into(&req.UpdateOptions) && r.typedObject(req, body)
	case "patch":
		req.Patch, req.PatchType = []byte(body), types.PatchType(r.Request.ContentType)
		// The first front leaves applies to upstream's handlers.
		forms := []types.PatchType{asMerge, asStrategic, asJSONPatch}
		return req.Name != "" && slices.Contains(forms, req.PatchType) && into(&req.PatchOptions)
	case "deletecollection":
		req.Name = ""
		return into(&req.ListOptions) && (len(body) == 0 || strictOptions(body, &req.DeleteOptions)) && query.Get("dryRun")+
			query.Get("propagationPolicy") == ""
	}
	if len(body) > 0 {
		return len(query) == 0 && r.Request.ContentType == asJSON && strictOptions(body, &req.DeleteOptions)
	}
	return into(&req.DeleteOptions)
}

// strictOptions reads the body of a deletion.
func strictOptions(body string, options *metav1.DeleteOptions) bool {
	decoder := json.NewDecoder(strings.NewReader(body))
	decoder.DisallowUnknownFields()
	return decoder.Decode(options) == nil && options.Kind == "" && strings.Count(body, "gracePeriodSeconds") < 2 && strings.HasPrefix(body,
		"{")
}

// typedObject reads the object of a request. A client takes its name and its namespace into the address.
func (r Row) typedObject(req *apiserver.Request, body string) bool {
	object, kind, err := strict.Decode([]byte(body), nil, nil)
	if err != nil || r.Request.ContentType != asJSON || req.Subresource == "" && kind.GroupVersion() != req.Resource.GroupVersion() {
		return false
	}
	if resource, _ := meta.UnsafeGuessKindToResource(*kind); req.Subresource == "" && resource.Resource != req.Resource.Resource {
		return false
	}
	accessor, err := meta.Accessor(object)
	if err != nil || req.Verb == "update" && accessor.GetName() != req.Name {
		return false
	}
	req.Object = object
	return accessor.GetNamespace() == "" || accessor.GetNamespace() == req.Namespace
}

// Said is what a typed client says of an answer: the object without its kind, or the error.
func (a Answer) Said(verb string) (Answer, error) {
	if a.Code < http.StatusMultipleChoices && (verb == "delete" || verb == "deletecollection") {
		return Answer{Code: http.StatusOK}, nil
	}
	var object map[string]any
	if err := json.Unmarshal([]byte(a.Body), &object); err != nil {
		return Answer{}, err
	}
	withoutKind(object)
	if a.Code >= http.StatusMultipleChoices {
		delete(object, "metadata")
	}
	data, err := json.Marshal(object)
	if err != nil {
		return Answer{}, err
	}
	said := Answer{Code: a.Code}
	if a.Code < http.StatusMultipleChoices {
		said.Code = http.StatusOK
	}
	said.Body, err = Normal(string(data))
	return said, err
}

// withoutKind removes what a typed client drops when it decodes an object, or a list of them.
func withoutKind(object map[string]any) {
	delete(object, "kind")
	delete(object, "apiVersion")
	items, _ := object["items"].([]any)
	for _, item := range items {
		if item, ok := item.(map[string]any); ok {
			withoutKind(item)
		}
	}
}

// TypedAnswer is what the first front of the simulated server returns, as Said.
func (p *Plane) TypedAnswer(row Row, verb string, object any, code int) (Answer, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return Answer{}, err
	}
	answer, err := p.normal(row, &response{code, http.Header{"Content-Type": {asJSON}}, data})
	if err != nil {
		return Answer{}, err
	}
	return answer.Said(verb)
}

// IsTyped reports whether a typed client can make the request of a row.
func (r Row) IsTyped() bool {
	_, ok := r.Typed(NewPlane(nil, "00000").replacer(r.name(), nil))
	return ok
}
