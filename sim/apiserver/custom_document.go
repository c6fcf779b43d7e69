package apiserver

import (
	"encoding/json"
	"net/http"
	"path"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// The documents about kinds change with the definitions, and with the APIServices of other servers. On a real server, an aggregator in
// front of the servers joins theirs.

// changing answers a request for a document that depends on these, and reports whether r is one.
func (h *HTTP) changing(r *http.Request) (document, bool) {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	switch {
	case len(parts) == 1 && parts[0] == "apis":
		return h.groupList(r), true
	case parts[0] == "apis" && !h.server.isGroup(parts[1]):
		return h.document(r), true
	case !h.server.customResources:
		return document{}, false
	case r.URL.Path == "/openapi/v2":
		return h.document(r), true
	case len(parts) == 2 && r.URL.Path == "/openapi/v3":
		return h.openAPIPaths(r), true
	case len(parts) > 3 && path.Join(parts[:3]...) == "openapi/v3/apis" && !h.server.isGroup(parts[3]):
		return h.documentOf(h.server.extensions.Handler(), r), true
	}
	return document{}, false
}

// isGroup reports whether a group is one of kube-apiserver's own.
func (s *Server) isGroup(name string) bool {
	for _, group := range s.groups {
		if groupName(group) == name {
			return true
		}
	}
	return false
}

// groupList is the list of all groups. The one with all resources in it, which clients ask for first, is complete as it is.
func (h *HTTP) groupList(r *http.Request) document {
	whole := h.document(r)
	if strings.Contains(whole.header.Get("Content-Type"), "as=") {
		return whole
	}
	var list metav1.APIGroupList
	if !h.json(r, "/apis", &list) {
		return whole
	}
	var custom []string
	if h.server.customResources {
		custom = h.server.extensions.Groups()
	}
	forwarded := h.server.others.Groups()
	for _, name := range custom {
		var group metav1.APIGroup
		isOther := func(other metav1.APIGroup) bool { return other.Name == name }
		if !slices.ContainsFunc(forwarded, isOther) && h.json(r, "/apis/"+name, &group) {
			group.TypeMeta = metav1.TypeMeta{}
			list.Groups = append(list.Groups, group)
		}
	}
	list.Groups = append(list.Groups, forwarded...)
	return whole.with(list)
}

// openAPIPaths is the list of OpenAPI documents. It says that it was modified just now, as that of a real server does
// (handleDiscovery in k8s.io/kube-aggregator/pkg/controllers/openapiv3/aggregator).
func (h *HTTP) openAPIPaths(r *http.Request) document {
	type paths struct {
		Paths map[string]json.RawMessage `json:"paths"`
	}
	var own, custom paths
	whole := h.document(r)
	other := h.documentOf(h.server.extensions.Handler(), r)
	if json.Unmarshal(whole.body, &own) != nil || json.Unmarshal(other.body, &custom) != nil {
		return whole
	}
	for at, document := range custom.Paths {
		if _, known := own.Paths[at]; !known {
			own.Paths[at] = document
		}
	}
	list := whole.with(own)
	list.header.Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	return list
}

// json reads another document, and reports whether it exists.
func (h *HTTP) json(r *http.Request, at string, into any) bool {
	r = r.Clone(r.Context())
	r.URL.Path = at
	r.Header = http.Header{"Accept": {runtime.ContentTypeJSON}}
	found := h.document(r)
	return found.code == http.StatusOK && json.Unmarshal(found.body, into) == nil
}

// with is the document with another content, as JSON.
func (d document) with(content any) document {
	body, err := json.Marshal(content)
	if err != nil {
		panic("apiserver: a document does not marshal: " + err.Error())
	}
	header := d.header.Clone()
	header.Set("Content-Type", runtime.ContentTypeJSON)
	header.Del("Etag")
	return document{http.StatusOK, header, body}
}
