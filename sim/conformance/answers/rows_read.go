package answers

import "net/http"

const (
	asTable       = "application/json;as=Table;v=v1;g=meta.k8s.io"
	asPartial     = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io"
	asPartialList = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
)

// readings are values of Accept of requests that read.
var readings = []string{
	asYAML, asProtobuf, asCBOR, "text/plain", "text/html", "*/*", "application/*", "", asTable, asPartial, asPartialList,
	asTable + ",application/json", "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
	"application/json;as=Table;v=v1beta1;g=meta.k8s.io", "application/json;as=Table;v=v9;g=meta.k8s.io", "application/json;stream=watch",
	"application/vnd.kubernetes.protobuf,application/json", "application/cbor,application/json", "application/json;pretty=1",
}

// reads adds reads of one object.
func (t *table) reads(k *kind) {
	g := t.group("get", k, Request{Method: http.MethodGet, Path: k.path()})
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	for _, a := range readings {
		if k.all || a == asTable || a == asPartial || a == asProtobuf {
			g.add("Accept "+a, g.exists(), accept(a))
		}
	}
	if k.all {
		for _, option := range []string{
			"resourceVersion=x", "nonsense=1", "pretty=true", "includeObject=None", "exact=true", "export=true",
		} {
			g.add(option, g.exists(), query(option))
		}
		g.add("Accept Table includeObject=None", g.exists(), both(accept(asTable), query("includeObject=None")))
		g.add("Accept Table includeObject=Object", g.exists(), both(accept(asTable), query("includeObject=Object")))
		g.add("Accept Table includeObject=Nonsense", g.exists(), both(accept(asTable), query("includeObject=Nonsense")))
		g.add("Accept Table what does not exist", nil, accept(asTable))
		g.add("with a slash", g.exists(), at(k.path()+"/"))
		g.add("HEAD", g.exists(), func(r *Request) { r.Method = http.MethodHead })
		g.add("OPTIONS", g.exists(), func(r *Request) { r.Method = http.MethodOptions })
		g.add("POST", g.exists(), func(r *Request) { r.Method, r.Body, r.ContentType = http.MethodPost, k.body, asJSON })
		g.add("NONSENSE", g.exists(), func(r *Request) { r.Method = "NONSENSE" })
	}
	if k.all {
		g.add("as a user without rights", g.exists(), func(r *Request) { r.As = "jane" })
	}
}

// lists adds reads of several objects.
func (t *table) lists(k *kind) {
	const selected = "labelSelector=row%3D$NAME"
	g := t.group("list", k, Request{Method: http.MethodGet, Path: k.collection(), Query: selected})
	g.add("one", g.exists(), nil)
	g.add("none", nil, nil)
	for _, a := range readings {
		if k.all || a == asTable || a == asPartialList || a == asProtobuf {
			g.add("Accept "+a, g.exists(), accept(a))
		}
	}
	if !k.all {
		g.add("of all namespaces", g.exists(), at(k.api+"/"+k.plural))
		return
	}
	for _, option := range []string{
		"limit=1", "limit=x", "limit=-1", "continue=x", "continue=x&resourceVersion=5", "resourceVersion=x",
		"resourceVersionMatch=Exact", "resourceVersionMatch=Exact&resourceVersion=0", "resourceVersionMatch=Other&resourceVersion=1",
		"fieldSelector=metadata.name%3D$NAME", "fieldSelector=metadata.name%3Dother", "fieldSelector=spec.nonsense%3Dx", "fieldSelector=x",
		"sendInitialEvents=true", "timeoutSeconds=x", "nonsense=1", "allowWatchBookmarks=true",
	} {
		g.add(option, g.exists(), query(selected+"&"+option))
	}
	for _, selector := range []string{"a%20in%20(b)", "row%20in%20($NAME,x)", "row", "row!%3D$NAME,row", "a%3Db%3Dc", "a%20b", "%3D",
		"row%3E5"} {
		g.add("labelSelector="+selector, g.exists(), query("labelSelector="+selector+"&fieldSelector=metadata.name%3D$NAME"))
	}
	g.add("of all namespaces", g.exists(), at(k.api+"/"+k.plural))
	g.add("Accept Table of all namespaces", g.exists(), both(accept(asTable), at(k.api+"/"+k.plural)))
	if !k.cluster {
		g.add("of a namespace that does not exist", nil, both(query(""), at(k.api+"/namespaces/none/"+k.plural)))
	}
	g.add("as a user without rights", nil, func(r *Request) { r.As = "jane" })
}
