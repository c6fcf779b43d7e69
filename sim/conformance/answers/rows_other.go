package answers

import (
	"net/http"
	"strings"
)

// cut divides an address into path and query.
func cut(address string) (path, query string) {
	path, query, _ = strings.Cut(address, "?")
	return path, query
}

// ofOthers adds the subresources of other kinds than Pods, and objects that exist only in a request.
func (t *table) ofOthers() {
	accounts := &kind{api: "/api/v1", plural: "serviceaccounts", body: object("v1", "ServiceAccount",
		`,"automountServiceAccountToken":false`), field: `"automountServiceAccountToken":`}
	const token = `{"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"audiences":["a"],"expirationSeconds":3600}}`
	g := t.group("token", accounts, post(accounts.path()+"/token", token))
	g.add("of what does not exist", nil, nil)
	g.add("for too short a time", g.exists(), body(merged(token, `{"spec":{"expirationSeconds":5}}`)))
	g.add("for a Pod that does not exist", g.exists(), body(merged(token,
		`{"spec":{"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"none"}}}`)))
	g.add("for a kind that cannot be bound", g.exists(), body(merged(token,
		`{"spec":{"boundObjectRef":{"kind":"Service","apiVersion":"v1","name":"none"}}}`)))
	g.add("of another name", g.exists(), body(merged(token, `{"metadata":{"name":"other"}}`)))
	g.add("with an empty body", g.exists(), body(""))
	g.add("get", g.exists(), func(r *Request) { r.Method, r.Body = http.MethodGet, "" })

	g = t.group("finalize", namespaces, Request{Method: http.MethodPut, Path: namespaces.path() + "/finalize", ContentType: asJSON,
		Body: namespaces.body})
	g.add("what exists", g.exists(), nil)
	g.add("what does not exist", nil, nil)
	g.add("what is being deleted", append(g.exists(), Request{Method: http.MethodDelete, Path: namespaces.path()}), nil)
	g.add("another name", g.exists(), body(merged(namespaces.body, `{"metadata":{"name":"other"}}`)))
	g.add("patch", g.exists(), func(r *Request) {
		r.Method, r.ContentType, r.Body = http.MethodPatch, asMerge, `{"spec":{"finalizers":null}}`
	})
	t.reviews()
}

// reviews adds objects that are an answer and nothing else.
func (t *table) reviews() {
	g := t.group("review", &kind{plural: "access"}, post("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
		`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{"resourceAttributes":{"verb":"get",`+
			`"resource":"pods"}}}`))
	g.add("self", nil, nil)
	g.add("self as a user without rights", nil, func(r *Request) { r.As = "jane" })
	g.add("self dryRun=All", nil, query("dryRun=All"))
	g.add("self without a spec", nil, body(`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview"}`))
	g.add("self Accept Table", nil, accept(asTable))
	g.add("self get", nil, func(r *Request) { r.Method, r.Body = http.MethodGet, "" })
	subject := both(at("/apis/authorization.k8s.io/v1/subjectaccessreviews"),
		body(`{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"user":"jane","resourceAttributes":{"verb":"get",`+
			`"resource":"pods"}}}`))
	g.add("subject", nil, subject)
	g.add("subject without a user", nil, both(subject,
		body(`{"apiVersion":"authorization.k8s.io/v1","kind":"SubjectAccessReview","spec":{"resourceAttributes":{"verb":"get",`+
			`"resource":"pods"}}}`)))
	g.add("subject as a user without rights", nil, func(r *Request) { subject(r); r.As = "jane" })
	local := `{"apiVersion":"authorization.k8s.io/v1","kind":"LocalSubjectAccessReview","metadata":{"namespace":"$NS"},"spec":{"user":"jane",` +
		`"resourceAttributes":{"verb":"get","resource":"pods","namespace":"$NS"}}}`
	g.add("local", nil, both(at("/apis/authorization.k8s.io/v1/namespaces/$NS/localsubjectaccessreviews"), body(local)))
	g.add("local of another namespace", nil, both(at("/apis/authorization.k8s.io/v1/namespaces/$OTHER/localsubjectaccessreviews"),
		body(local)))
	g.add("who am I as a user", nil, func(r *Request) {
		r.Path, r.As = "/apis/authentication.k8s.io/v1/selfsubjectreviews", "jane"
		r.Body = `{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}`
	})
	g.add("token that is none", nil, both(at("/apis/authentication.k8s.io/v1/tokenreviews"),
		body(`{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview","spec":{"token":"x"}}`)))
	g.add("token without one", nil, both(at("/apis/authentication.k8s.io/v1/tokenreviews"),
		body(`{"apiVersion":"authentication.k8s.io/v1","kind":"TokenReview"}`)))
}

// paths adds paths of nothing, and what all servers have.
func (t *table) paths() {
	g := &group{t, "path", &kind{}, Request{Method: http.MethodGet}}
	for _, path := range []string{
		"/api/v2", "/api/v1/nonsense", "/api/v1/namespaces/$NS/nonsense", "/api/v1/namespaces/$NS/nonsense/x", "/apis/nonsense",
		"/apis/apps/v9", "/apis/apps/v1/nonsense",
		"/apis/apps/v1beta1/deployments", "/apis/example.com/v1/things", "/nonsense", "/api/v1/namespaces/$NS/nodes",
		"/api/v1/namespaces/$NS/pods/a/b/c",
		"/healthz", "/livez", "/readyz", "/healthz/ping", "/livez/nonsense", "/api/v1/watch/nonsense", "/apis/answers.kubestep.dev/v1/nonsense",
		"/apis/answers.kubestep.dev/v2/widgets",
		"/apis/answers.kubestep.dev/v1", "/api/v1/componentstatuses/nonsense", "/api/v1/pods/x", "/apis/apps", "/apis/policy",
		"/apis/policy/v1", "/apis/scheduling.k8s.io/v1", "/apis/coordination.k8s.io/v1",
		"/apis/autoscaling/v1", "/apis/autoscaling/v2", "/apis/batch/v1", "/apis/rbac.authorization.k8s.io/v1",
	} {
		g.add(path, nil, at(path))
		if strings.Contains(path, "nonsense") && strings.HasPrefix(path, "/api") {
			g.add("POST "+path, nil, func(r *Request) { r.Method, r.Path, r.ContentType, r.Body = http.MethodPost, path, asJSON, "{}" })
			g.add("DELETE "+path, nil, func(r *Request) { r.Method, r.Path = http.MethodDelete, path })
		}
	}
}
