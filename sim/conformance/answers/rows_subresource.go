package answers

import (
	"net/http"
)

// subresources adds requests for status, scale and what is none.
func (t *table) subresources(k *kind) {
	if k.newStatus != "" {
		t.statuses(k)
	}
	if k.scale {
		t.scales(k)
	}
	if k.all {
		g := t.group("get", k, Request{Method: http.MethodGet, Path: k.path() + "/nonsense"})
		g.add("an unknown subresource", g.exists(), nil)
		if k.newStatus == "" {
			g.add("status", g.exists(), at(k.path()+"/status"))
		}
	}
}

func (t *table) statuses(k *kind) {
	changed := merged(merged(k.body, k.newStatus), k.merge)
	g := t.group("update status", k, Request{Method: http.MethodPut, Path: k.path() + "/status", ContentType: asJSON, Body: changed})
	g.add("of what exists", g.exists(), nil)
	g.add("of what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("with an old resourceVersion", g.exists(), body(merged(changed, `{"metadata":{"resourceVersion":"1"}}`)))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"), body(merged(changed,
		`{"status":{"nonsense":1}}`))))
	g.add("unknown field", g.exists(), body(merged(changed, `{"status":{"nonsense":1}}`)))
	g.add("of another type", g.exists(), body(merged(changed, `{"status":"fine"}`)))
	g.add("in protobuf", g.exists(), as(asProtobuf))
	g.wrong(g.exists())
	g = t.group("patch status", k, Request{Method: http.MethodPatch, Path: k.path() + "/status", ContentType: asMerge, Body: k.newStatus})
	g.add("merge", g.exists(), nil)
	g.add("merge of what does not exist", nil, nil)
	g.add("merge of the spec", g.exists(), body(k.merge))
	g.add("strategic", g.exists(), as(asStrategic))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"), body(`{"status":{"nonsense":1}}`)))
	g.add("unknown field", g.exists(), body(`{"status":{"nonsense":1}}`))
	g.add("json", g.exists(), both(as(asJSONPatch), body(`[{"op":"add","path":"/metadata/annotations","value":{"a":"b"}}]`)))
	g.add("apply", g.exists(), both(as(asApply), both(query("fieldManager=me"), body(changed))))
	g.add("apply to what does not exist", nil, both(as(asApply), both(query("fieldManager=me"), body(changed))))
	g = t.group("status", k, Request{Method: http.MethodGet, Path: k.path() + "/status"})
	g.add("get", g.exists(), nil)
	g.add("get what does not exist", nil, nil)
	g.add("get Accept Table", g.exists(), accept(asTable))
	g.add("delete", g.exists(), func(r *Request) { r.Method = http.MethodDelete })
	g.add("create", g.exists(), func(r *Request) { r.Method, r.ContentType, r.Body = http.MethodPost, asJSON, changed })
}

func (t *table) scales(k *kind) {
	scale := func(rest string) string {
		return `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"$NAME","namespace":"$NS"}` + rest + `}`
	}
	g := t.group("scale", k, Request{Method: http.MethodGet, Path: k.path() + "/scale"})
	g.add("get", g.exists(), nil)
	g.add("get what does not exist", nil, nil)
	g.add("get Accept Table", g.exists(), accept(asTable))
	g.add("get Accept "+asProtobuf, g.exists(), accept(asProtobuf))
	g = t.group("update scale", k, Request{Method: http.MethodPut, Path: k.path() + "/scale", ContentType: asJSON,
		Body: scale(`,"spec":{"replicas":5}`)})
	g.add("of what exists", g.exists(), nil)
	g.add("of what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("to less than nothing", g.exists(), body(scale(`,"spec":{"replicas":-1}`)))
	g.add("to nothing", g.exists(), body(scale("")))
	g.add("to what it is", g.exists(), body(scale(`,"spec":{"replicas":2}`)))
	g.add("to a word", g.exists(), body(scale(`,"spec":{"replicas":"two"}`)))
	g.add("unknown field", g.exists(), body(scale(`,"spec":{"replicas":5,"nonsense":1}`)))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"),
		body(scale(`,"spec":{"replicas":5,"nonsense":1}`))))
	g.add("with an old resourceVersion", g.exists(), body(merged(scale(`,"spec":{"replicas":5}`), `{"metadata":{"resourceVersion":"1"}}`)))
	g.add("with its resourceVersion", g.exists(), body(merged(scale(`,"spec":{"replicas":5}`), `{"metadata":{"resourceVersion":"$RV"}}`)))
	g.add("with another uid", g.exists(), body(merged(scale(`,"spec":{"replicas":5}`), metadata["uid"])))
	g.add("of another name", g.exists(), body(merged(scale(`,"spec":{"replicas":5}`), `{"metadata":{"name":"other"}}`)))
	g.add("of another namespace", g.exists(), body(merged(scale(`,"spec":{"replicas":5}`), `{"metadata":{"namespace":"$OTHER"}}`)))
	g.add("with the object itself", g.exists(), body(k.body))
	g.add("of another version", g.exists(), body(`{"apiVersion":"autoscaling/v9","kind":"Scale","metadata":{"name":"$NAME"},`+
		`"spec":{"replicas":5}}`))
	g.add("with an empty body", g.exists(), body(""))
	g.add("in YAML", g.exists(), as(asYAML))
	g.add("in protobuf", g.exists(), as(asProtobuf))
	g = t.group("patch scale", k, Request{Method: http.MethodPatch, Path: k.path() + "/scale", ContentType: asMerge,
		Body: `{"spec":{"replicas":5}}`})
	g.add("merge", g.exists(), nil)
	g.add("merge of what does not exist", nil, nil)
	g.add("merge dryRun=All", g.exists(), query("dryRun=All"))
	g.add("strategic", g.exists(), as(asStrategic))
	g.add("json", g.exists(), both(as(asJSONPatch), body(`[{"op":"replace","path":"/spec/replicas","value":5}]`)))
	g.add("json with a test", g.exists(), both(as(asJSONPatch),
		body(`[{"op":"test","path":"/spec/replicas","value":7},{"op":"replace","path":"/spec/replicas","value":5}]`)))
	g.add("to less than nothing", g.exists(), body(`{"spec":{"replicas":-1}}`))
	g.add("unknown field", g.exists(), body(`{"spec":{"nonsense":1}}`))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"), body(`{"spec":{"nonsense":1}}`)))
	g.add("apply", g.exists(), both(as(asApply), both(query("fieldManager=me"), body(scale(`,"spec":{"replicas":5}`)))))
	g.add("apply force=true", g.exists(), both(as(asApply), both(query("fieldManager=me&force=true"),
		body(scale(`,"spec":{"replicas":5}`)))))
}

// special adds the subresources of single kinds, and paths that are none of a kind.
func (t *table) special() {
	t.evictions()
	t.ofPods()
	t.ofOthers()
	t.paths()
}

func post(path, text string) Request {
	return Request{Method: http.MethodPost, Path: path, ContentType: asJSON, Body: text}
}

func (t *table) evictions() {
	const eviction = `{"apiVersion":"policy/v1","kind":"Eviction","metadata":{"name":"$NAME","namespace":"$NS"}}`
	budget := func(rest string) Request {
		return post("/apis/policy/v1/namespaces/$NS/poddisruptionbudgets", object("policy/v1", "PodDisruptionBudget",
			`,"spec":{"selector":{"matchLabels":{"row":"$NAME"}},`+rest+`}`))
	}
	g := t.group("evict", pods, post(pods.path()+"/eviction", eviction))
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("dryRun in the body", g.exists(), body(merged(eviction, `{"deleteOptions":{"dryRun":["All"]}}`)))
	g.add("another name", g.exists(), body(merged(eviction, `{"metadata":{"name":"other"}}`)))
	g.add("another namespace", g.exists(), body(merged(eviction, `{"metadata":{"namespace":"$OTHER"}}`)))
	g.add("without a name", g.exists(), body(`{"apiVersion":"policy/v1","kind":"Eviction"}`))
	g.add("policy/v1beta1", g.exists(), body(merged(eviction, `{"apiVersion":"policy/v1beta1"}`)))
	g.add("with an old resourceVersion", g.exists(), body(merged(eviction, `{"deleteOptions":{"preconditions":{"resourceVersion":"1"}}}`)))
	g.add("with another uid", g.exists(), body(merged(eviction,
		`{"deleteOptions":{"preconditions":{"uid":"11111111-1111-1111-1111-111111111111"}}}`)))
	g.add("gracePeriodSeconds 5", g.exists(), body(merged(eviction, `{"deleteOptions":{"gracePeriodSeconds":5}}`)))
	g.add("unknown field", g.exists(), body(merged(eviction, `{"nonsense":1}`)))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"), body(merged(eviction,
		`{"nonsense":1}`))))
	g.add("with an empty body", g.exists(), body(""))
	g.add("with the Pod itself", g.exists(), body(pods.body))
	g.add("in YAML", g.exists(), as(asYAML))
	g.add("in protobuf", g.exists(), as(asProtobuf))
	g.add("against a budget", append(g.exists(), budget(`"minAvailable":1`)), nil)
	g.add("against a budget of none", append(g.exists(), budget(`"minAvailable":0`)), nil)
	second := budget(`"minAvailable":1`)
	second.Body = merged(second.Body, `{"metadata":{"name":"$NAME-2"}}`)
	g.add("against two budgets", append(g.exists(), budget(`"minAvailable":1`), second), nil)
	g.add("get", g.exists(), func(r *Request) { r.Method, r.Body = http.MethodGet, "" })
	g.add("as a user without rights", g.exists(), func(r *Request) { r.As = "jane" })
}

func (t *table) ofPods() {
	const binding = `{"apiVersion":"v1","kind":"Binding","metadata":{"name":"$NAME","namespace":"$NS"},"target":{"kind":"Node","name":"n"}}`
	g := t.group("bind", pods, post(pods.path()+"/binding", binding))
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("what is bound", append(g.exists(), g.request), nil)
	g.add("to nothing", g.exists(), body(merged(binding, `{"target":null}`)))
	g.add("to a Pod", g.exists(), body(merged(binding, `{"target":{"kind":"Pod"}}`)))
	g.add("another name", g.exists(), body(merged(binding, `{"metadata":{"name":"other"}}`)))
	g.add("another namespace", g.exists(), body(merged(binding, `{"metadata":{"namespace":"$OTHER"}}`)))
	g.add("with another uid", g.exists(), body(merged(binding, metadata["uid"])))
	g.add("with annotations", g.exists(), body(merged(binding, `{"metadata":{"annotations":{"a":"b"},"labels":{"c":"d"}}}`)))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"), body(merged(binding, `{"nonsense":1}`))))
	g.add("in protobuf", g.exists(), as(asProtobuf))
	g.add("at bindings", g.exists(), at("/api/v1/namespaces/$NS/bindings"))

	const debugger = `{"spec":{"ephemeralContainers":[{"name":"d","image":"busybox"}]}}`
	g = t.group("debug", pods, Request{Method: http.MethodPatch, Path: pods.path() + "/ephemeralcontainers", ContentType: asStrategic,
		Body: debugger})
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("dryRun=All", g.exists(), query("dryRun=All"))
	g.add("merge", g.exists(), as(asMerge))
	g.add("again with another image", append(g.exists(), g.request), body(`{"spec":{"ephemeralContainers":[{"name":"d","image":"other"}]}}`))
	g.add("the name of a container", g.exists(), body(`{"spec":{"ephemeralContainers":[{"name":"c","image":"busybox"}]}}`))
	g.add("with ports", g.exists(), body(`{"spec":{"ephemeralContainers":[{"name":"d","image":"busybox","ports":[{"containerPort":80}]}]}}`))
	g.add("unknown field fieldValidation=Strict", g.exists(), both(query("fieldValidation=Strict"),
		body(`{"spec":{"ephemeralContainers":[{"name":"d","image":"b","nonsense":1}]}}`)))
	g.add("get", g.exists(), func(r *Request) { r.Method, r.Body = http.MethodGet, "" })

	g = t.group("resize", pods, Request{Method: http.MethodPatch, Path: pods.path() + "/resize", ContentType: asStrategic,
		Body: `{"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"1"}}}]}}`})
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("the image", g.exists(), body(`{"spec":{"containers":[{"name":"c","image":"j"}]}}`))
	g.add("get", g.exists(), func(r *Request) { r.Method, r.Body = http.MethodGet, "" })
	t.kubelets()
}

// kubelets adds the subresources behind which is a kubelet: of Pods that have no node yet.
func (t *table) kubelets() {
	g := t.group("connect", pods, Request{Method: http.MethodGet})
	for _, path := range []string{
		"/log", "/log?container=x", "/log?tailLines=-1", "/log?nonsense=1", "/exec?command=ls", "/exec", "/attach",
		"/portforward", "/proxy"} {
		path, q := cut(path)
		what := "get " + path[1:]
		if q != "" {
			what += "?" + q
		}
		g.add(what, g.exists(), func(r *Request) { r.Path, r.Query = pods.path()+path, q })
		g.add(what+" of what does not exist", nil, func(r *Request) { r.Path, r.Query = pods.path()+path, q })
	}
	g.add("delete log", g.exists(), func(r *Request) { r.Path, r.Method = pods.path()+"/log", http.MethodDelete })
	g.add("put exec", g.exists(), func(r *Request) { r.Path, r.Method = pods.path()+"/exec", http.MethodPut })
}
